internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about the bucket list.
struct Bucket: ParsableCommand {
    static let configuration = CommandConfiguration(
        "bucket", .bucket,
        subcommands: [
            BucketAdd.command, BucketList.command, BucketDone.command, BucketEdit.command,
            BucketMerge.command, BucketDelete.command,
        ])
}

struct BucketAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .bucketAdd)

    @Argument(help: ArgumentHelp(OptionHelp.bucketTitle, valueName: "title")) var title: String

    @OptionGroup var scope: TripScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.bucket.add, BucketItemDraft(title: title, trip: scope.trip),
            as: Sentence.Lists.bucketAdded)
    }
}

struct BucketList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .bucketList)

    @OptionGroup var scope: TripScope

    func run(in context: CommandContext) async throws {
        try await context.show(\.bucket.list, scope.filter) {
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

    @OptionGroup var item: BucketArgument

    func run(in context: CommandContext) async throws {
        try await context.show(\.bucket.finish, id: item.title, as: Sentence.Lists.bucketDone)
    }
}

struct BucketEdit: PeersyncCommand {
    static let configuration = CommandConfiguration("edit", .bucketEdit)

    @OptionGroup var item: BucketArgument

    @Option(help: ArgumentHelp(OptionHelp.bucketTitle, valueName: "title")) var title: String?

    @Flag(help: ArgumentHelp(OptionHelp.notDone)) var open = false

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        let changes = BucketItemChanges(
            title: title, done: open ? false : nil, trip: scope.trip)
        try await context.show(
            \.bucket.edit, id: item.title, changes, as: Sentence.Lists.bucketChanged)
    }
}

struct BucketMerge: PeersyncCommand {
    static let configuration = CommandConfiguration("merge", .bucketMerge)

    @OptionGroup var item: BucketArgument

    @Argument(
        help: ArgumentHelp(OptionHelp.mergeBucket, valueName: "other"),
        completion: .names(of: .bucketItem)) var other: String

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.bucket.merge, id: item.title, MergeDraft(into: other, trip: scope.trip)
        ) { Sentence.Lists.merged(item.title, into: $0.title) }
    }
}

struct BucketDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .bucketDelete)

    @OptionGroup var item: BucketArgument

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.ask(
            Sentence.Lists.askDeleteItem, of: \.bucket.show, id: item.title, scope.filter,
            then: \.bucket.delete, as: { Sentence.Lists.deleted($0.title) })
    }
}

/// Which item.
struct BucketArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.bucketItem, valueName: "item"),
        completion: .names(of: .bucketItem)) var title: String
}
