internal import ArgumentParser
internal import LocalAPI

/// Records of any schema.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        "record", .record,
        subcommands: [
            RecordAdd.command, RecordSet.command, RecordGet.command, RecordList.command,
            RecordDelete.command, RecordRestore.command, RecordStatusCommand.command,
        ])
}

struct RecordAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .recordAdd)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.assignments, valueName: "field=value"))
    var assignments: [String] = []

    @Option(help: ArgumentHelp(OptionHelp.recordFile, valueName: "file"), completion: .file())
    var from: String?

    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard from == nil || (assignments.isEmpty && place.place == nil) else {
            throw ValidationError(OptionHelp.recordFileAlone)
        }
    }

    func run(in context: CommandContext) async throws {
        if let from { return try await add(allOf: from, in: context) }
        let input = try AssignmentInput(assignments)
        let draft = RecordDraft(
            space: target.space, collection: target.collection,
            fields: input.fields.merging(input.add.mapValues { .set($0) }) { $1 },
            place: place.place)
        try await context.show(\.records.add, draft) { Sentence.Record.added($0) }
    }

    private func add(allOf file: String, in context: CommandContext) async throws {
        let bytes = try await RecordFile.bytes(of: file)
        let (report, collection) = try await context.withService { service in
            let schema = try await service.call(\.spaces.schema, id: target.space)
            let collection = schema.collection(target.collection)
            let report = try await service.call(
                \.records.addBatch,
                RecordBatchDraft(
                    space: target.space, collection: target.collection,
                    records: try RecordFile(of: collection).records(bytes)))
            return (report, collection)
        }
        try context.output.result(report) {
            Sentence.Record.added($0, field: collection?.finishedBy)
        }
    }
}

struct RecordSet: PeersyncCommand {
    static let configuration = CommandConfiguration("set", .recordSet)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @Argument(help: ArgumentHelp(OptionHelp.assignments, valueName: "field=value"))
    var assignments: [String] = []

    @Option(help: ArgumentHelp(OptionHelp.clearField, valueName: "field")) var clear: [String] = []

    @Option(help: ArgumentHelp(OptionHelp.seen, valueName: "token")) var seen: String?

    @OptionGroup var place: PlaceOptions

    func run(in context: CommandContext) async throws {
        let input = try AssignmentInput(assignments)
        var changes = RecordChanges(space: target.space, collection: target.collection)
        changes.fields = input.fields
        for field in clear { changes.fields[field] = .null }
        changes.add = input.add
        changes.remove = input.remove
        changes.place = place.place
        changes.seen = seen
        try await context.show(\.records.change, id: record, changes) {
            Sentence.Record.changed(
                $0, fields: Set(input.fields.keys).union(clear),
                sets: Set(input.add.keys).union(input.remove.keys))
        }
    }
}

struct RecordGet: PeersyncCommand {
    static let configuration = CommandConfiguration("get", .recordGet)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @Option(help: ArgumentHelp(OptionHelp.saveField, valueName: "field")) var save: String?

    @Option(help: ArgumentHelp(OptionHelp.to, valueName: "path"), completion: .file()) var to:
        String = "."

    func run(in context: CommandContext) async throws {
        guard let save else {
            try await context.show(\.records.show, id: record, target.scope) {
                RecordDetails.rendered($0, width: context.output.width)
            }
            return
        }
        let export = RecordExport(
            space: target.space, collection: target.collection, field: save,
            path: InputPath.absolute(to))
        try await context.show(\.records.export, id: record, export, as: Sentence.Memory.exported)
    }
}

struct RecordList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .recordList)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.conditions, valueName: "field=value"))
    var conditions: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp(OptionHelp.recordText, valueName: "text"))
    var text: String?

    @Flag(help: ArgumentHelp(OptionHelp.deletedRecords)) var deleted = false

    func run(in context: CommandContext) async throws {
        var filter = RecordFilter(space: target.space, collection: target.collection)
        filter.fields = try AssignmentInput(conditions).fields
        filter.text = text
        filter.deleted = deleted
        let list = try await context.withService { try await $0.call(\.records.list, filter) }
        try context.output.result(list.records) {
            RecordTable.rendered($0, of: list.collection, width: context.output.width)
        }
    }
}

struct RecordDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .recordDelete)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    func run(in context: CommandContext) async throws {
        try await context.ask(
            Sentence.Record.askDelete, of: \.records.show, id: record, target.scope,
            then: \.records.delete, as: Sentence.Record.deleted)
    }
}

struct RecordRestore: PeersyncCommand {
    static let configuration = CommandConfiguration("restore", .recordRestore)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.records.restore, id: record, target.scope, as: Sentence.Record.restored)
    }
}

struct RecordStatusCommand: PeersyncCommand {
    static let configuration = CommandConfiguration("status", .recordStatus)

    @Argument(
        help: ArgumentHelp(OptionHelp.recordSpace, valueName: "space"),
        completion: .names(of: .space)) var space: String

    @Argument(help: ArgumentHelp(OptionHelp.anyCollection, valueName: "collection"))
    var collection: String?

    @Argument(help: ArgumentHelp(OptionHelp.anyRecord, valueName: "record")) var record: String?

    func run(in context: CommandContext) async throws {
        let scope = StandingScope(collection: collection, record: record)
        try await context.show(\.spaces.standing, id: space, scope) {
            StandingText.rendered($0, width: context.output.width)
        }
    }
}
