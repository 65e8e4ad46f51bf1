internal import ArgumentParser
internal import LocalAPI

/// Makes a trip.
struct TripCreate: PeersyncCommand {
    static let configuration = CommandConfiguration("create", .tripCreate)

    @Argument(help: ArgumentHelp(OptionHelp.tripName, valueName: "name")) var name: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let trip = try await context.call(\.trips.create, TripDraft(name: name))
        try context.output.result(trip, describe: Sentence.Trip.created)
        context.output.remark(Sentence.Trip.createdNext(trip))
    }
}
