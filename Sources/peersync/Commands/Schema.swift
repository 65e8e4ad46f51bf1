internal import Agent
internal import ArgumentParser
internal import LocalAPI

struct SchemaFamily: ParsableCommand {
    static let configuration = CommandConfiguration(
        "schema", .schema,
        subcommands: [
            SchemaCheck.command, SchemaShow.command, SchemaChange.command, SchemaMigrate.command,
        ])
}

struct SchemaCheck: PeersyncCommand {
    static let configuration = CommandConfiguration("check", .schemaCheck)

    @Argument(help: ArgumentHelp(OptionHelp.schemaFile, valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(OptionHelp.schemaAgainst, valueName: "space"),
        completion: .names(of: .space))
    var against: String?

    func run(in context: CommandContext) async throws {
        let mistakes = AgentProgram.mistakes(inSchema: try SchemaFile.bytes(of: file))
        if mistakes.isEmpty, let against {
            var draft = SchemaMigrationDraft(document: try SchemaFile.text(of: file))
            draft.preview = true
            let report = try await context.show(
                \.spaces.migrateSchema, id: against, draft, as: Sentence.Migration.preview)
            context.output.remark(Sentence.Migration.next(report, file: file))
            return
        }
        try context.output.result(mistakes) { mistakes in
            mistakes.map { mistake in
                let place = mistake.path.isEmpty ? "" : " \(mistake.path):"
                return Printable.line("\(file):\(mistake.line):\(place) \(mistake.reason)")
            }.joined(separator: "\n") + (mistakes.isEmpty ? Sentence.Record.noMistake : "")
        }
        guard mistakes.isEmpty else {
            context.output.remark(Sentence.Record.mistakes(mistakes.count))
            throw ExitCode(1)
        }
    }
}

struct SchemaShow: PeersyncCommand {
    static let configuration = CommandConfiguration("show", .schemaShow)

    @Argument(
        help: ArgumentHelp(OptionHelp.schemaName, valueName: "name"),
        completion: .names(of: .schema)) var name: String?

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
    static let configuration = CommandConfiguration("change", .schemaChange)

    @Argument(
        help: ArgumentHelp(OptionHelp.space, valueName: "space"), completion: .names(of: .space))
    var space: String

    @Argument(help: ArgumentHelp(OptionHelp.schemaFile, valueName: "file"), completion: .file())
    var file: String

    func run(in context: CommandContext) async throws {
        let document = try SchemaFile.text(of: file)
        try await context.show(
            \.spaces.changeSchema, id: space, LocalAPI.SchemaChange(document: document),
            as: Sentence.Record.schemaChanged)
    }
}

struct SchemaMigrate: PeersyncCommand {
    static let configuration = CommandConfiguration("migrate", .schemaMigrate)

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
            try await context.prompt.insist(Sentence.Migration.question(plan))
            return draft
        }
        try context.output.result(report, describe: Sentence.Migration.preview)
        if let backup = report.backup { context.output.remark(Sentence.Backup.made(backup)) }
    }
}
