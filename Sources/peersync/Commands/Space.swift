internal import ArgumentParser
internal import LocalAPI

/// Spaces of any schema.
struct Space: ParsableCommand, SpaceCommands {
    static let noun = SpaceNoun.space
    static let configuration = CommandConfiguration(
        "space", "Create and share spaces of any schema; a trip is a space of the journal.",
        examples: [tr("peersync space create --schema groceries.yaml Home")],
        subcommands: [SpaceCreate.command, SpaceList.command] + shared)
}

struct SpaceCreate: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "create", "Create a space with a schema.",
        examples: [
            tr("peersync space create --schema groceries.yaml Home"),
            tr("peersync space create --schema groceries \"Holiday flat\""),
        ],
        remarks: """
            The schema is part of the space: other devices do not need the file. Instead of a file \
            you can give the NAME of a schema that another space on this device uses.
            """)

    @Option(
        help: .tr("A schema file, or the name of a known schema.", valueName: "file|name"),
        completion: .file())
    var schema: String

    @Flag(help: ArgumentHelp(OptionHelp.encrypted)) var encrypted = false

    @Option(
        help: .tr("A data set to load at once.", valueName: "folder"), completion: .directory)
    var dataset: String?

    @Argument(help: .tr("Name of the new space.", valueName: "name"))
    var name: String

    func run(in context: CommandContext) async throws {
        let isFile = SchemaFile.isFile(schema)
        let draft = SpaceDraft(
            name: name, schema: isFile ? nil : schema,
            document: isFile ? try SchemaFile.text(of: schema) : nil,
            encrypted: encrypted ? true : nil)
        // A set with a mistake must not create a space.
        if let dataset {
            let source = DataSetSource(
                path: InputPath.absolute(dataset), schema: draft.schema, document: draft.document)
            let check = try await context.call(\.schemas.checkSet, source)
            guard check.mistakes.isEmpty else { throw Sentence.DataSet.hasMistakes(check) }
        }
        let space = try await context.show(\.spaces.create, draft) {
            tr(
                """
                Created \(Sentence.name($0.name)) (\($0.shortID)), which follows \
                \($0.schema.map { Sentence.plain($0) } ?? tr("a schema that is not here yet")).
                """)
        }
        try await context.warnOfSameName(space)
        if let dataset {
            let draft = DataSetDraft(path: InputPath.absolute(dataset), space: space.id)
            let report = try await context.call(\.schemas.applySet, draft)
            context.output.remark(DataSetText.done(report))
        }
        if let collection = space.collections?.first {
            context.output.remark(
                tr(
                    """
                    Next: peersync record add \(Sentence.quoted(space.name)) \(collection) \
                    FIELD=VALUE…
                    """))
        }
    }
}

struct SpaceList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List your spaces, including trips and those you have not accepted yet.",
        examples: ["peersync space list"])

    @Flag(help: ArgumentHelp(OptionHelp.listDeleted)) var deleted = false

    func run(in context: CommandContext) async throws {
        try await context.show(deleted ? \.spaces.deleted : \.spaces.list) {
            TripTable.rendered($0, heading: tr("space"), width: context.output.width)
        }
    }
}
