internal import ArgumentParser
internal import LocalAPI

/// Lists spaces of every schema.
struct SpaceList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .spaceList)

    @Flag(help: ArgumentHelp(OptionHelp.listDeleted)) var deleted = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let spaces =
            deleted
            ? try await context.call(\.spaces.deleted) : try await context.call(\.spaces.list)
        try context.output.result(spaces) {
            TripTable.rendered($0, heading: "space", width: context.output.width)
        }
    }
}
