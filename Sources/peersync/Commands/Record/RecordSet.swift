internal import ArgumentParser
internal import LocalAPI

/// Changes fields of a record.
struct RecordSet: PeersyncCommand {
    static let configuration = CommandConfiguration("set", .recordSet)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.record, valueName: "record")) var record: String

    @Argument(help: ArgumentHelp(OptionHelp.assignments, valueName: "field=value"))
    var assignments: [String] = []

    @Option(help: ArgumentHelp(OptionHelp.clearField, valueName: "field")) var clear: [String] = []

    @Option(help: ArgumentHelp(OptionHelp.seen, valueName: "token")) var seen: String?

    @OptionGroup var place: PlaceOptions

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let input = try AssignmentInput(assignments)
        var changes = RecordChanges(space: target.space, collection: target.collection)
        changes.fields = input.fields
        for field in clear { changes.fields[field] = .null }
        changes.add = input.add
        changes.remove = input.remove
        changes.place = place.place
        changes.seen = seen
        let changed = try await context.call(\.records.change, id: record, changes)
        try context.output.result(changed) {
            Sentence.Record.changed(
                $0, fields: Set(input.fields.keys).union(clear),
                sets: Set(input.add.keys).union(input.remove.keys))
        }
    }
}
