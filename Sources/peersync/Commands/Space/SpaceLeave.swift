internal import ArgumentParser
internal import LocalAPI

/// Gives up a space.
struct SpaceLeave: PeersyncCommand {
    static let configuration = CommandConfiguration("leave", .spaceLeave)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let left = try await context.withService { service in
            let shown = try await service.call(\.trips.show, id: space)
            try await context.prompt.insist(Sentence.Trip.askLeave(shown))
            return try await service.call(\.trips.leave, id: shown.id)
        }
        try context.output.result(left, describe: Sentence.Trip.left)
    }
}
