internal import ArgumentParser
internal import LocalAPI

/// Makes a space that follows a schema.
struct SpaceCreate: PeersyncCommand {
    static let configuration = CommandConfiguration("create", .spaceCreate)

    @Option(help: ArgumentHelp(OptionHelp.schemaOption, valueName: "file|name")) var schema: String

    @Argument(help: ArgumentHelp(OptionHelp.spaceName, valueName: "name")) var name: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let isFile = SchemaFile.isFile(schema)
        let draft = SpaceDraft(
            name: name, schema: isFile ? nil : schema,
            document: isFile ? try SchemaFile.text(of: schema) : nil)
        let (space, followed) = try await context.withService { service in
            let space = try await service.call(\.spaces.create, draft)
            return (space, try await service.call(\.spaces.schema, id: space.id))
        }
        try context.output.result(space, describe: Sentence.Record.spaceCreated)
        if let collection = followed.collections.first?.name {
            context.output.remark(
                Sentence.Record.spaceCreatedNext(space, collection: collection))
        }
    }
}
