internal import ArgumentParser
internal import LocalAPI

/// Adds a record.
struct RecordAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .recordAdd)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.assignments, valueName: "field=value"))
    var assignments: [String] = []

    @OptionGroup var place: PlaceOptions

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let typed = try assignments.map { try Assignment($0) }
        let added = try await context.withService { service in
            let schema = try await service.schema(ofSpace: target.space)
            let input = try AssignmentInput(typed, schema.collection(target.collection))
            return try await service.addRecord(
                RecordDraft(
                    space: target.space, collection: target.collection,
                    fields: input.fields.merging(input.add.mapValues { .set($0) }) { $1 },
                    place: place.place))
        }
        try context.output.result(added, describe: Sentence.Record.added)
    }
}
