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
        let typed = try assignments.map { try Assignment($0) }
        let (changed, input) = try await context.withService { service in
            let schema = try await service.schema(ofSpace: target.space)
            let input = try AssignmentInput(typed, schema.collection(target.collection))
            var changes = RecordChanges(space: target.space, collection: target.collection)
            changes.fields = input.fields
            for field in clear { changes.fields[field] = .null }
            changes.add = input.add
            changes.remove = input.remove
            changes.place = place.place
            changes.seen = seen
            return (try await service.changeRecord(record, changes), input)
        }
        try context.output.result(changed) {
            Sentence.Record.changed(
                $0, fields: Set(input.fields.keys).union(clear),
                sets: Set(input.add.keys).union(input.remove.keys))
        }
    }
}
