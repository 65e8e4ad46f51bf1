internal import ArgumentParser
internal import LocalAPI

/// Lists records that match.
struct RecordList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .recordList)

    @OptionGroup var target: CollectionArguments

    @Argument(help: ArgumentHelp(OptionHelp.conditions, valueName: "field=value"))
    var conditions: [String] = []

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.recordText, valueName: "text"))
    var text: String?

    @Flag(help: ArgumentHelp(OptionHelp.deletedRecords)) var deleted = false

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let typed = try conditions.map { try Assignment($0) }
        let (records, collection) = try await context.withService { service in
            let schema = try await service.schema(ofSpace: target.space)
            let collection = schema.collection(target.collection)
            let input = try AssignmentInput(typed, collection, comparesSets: true)
            var filter = RecordFilter(space: target.space, collection: target.collection)
            filter.fields = input.fields
            filter.text = text
            filter.deleted = deleted
            return (try await service.records(filter), collection)
        }
        try context.output.result(records) {
            RecordTable.rendered($0, of: collection, width: context.output.width)
        }
    }
}
