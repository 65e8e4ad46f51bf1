internal import ArgumentParser
internal import LocalAPI

/// Brings a deleted space back for everybody.
struct SpaceRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .spaceRestore)

    @Argument(help: ArgumentHelp(OptionHelp.deletedSpace, valueName: "space")) var space: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let restored = try await context.call(\.trips.restore, id: space)
        try context.output.result(restored, describe: Sentence.Trip.restored)
    }
}
