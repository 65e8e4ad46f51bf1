internal import ArgumentParser
internal import LocalAPI

/// Adds a record, or all that a file lists.
struct RecordAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .recordAdd)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.assignments, valueName: "field=value"))
    var assignments: [String] = []

    @Option(help: ArgumentHelp(OptionHelp.recordFile, valueName: "file")) var from: String?

    @OptionGroup var place: PlaceOptions

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

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
        let added = try await context.call(\.records.add, draft)
        try context.output.result(added) { Sentence.Record.added($0) }
    }

    private func add(allOf file: String, in context: CommandContext) async throws {
        let bytes = try await RecordFile.bytes(of: file)
        let report = try await context.withService { service in
            let schema = try await service.call(\.spaces.schema, id: target.space)
            let list = RecordFile(of: schema.collection(target.collection))
            return try await service.call(
                \.records.addBatch,
                RecordBatchDraft(
                    space: target.space, collection: target.collection,
                    records: try list.records(bytes)))
        }
        try context.output.result(report) { Sentence.Record.added($0) }
    }
}
