internal import ArgumentParser
internal import LocalAPI

/// Deletes a record for everybody.
struct RecordDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .recordDelete)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let deleted = try await context.withService { service in
            let shown = try await service.call(\.records.show, id: record, target.scope)
            try await context.prompt.insist(Sentence.Record.askDelete(shown))
            return try await service.call(\.records.delete, id: shown.id, target.scope)
        }
        try context.output.result(deleted, describe: Sentence.Record.deleted)
    }
}
