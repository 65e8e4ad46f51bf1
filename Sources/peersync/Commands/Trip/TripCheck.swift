internal import ArgumentParser
internal import LocalAPI

/// Looks whether everything in a trip hangs together.
struct TripCheck: PeersyncCommand {
    static let configuration = CommandConfiguration("check", .tripCheck)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    /// 0 when nothing is left to do, 1 otherwise.
    func run(in context: CommandContext) async throws {
        try await SpaceCheckText.show(trip, in: context)
    }
}
