internal import ArgumentParser
internal import LocalAPI

/// Takes a trip that someone shares.
struct TripAccept: PeersyncCommand {
    static let configuration = CommandConfiguration("accept", .tripAccept)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let answered = try await context.call(\.trips.accept, id: trip)
        try context.output.result(answered, describe: Sentence.Trip.accepted)
    }
}
