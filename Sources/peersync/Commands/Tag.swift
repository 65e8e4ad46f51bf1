internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about tags.
struct Tag: ParsableCommand {
    static let configuration = CommandConfiguration(
        "tag", "Manage tags.", examples: [tr("peersync tag add food")],
        subcommands: [
            TagAdd.command, TagList.command, TagEdit.command, TagMerge.command, TagDelete.command,
        ])
}

struct TagAdd: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "add", "Add a tag, for yourself or for a trip.",
        examples: [
            tr("peersync tag add food"), tr("peersync tag add pasta --category food --trip Arezzo"),
        ])

    @Argument(help: .tr("Name of the tag.", valueName: "name"))
    var name: String

    @Option(help: .tr("Category of the tag; created if it is new.", valueName: "name"))
    var category: String?

    @OptionGroup var scope: TripScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.tags.add, TagDraft(name: name, category: category, trip: scope.trip)
        ) { tr("Added the tag \(Sentence.name($0.name))\(ListText.scope($0.trip)).") }
    }
}

struct TagList: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "list", "List your tags, or those of a trip.",
        examples: ["peersync tag list", "peersync tag list --trip Arezzo"])

    @OptionGroup var scope: TripScope

    @OptionGroup var retired: RetiredOption

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.tags.list, ListFilter(trip: scope.trip, retired: retired.retired)
        ) {
            rendered($0, width: context.output.width)
        }
    }

    private func rendered(_ tags: [TagView], width: Int?) -> String {
        guard !tags.isEmpty else {
            return scope.trip == nil
                ? tr(
                    """
                    No tag of your own yet. Add one: peersync tag add food
                    Those of a trip: peersync tag list --trip TRIP
                    """)
                : tr("No tag yet. Add one: peersync tag add food")
        }
        var table = Table(
            retired.column + [
                .text(tr("tag"), shrinksTo: 12), .text(tr("category"), shrinksTo: 8),
                .number(tr("memories")), .text(tr("id")),
            ])
        for tag in tags {
            table.add(
                retired.mark(tag.retired)
                    + [tag.name, tag.category ?? "", String(tag.memoryCount), tag.shortID])
        }
        return table.rendered(width: width)
    }
}

struct TagEdit: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "edit", "Give a tag another name or category.",
        examples: [
            tr("peersync tag edit food --name meals"),
            tr("peersync tag edit food --category Leisure"),
        ], remarks: "A tag of your own changes in all trips where you used it and may write.")

    @OptionGroup var tag: TagArgument

    @Option(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String?

    @Option(help: .tr("Its category, created if it is new; \"\" for none.", valueName: "name"))
    var category: String?

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        let changes = TagChanges(name: name, category: category, trip: scope.trip)
        try await context.show(
            \.tags.edit, id: tag.name, changes, as: changed)
    }

    private func changed(_ tag: TagView) -> String {
        let category = tag.category.map { tr(", category \(Sentence.name($0))") } ?? ""
        return tr(
            "The tag is \(Sentence.name(tag.name))\(ListText.scope(tag.trip))\(category) now.")
    }
}

struct TagMerge: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "merge", "Replace a tag by another one on all memories.",
        examples: [tr("peersync tag merge foood food")])

    @OptionGroup var tag: TagArgument

    @Argument(
        help: .tr("The tag that memories get in its place.", valueName: "other"),
        completion: .names(of: .tag))
    var other: String

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.tags.merge, id: tag.name, MergeDraft(into: other, trip: scope.trip)
        ) { ListText.merged(tag.name, into: $0.name) }
    }
}

struct TagDelete: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "delete", "Delete a tag, and take it off all memories.",
        examples: [tr("peersync tag delete food")], remarks: "Taken back with: peersync bin restore"
    )

    @OptionGroup var tag: TagArgument

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.ask(
            question, of: \.tags.show, id: tag.name, scope.filter,
            then: \.tags.delete, as: { ListText.deleted($0.name) })
    }

    private func question(_ tag: TagView) -> String {
        let from =
            tag.memoryCount == 0
            ? "" : tr(", and takes it off \(Sentence.count(tag.memoryCount, "memory", "memories"))")
        return
            tr(
                "This deletes the tag \(Sentence.name(tag.name))\(ListText.scope(tag.trip)) for everybody\(from). "
            )
            + tr("Delete it?")
    }
}

/// The tag that a command works on.
struct TagArgument: ParsableArguments {
    @Argument(
        help: .tr("Name of a tag, or the first letters of its id.", valueName: "tag"),
        completion: .names(of: .tag))
    var name: String
}

/// A trip; by default the person's own list.
struct TripScope: ParsableArguments {
    @Option(
        help: .tr("A trip; by default your own list.", valueName: "trip"),
        completion: .names(of: .trip))
    var trip: String?
}

/// Also rows of a data set that it has no more.
struct RetiredOption: ParsableArguments {
    @Flag(help: .tr("List also rows that left their data set, but are still needed."))
    var retired = false

    /// The column of the marks.
    var column: [Table.Column] { retired ? [.text("")] : [] }

    /// The mark of an entry, if there is a column for it.
    func mark(_ isRetired: Bool?) -> [String] {
        retired ? [isRetired == true ? Style.yellow("!") : ""] : []
    }
}

/// Only in this trip; by default in every trip.
struct PlaceScope: ParsableArguments {
    @Option(
        help: .tr("Only in this trip; by default wherever it is.", valueName: "trip"),
        completion: .names(of: .trip))
    var trip: String?

    var filter: ScopeFilter { ScopeFilter(trip: trip) }
}
