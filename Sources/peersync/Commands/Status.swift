internal import ArgumentParser
internal import LocalAPI

/// Shows devices, trips and what waits for whom.
struct Status: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .status)

    @Flag(help: ArgumentHelp(OptionHelp.watch)) var watch = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        guard watch else { return try await StatusReport.show(in: context) }
        try await StatusWatch(context: context).run()
    }
}
