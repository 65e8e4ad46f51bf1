package import ArgumentParser
internal import LocalAPI

/// Shows one trip and who has it.
package struct TripShow: PeersyncCommand {
    package static let configuration = CommandConfiguration("show", .tripShow)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip"))
    package internal(set) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) package internal(set) var global: GlobalOptions

    package init() {}

    func run(in context: CommandContext) async throws {
        let (shown, members) = try await context.withService { service in
            let shown = try await service.call(\.trips.show, id: trip)
            guard shown.membership != .deleted else { return (shown, [MemberView]()) }
            return (shown, try await service.call(\.trips.members, id: shown.id))
        }
        try context.output.result(shown) { TripDetails.rendered($0, members: members) }
    }
}
