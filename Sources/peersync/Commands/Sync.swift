internal import ArgumentParser
internal import LocalAPI

/// Syncs now, or switches sync on or off.
struct Sync: PeersyncCommand {
    static let configuration = CommandConfiguration("sync", .sync)

    @Argument(help: ArgumentHelp(OptionHelp.onOff, valueName: "on|off")) var setting: OnOff?

    enum OnOff: String, ExpressibleByArgument {
        case on, off
    }

    func run(in context: CommandContext) async throws {
        if let setting {
            try await set(setting == .on, in: context)
        } else {
            try await syncNow(in: context)
        }
    }

    private func set(_ enabled: Bool, in context: CommandContext) async throws {
        try await context.show(\.sync.set, SyncSetting(enabled: enabled)) { switched in
            guard switched.enabled else { return Sentence.Sync.nowOff }
            return switched.running ? Sentence.Sync.nowOn : Sentence.Sync.onWithoutAgent
        }
    }

    private func syncNow(in context: CommandContext) async throws {
        let report = try await context.show(\.sync.now, needs: .network) {
            rendered($0, width: context.output.width)
        }
        let missing = report.devices.count { !$0.reached }
        guard missing > 0 else { return }
        context.output.remark(
            Sentence.Sync.someUnreachable(missing, of: report.devices.count) + "\n"
                + Sentence.Sync.unreachableHint)
        throw ExitCode(3)
    }

    private func rendered(_ report: SyncReport, width: Int?) -> String {
        guard !report.devices.isEmpty else { return Sentence.Sync.noDevices }
        var table = Table([.text(""), .text("", shrinksTo: 8), .text("", shrinksTo: 20)])
        for result in report.devices {
            let state: SyncState =
                result.reached ? (result.problem == nil ? .synced : .error) : .offline
            let moved = Sentence.Sync.moved(sent: result.sent, received: result.received)
            let problem = result.problem ?? Sentence.Sync.notReached
            let what =
                result.reached ? (result.problem.map { "\(moved); \($0)" } ?? moved) : problem
            table.add([Symbols.of(state), result.device.name, what])
        }
        return table.rendered(width: width)
    }
}
