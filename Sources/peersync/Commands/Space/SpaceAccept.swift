internal import ArgumentParser
internal import LocalAPI

/// Takes a space that someone shares.
struct SpaceAccept: PeersyncCommand {
    static let configuration = CommandConfiguration("accept", .spaceAccept)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let accepted = try await context.call(\.trips.accept, id: space)
        try context.output.result(accepted, describe: Sentence.Record.accepted)
    }
}
