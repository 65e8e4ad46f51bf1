internal import ArgumentParser
internal import LocalAPI

/// Brings a deleted trip back for everybody.
struct TripRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .tripRestore)

    @Argument(help: ArgumentHelp(OptionHelp.deletedTrip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let restored = try await context.call(\.trips.restore, id: trip)
        try context.output.result(restored, describe: Sentence.Trip.restored)
    }
}
