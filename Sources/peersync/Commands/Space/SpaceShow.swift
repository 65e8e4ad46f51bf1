internal import ArgumentParser
internal import LocalAPI

/// Shows one space with its people.
struct SpaceShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .spaceShow)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let (shown, members) = try await context.withService { service in
            let shown = try await service.call(\.trips.show, id: space)
            guard shown.membership == .member else { return (shown, [MemberView]()) }
            return (shown, try await service.call(\.trips.members, id: shown.id))
        }
        try context.output.result(shown) { TripDetails.rendered($0, members: members) }
    }
}
