internal import ArgumentParser
internal import LocalAPI

/// Shares a space with a person.
struct SpaceGrant: PeersyncCommand {
    static let configuration = CommandConfiguration("grant", .spaceGrant)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @Argument(help: ArgumentHelp(OptionHelp.person, valueName: "person")) var person: String

    @Option(help: ArgumentHelp(OptionHelp.role, valueName: "role")) var role: LocalAPI.Role?

    @Flag(help: ArgumentHelp(OptionHelp.authority)) var authority = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let member = try await context.call(
            \.trips.grant, id: space, GrantDraft(person: person, role: role, authority: authority))
        try context.output.result(member) { Sentence.Record.granted($0, space: space) }
    }
}
