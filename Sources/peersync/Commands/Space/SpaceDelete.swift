internal import ArgumentParser
internal import LocalAPI

/// Deletes a space for everybody.
struct SpaceDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .spaceDelete)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let deleted = try await context.withService { service in
            let shown = try await service.call(\.trips.show, id: space)
            try await context.prompt.insist(Sentence.Record.askDeleteSpace(shown))
            return try await service.call(\.trips.delete, id: shown.id)
        }
        try context.output.result(deleted, describe: Sentence.Trip.deleted)
        context.output.remark(Sentence.Trip.deletedNext(deleted))
    }
}
