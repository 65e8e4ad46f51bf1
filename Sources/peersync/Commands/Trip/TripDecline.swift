internal import ArgumentParser
internal import LocalAPI

/// Refuses a trip that someone shares.
struct TripDecline: PeersyncCommand {
    static let configuration = CommandConfiguration("decline", .tripDecline)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let answered = try await context.call(\.trips.decline, id: trip)
        try context.output.result(answered, describe: Sentence.Trip.declined)
    }
}
