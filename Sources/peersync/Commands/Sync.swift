internal import ArgumentParser
internal import LocalAPI

/// Syncs now, or switches sync on or off.
struct Sync: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "sync", "Sync now, or switch sync on or off.",
        examples: ["peersync sync", "peersync sync --last", "peersync sync off"],
        remarks: """
            It waits until this device and all that can be reached have everything from each \
            other, then prints what was transferred and what no other device has yet. The exit \
            code is 1 if something could not be brought, and 3 if some devices could not be \
            reached. With sync off the agent does not listen and sends nothing; everything on this \
            computer still works.
            """)

    @Argument(help: .tr("on or off; by default, sync now.", valueName: "on|off"))
    var setting: OnOff?

    @Flag(help: .tr("List the last syncs with what they moved, and do nothing else."))
    var last = false

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
        try await context.show(\.sync.set, SyncSetting(enabled: enabled)) { switched in
            guard switched.enabled else {
                return tr(
                    """
                    Sync is off: nothing listens, nothing is sent. Everything on this computer \
                    still works.
                    """)
            }
            return switched.running
                ? tr("Sync is on.")
                : tr("Sync is on. Start the agent to use it: \(Sentence.startAgent)")
        }
    }

    private func syncNow(in context: CommandContext) async throws {
        let (report, status) = try await synced(in: context)
        try context.output.result(report) { SyncText.rendered($0, width: context.output.width) }
        for part in report.onlyHere { context.output.remark(onlyHere(part)) }
        for problem in report.problems { context.output.remark("\(Style.red("!")) \(problem)") }
        if report.elsewhere != .nothing {
            context.output.remark(
                tr(
                    """
                    \(Sentence.waiting(report.elsewhere)) of your trips did not come: no device in \
                    reach has them.
                    """))
        }
        guard report.problems.isEmpty else { throw ExitCode(1) }
        let missing = report.devices.count { !$0.reached }
        guard missing > 0 else {
            if report.elsewhere != .nothing { throw ExitCode(1) }
            return
        }
        context.output.remark(unreachable(missing, of: report.devices.count))
        let obstacles = status.map { report.obstacles(in: $0) } ?? []
        for problem in obstacles {
            ProblemText.lines(problem).forEach { context.output.remark($0) }
        }
        if report.isUnexplained(by: obstacles) {
            context.output.remark(
                tr(
                    missing,
                    """
                    Switch it on and connect it to this network; what is new waits for it. If it is \
                    on: peersync doctor network
                    """,
                    """
                    Switch them on and connect them to this network; what is new waits for them. \
                    If they are on: peersync doctor network
                    """))
        }
        throw ExitCode(3)
    }

    private func unreachable(_ number: Int, of total: Int) -> String {
        number == total
            ? tr("No other device was reached.")
            : tr(
                "\(number) of \(Sentence.count(total, "device", "devices")) could not be reached."
            )
    }

    /// Data that would be lost with this device.
    private func onlyHere(_ part: SyncReport.OnlyHere) -> String {
        let name = Sentence.name(
            part.space.name.isEmpty ? part.space.shortID : part.space.name)
        let unfinished = part.unfinished.map { Sentence.Unfinished.onlyHere($0, of: name) }
        guard part.waiting != .nothing else { return unfinished ?? "" }
        let waiting =
            part.shared
            ? tr("Not on any other device yet: \(Sentence.waiting(part.waiting)) of \(name).")
            : tr("Only this device has \(name); share it, or add another device of yours.")
        return [waiting, unfinished].compactMap(\.self).joined(separator: "\n")
    }

    /// The report, and when some devices were not reached, what status knows of the reasons.
    private func synced(
        in context: CommandContext
    ) async throws -> (report: SyncReport, status: StatusView?) {
        do {
            return try await context.withService(.network) { service in
                let report = try await context.showingProgress {
                    try await service.call(\.sync.now)
                }
                guard report.devices.contains(where: { !$0.reached }) else { return (report, nil) }
                // What was synced is told in any case.
                return (report, try? await service.call(\.agent.status))
            }
        } catch is CancellationError {
            throw SyncText.stoppedWaiting
        }
    }
}
