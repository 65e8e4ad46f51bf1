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
        var filter = RecordFilter(space: target.space, collection: target.collection)
        filter.fields = try AssignmentInput(conditions).fields
        filter.text = text
        filter.deleted = deleted
        let list = try await context.call(\.records.list, filter)
        try context.output.result(list.records) {
            RecordTable.rendered($0, of: list.collection, width: context.output.width)
        }
    }
}
