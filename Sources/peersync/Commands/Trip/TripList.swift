internal import ArgumentParser
internal import LocalAPI

/// Lists the trips of this device.
struct TripList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .tripList)

    @Flag(help: ArgumentHelp(OptionHelp.listDeleted)) var deleted = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let trips =
            deleted
            ? try await context.call(\.spaces.deleted).filter(\.isTrip)
            : try await context.call(\.trips.list)
        try context.output.result(trips) { trips in
            trips.isEmpty
                ? (deleted ? Sentence.Trip.noneDeleted : Sentence.Status.noTrips)
                : TripTable.rendered(trips, width: context.output.width)
        }
    }
}
