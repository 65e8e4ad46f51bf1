internal import Agent
internal import ArgumentParser
internal import LocalAPI

struct SchemaFamily: ParsableCommand {
    static let configuration = CommandConfiguration(
        "schema", "Check, show and change the schemas of spaces.",
        examples: ["peersync schema check groceries.yaml"],
        subcommands: [
            SchemaCheck.command, SchemaShow.command, SchemaChange.command, SchemaMigrate.command,
        ])
}

struct SchemaCheck: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "check", "List all errors in a schema file, with line numbers.",
        examples: ["peersync schema check groceries.yaml"],
        remarks: "The exit code is 0 if there are none.")

    @Argument(help: ArgumentHelp(OptionHelp.schemaFile, valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: .tr("Also say what would be otherwise in this space.", valueName: "space"),
        completion: .names(of: .space))
    var against: String?

    func run(in context: CommandContext) async throws {
        let mistakes = AgentProgram.mistakes(inSchema: try SchemaFile.bytes(of: file))
        if mistakes.isEmpty, let against {
            var draft = SchemaMigrationDraft(document: try SchemaFile.text(of: file))
            draft.preview = true
            let report = try await context.show(
                \.spaces.migrateSchema, id: against, draft, as: MigrationText.preview)
            context.output.remark(MigrationText.next(report, file: file))
            return
        }
        try context.output.result(mistakes) { mistakes in
            mistakes.map { mistake in
                let place = mistake.path.isEmpty ? "" : " \(mistake.path):"
                return Printable.line("\(file):\(mistake.line):\(place) \(mistake.reason)")
            }.joined(separator: "\n") + (mistakes.isEmpty ? tr("No mistake.") : "")
        }
        guard mistakes.isEmpty else {
            context.output.remark(Sentence.count(mistakes.count, "mistake", "mistakes"))
            throw ExitCode(1)
        }
    }
}

struct SchemaShow: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "show", "Show a schema, or list those that are known here.",
        examples: [
            "peersync schema show", "peersync schema show journal", tr("peersync schema show Home"),
        ], remarks: "NAME is a schema, or a space that uses one.")

    @Argument(
        help: .tr("A schema, or a space that uses one; all by default.", valueName: "name"),
        completion: .names(of: .schema))
    var name: String?

    func run(in context: CommandContext) async throws {
        guard let name else {
            try await context.show(\.schemas.list) {
                SchemaTable.rendered($0, width: context.output.width)
            }
            return
        }
        try await context.show(\.schemas.show, id: name) { Printable.paragraph($0.document) }
    }
}

struct SchemaChange: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "change", "Change a space to another version of its schema, for everybody.",
        examples: [tr("peersync schema change Home groceries.yaml")],
        remarks: """
            Only an admin of the space can do this. `version` in the file must be higher than \
            before. You can add collections and fields and rename them (`was:`), but not change \
            the type of a field.
            """)

    @Argument(
        help: ArgumentHelp(OptionHelp.space, valueName: "space"), completion: .names(of: .space))
    var space: String

    @Argument(help: ArgumentHelp(OptionHelp.schemaFile, valueName: "file"), completion: .file())
    var file: String

    func run(in context: CommandContext) async throws {
        let document = try SchemaFile.text(of: file)
        try await context.show(
            \.spaces.changeSchema, id: space, LocalAPI.SchemaChange(document: document)
        ) {
            tr(
                """
                The space follows version \($0.version) of \(Sentence.name($0.name)) now; the \
                other devices follow it as soon as they hear of it.
                """)
        }
    }
}

struct SchemaMigrate: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "migrate",
        "Change a space to a version of its schema that breaks, and convert what is there.",
        examples: [tr("peersync schema migrate Home groceries.yaml --backup /media/stick")],
        remarks: """
            It shows what would be otherwise, backs everything up and asks. A value that says the \
            same in the new type is converted; any other stays as it was, and is listed. Nothing \
            leaves the log.
            """)

    @Argument(
        help: ArgumentHelp(OptionHelp.space, valueName: "space"), completion: .names(of: .space))
    var space: String

    @Argument(help: ArgumentHelp(OptionHelp.schemaFile, valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(OptionHelp.resetBackup, valueName: "folder"), completion: .directory)
    var backup: String?

    @Flag(help: ArgumentHelp(OptionHelp.withoutBackup)) var withoutBackup = false

    @Flag(help: ArgumentHelp(OptionHelp.dataSetDryRun)) var dryRun = false

    func run(in context: CommandContext) async throws {
        var draft = SchemaMigrationDraft(document: try SchemaFile.text(of: file))
        draft.backup = backup.map(InputPath.absolute)
        draft.withoutBackup = withoutBackup
        var preview = draft
        preview.preview = true
        let report = try await context.planned(\.spaces.migrateSchema, id: space, preview) { plan in
            guard !dryRun else { return nil }
            try await context.prompt.insist(
                MigrationText.preview(plan)
                    + tr("\nChange \(Sentence.name(plan.space.name)) to this, for everybody?"))
            return draft
        }
        try context.output.result(report, describe: MigrationText.preview)
        if let backup = report.backup { context.output.remark(BackupText.made(backup)) }
    }
}
