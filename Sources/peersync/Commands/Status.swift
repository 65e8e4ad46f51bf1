internal import ArgumentParser
internal import LocalAPI

/// Shows devices, trips and what waits for whom.
struct Status: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .status)

    @Flag(help: ArgumentHelp(OptionHelp.watch)) var watch = false

    @Flag(help: ArgumentHelp(OptionHelp.short)) var short = false

    func run(in context: CommandContext) async throws {
        if short { return try await StatusReport.showLine(in: context) }
        guard watch else { return try await StatusReport.show(in: context) }
        try await StatusWatch(context: context).run()
    }
}
