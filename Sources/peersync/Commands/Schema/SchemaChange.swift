internal import ArgumentParser
internal import LocalAPI

/// Gives a space another version of its schema.
struct SchemaChange: PeersyncCommand {
    static let configuration = CommandConfiguration("change", .schemaChange)

    @Argument(help: ArgumentHelp(OptionHelp.space, valueName: "space")) var space: String

    @Argument(help: ArgumentHelp(OptionHelp.schemaFile, valueName: "file")) var file: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let document = try SchemaFile.text(of: file)
        let schema = try await context.call(
            \.spaces.changeSchema, id: space, LocalAPI.SchemaChange(document: document))
        try context.output.result(schema, describe: Sentence.Record.schemaChanged)
    }
}
