internal import ArgumentParser
internal import LocalAPI

/// Shows devices, trips and all waiting work.
struct Status: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "status", "Show devices, trips and pending changes.",
        examples: ["peersync status", "peersync status --watch", "peersync status --short"],
        remarks: """
            \u{2713} synced, \u{21BB} syncing, \u{2022} pending, \u{25CB} not reachable, ! needs \
            your attention. The line of --short begins with that sign; the exit code is 0, and 1 \
            when peersync is not set up or the agent does not answer within 2 seconds.
            """)

    @Flag(help: .tr("Keep showing it, with what moves, until Ctrl-C."))
    var watch = false

    @Flag(help: .tr("One line: the sign and what it stands for."))
    var short = false

    func run(in context: CommandContext) async throws {
        if short { return try await StatusReport.showLine(in: context) }
        guard watch else { return try await StatusReport.show(in: context) }
        try await StatusWatch(context: context).run()
    }
}
