internal import ArgumentParser
internal import LocalAPI

/// Syncs now, or switches sync on or off.
struct Sync: PeersyncCommand {
    static let configuration = CommandConfiguration("sync", .sync)

    @Argument(help: ArgumentHelp(OptionHelp.onOff, valueName: "on|off")) var setting: OnOff?

    @Flag(help: ArgumentHelp(OptionHelp.lastSyncs)) var last = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    enum OnOff: String, ExpressibleByArgument {
        case on, off
    }

    func run(in context: CommandContext) async throws {
        if last {
            let runs = try await context.call(\.sync.runs, SyncRunFilter(limit: nil))
            try context.output.result(runs) {
                SyncText.rendered($0, width: context.output.width)
            }
        } else if let setting {
            try await set(setting == .on, in: context)
        } else {
            try await syncNow(in: context)
        }
    }

    private func set(_ enabled: Bool, in context: CommandContext) async throws {
        let switched = try await context.call(\.sync.set, SyncSetting(enabled: enabled))
        try context.output.result(switched) { switched in
            guard switched.enabled else { return Sentence.Sync.nowOff }
            return switched.running ? Sentence.Sync.nowOn : Sentence.Sync.onWithoutAgent
        }
    }

    private func syncNow(in context: CommandContext) async throws {
        let report: SyncReport
        do {
            report = try await context.call(\.sync.now, needs: .network)
        } catch is CancellationError {
            throw Sentence.Sync.stoppedWaiting
        }
        try context.output.result(report) { SyncText.rendered($0, width: context.output.width) }
        for part in report.onlyHere { context.output.remark(Sentence.Sync.onlyHere(part)) }
        for problem in report.problems { context.output.remark("\(Style.red("!")) \(problem)") }
        if report.elsewhere != .nothing {
            context.output.remark(Sentence.Sync.elsewhere(report.elsewhere))
        }
        guard report.problems.isEmpty else { throw ExitCode(1) }
        let missing = report.devices.count { !$0.reached }
        guard missing > 0 else {
            if report.elsewhere != .nothing { throw ExitCode(1) }
            return
        }
        context.output.remark(
            Sentence.Sync.someUnreachable(missing, of: report.devices.count) + "\n"
                + Sentence.Sync.unreachableHint)
        throw ExitCode(3)
    }
}
