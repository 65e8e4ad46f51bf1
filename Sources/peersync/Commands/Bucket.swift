internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about the bucket list.
struct Bucket: ParsableCommand {
    static let configuration = CommandConfiguration(
        "bucket", "Manage a list of things you want to do some day.",
        examples: [tr("peersync bucket add \"See the northern lights\"")],
        subcommands: [
            BucketAdd.command, BucketList.command, BucketDone.command, BucketEdit.command,
            BucketMerge.command, BucketDelete.command,
        ])
}

struct BucketAdd: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "add", "Add an item to your bucket list or that of a trip.",
        examples: [tr("peersync bucket add \"See the northern lights\"")])

    @Argument(help: ArgumentHelp(OptionHelp.bucketTitle, valueName: "title")) var title: String

    @OptionGroup var scope: TripScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.bucket.add, BucketItemDraft(title: title, trip: scope.trip)
        ) {
            tr("Added \(Sentence.name($0.title)) to the bucket list\(ListText.scope($0.trip)).")
        }
    }
}

struct BucketList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "Show your bucket list or that of a trip.",
        examples: ["peersync bucket list", "peersync bucket list --trip Arezzo"])

    @OptionGroup var scope: TripScope

    @OptionGroup var retired: RetiredOption

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.bucket.list, ListFilter(trip: scope.trip, retired: retired.retired)
        ) {
            rendered($0, width: context.output.width)
        }
    }

    private func rendered(_ items: [BucketItemView], width: Int?) -> String {
        guard !items.isEmpty else { return ListText.emptyBucket(of: scope.trip) }
        var table = Table(
            retired.column + [.text(""), .text("", shrinksTo: 20), .text("")])
        for item in items {
            table.add(
                retired.mark(item.retired)
                    + [item.done ? "[x]" : "[ ]", item.title, item.shortID])
        }
        return table.rendered(width: width)
    }
}

struct BucketDone: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "done", "Mark an item of the bucket list as done.",
        examples: [tr("peersync bucket done northern")])

    @OptionGroup var item: BucketArgument

    func run(in context: CommandContext) async throws {
        try await context.show(\.bucket.finish, id: item.title) {
            tr("Done: \(Sentence.name($0.title)).")
        }
    }
}

struct BucketEdit: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "edit", "Change an item of the bucket list.",
        examples: [
            tr("peersync bucket edit northern --title \"See the northern lights in Norway\""),
            tr("peersync bucket edit northern --open"),
        ])

    @OptionGroup var item: BucketArgument

    @Option(help: ArgumentHelp(OptionHelp.bucketTitle, valueName: "title")) var title: String?

    @Flag(help: .tr("It is not done after all."))
    var open = false

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        let changes = BucketItemChanges(
            title: title, done: open ? false : nil, trip: scope.trip)
        try await context.show(
            \.bucket.edit, id: item.title, changes, as: changed)
    }

    private func changed(_ item: BucketItemView) -> String {
        let state = item.done ? tr("done") : tr("open")
        return tr("\(Sentence.name(item.title))\(ListText.scope(item.trip)) is \(state).")
    }
}

struct BucketMerge: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "merge", "Replace an item of the bucket list by another one in all memories.",
        examples: [tr("peersync bucket merge aurora northern")])

    @OptionGroup var item: BucketArgument

    @Argument(
        help: .tr("The item that memories get in its place.", valueName: "other"),
        completion: .names(of: .bucketItem))
    var other: String

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.bucket.merge, id: item.title, MergeDraft(into: other, trip: scope.trip)
        ) { ListText.merged(item.title, into: $0.title) }
    }
}

struct BucketDelete: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "delete", "Delete an item of the bucket list.",
        examples: [tr("peersync bucket delete northern")],
        remarks: "Taken back with: peersync bin restore")

    @OptionGroup var item: BucketArgument

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.ask(
            {
                tr(
                    "This deletes \(Sentence.name($0.title))\(ListText.scope($0.trip)) for everybody. Delete it?"
                )
            }, of: \.bucket.show, id: item.title, scope.filter,
            then: \.bucket.delete, as: { ListText.deleted($0.title) })
    }
}

/// The item that a command works on.
struct BucketArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.bucketItem, valueName: "item"),
        completion: .names(of: .bucketItem)) var title: String
}
