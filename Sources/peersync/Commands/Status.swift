internal import ArgumentParser
internal import LocalAPI

/// Shows devices, trips and what waits for whom.
struct Status: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .status)

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        try await StatusReport.show(in: context)
    }
}
