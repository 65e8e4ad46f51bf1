internal import ArgumentParser
internal import LocalAPI

/// Brings a deleted record back.
struct RecordRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .recordRestore)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let restored = try await context.call(\.records.restore, id: record, target.scope)
        try context.output.result(restored, describe: Sentence.Record.restored)
    }
}
