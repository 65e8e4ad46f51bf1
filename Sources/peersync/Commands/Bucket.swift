internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about the bucket list.
struct Bucket: ParsableCommand {
    static let configuration = CommandConfiguration(
        "bucket", .bucket,
        subcommands: [BucketAdd.command, BucketList.command, BucketDone.command])
}

struct BucketAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .bucketAdd)

    @Argument(help: ArgumentHelp(OptionHelp.bucketTitle, valueName: "title")) var title: String

    @Option(
        help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.bucket.add, BucketItemDraft(title: title, trip: trip), as: Sentence.Lists.bucketAdded)
    }
}

struct BucketList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .bucketList)

    @Option(
        help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    func run(in context: CommandContext) async throws {
        try await context.show(\.bucket.list, ScopeFilter(trip: trip)) {
            rendered($0, width: context.output.width)
        }
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

struct BucketDone: PeersyncCommand {
    static let configuration = CommandConfiguration("done", .bucketDone)

    @Argument(
        help: ArgumentHelp(OptionHelp.bucketItem, valueName: "item"),
        completion: .names(of: .bucketItem)) var item: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.bucket.finish, id: item, as: Sentence.Lists.bucketDone)
    }
}
