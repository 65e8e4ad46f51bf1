internal import ArgumentParser
internal import LocalAPI

/// Shares a trip with a person.
struct TripGrant: PeersyncCommand {
    static let configuration = CommandConfiguration("grant", .tripGrant)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @Argument(help: ArgumentHelp(OptionHelp.person, valueName: "person")) var person: String

    @Option(help: ArgumentHelp(OptionHelp.role, valueName: "role")) var role: Role?

    @Flag(help: ArgumentHelp(OptionHelp.authority)) var authority = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let (member, name) = try await context.withService { service in
            let member = try await service.call(
                \.trips.grant, id: trip,
                GrantDraft(person: person, role: role, authority: authority))
            return (member, try await service.call(\.trips.show, id: trip).name)
        }
        try context.output.result(member) { Sentence.Trip.granted($0, trip: name) }
    }
}

extension Role: ExpressibleByArgument {}
