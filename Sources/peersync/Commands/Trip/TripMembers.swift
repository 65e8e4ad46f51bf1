internal import ArgumentParser
internal import LocalAPI

/// Lists who has a trip.
struct TripMembers: PeersyncCommand {
    static let configuration = CommandConfiguration("members", .tripMembers)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let members = try await context.call(\.trips.members, id: trip)
        try context.output.result(members) {
            MemberTable.rendered($0, width: context.output.width)
        }
    }
}
