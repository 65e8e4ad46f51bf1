internal import ArgumentParser
internal import LocalAPI

/// Renames a trip.
struct TripRename: PeersyncCommand {
    static let configuration = CommandConfiguration("rename", .tripRename)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @Argument(help: ArgumentHelp(OptionHelp.newTripName, valueName: "name")) var name: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let renamed = try await context.call(
            \.trips.rename, id: trip, LocalAPI.TripRename(name: name))
        try context.output.result(renamed, describe: Sentence.Trip.renamed)
    }
}
