internal import ArgumentParser
internal import LocalAPI

/// Shows the bucket list.
struct BucketList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .bucketList)

    @Option(help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip")) var trip: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let items = try await context.call(\.bucket.list, ScopeFilter(trip: trip))
        try context.output.result(items) { rendered($0, width: context.output.width) }
    }

    private func rendered(_ items: [BucketItemView], width: Int?) -> String {
        guard !items.isEmpty else { return Sentence.Lists.emptyBucket }
        var table = Table([.text(""), .text("", shrinksTo: 20), .text("")])
        for item in items {
            table.add([item.done ? "[x]" : "[ ]", item.title, item.shortID])
        }
        return table.rendered(width: width)
    }
}
