internal import ArgumentParser
internal import LocalAPI

/// Looks whether the records of a space hang together.
struct SpaceCheck: PeersyncCommand {
    static let configuration = CommandConfiguration("check", .spaceCheck)

    @Argument(help: ArgumentHelp(OptionHelp.recordSpace, valueName: "space")) var space: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    /// 0 when nothing is left to do, 1 otherwise.
    func run(in context: CommandContext) async throws {
        try await SpaceCheckText.show(space, in: context)
    }
}
