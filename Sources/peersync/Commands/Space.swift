internal import ArgumentParser
internal import LocalAPI

/// Spaces of any schema.
struct Space: ParsableCommand, SpaceCommands {
    static let noun = SpaceNoun.space
    static let configuration = CommandConfiguration(
        "space", .space, subcommands: [SpaceCreate.command, SpaceList.command] + shared)
}

struct SpaceCreate: PeersyncCommand {
    static let configuration = CommandConfiguration("create", .spaceCreate)

    @Option(
        help: ArgumentHelp(OptionHelp.schemaOption, valueName: "file|name"), completion: .file())
    var schema: String

    @Flag(help: ArgumentHelp(OptionHelp.encrypted)) var encrypted = false

    @Option(
        help: ArgumentHelp(OptionHelp.createDataSet, valueName: "folder"), completion: .directory)
    var dataset: String?

    @Argument(help: ArgumentHelp(OptionHelp.spaceName, valueName: "name")) var name: String

    func run(in context: CommandContext) async throws {
        let isFile = SchemaFile.isFile(schema)
        let draft = SpaceDraft(
            name: name, schema: isFile ? nil : schema,
            document: isFile ? try SchemaFile.text(of: schema) : nil,
            encrypted: encrypted ? true : nil)
        // A set with a mistake makes no space.
        if let dataset {
            let source = DataSetSource(
                path: InputPath.absolute(dataset), schema: draft.schema, document: draft.document)
            let check = try await context.call(\.schemas.checkSet, source)
            guard check.mistakes.isEmpty else { throw Sentence.DataSet.hasMistakes(check) }
        }
        let space = try await context.show(\.spaces.create, draft, as: Sentence.Record.spaceCreated)
        try await context.warnOfSameName(space)
        if let dataset {
            let draft = DataSetDraft(path: InputPath.absolute(dataset), space: space.id)
            let report = try await context.call(\.schemas.applySet, draft)
            context.output.remark(Sentence.DataSet.done(report))
        }
        if let collection = space.collections?.first {
            context.output.remark(Sentence.Record.spaceCreatedNext(space, collection: collection))
        }
    }
}

struct SpaceList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .spaceList)

    @Flag(help: ArgumentHelp(OptionHelp.listDeleted)) var deleted = false

    func run(in context: CommandContext) async throws {
        try await context.show(deleted ? \.spaces.deleted : \.spaces.list) {
            TripTable.rendered($0, heading: tr("space"), width: context.output.width)
        }
    }
}
