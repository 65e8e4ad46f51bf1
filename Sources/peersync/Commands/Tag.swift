internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about tags.
struct Tag: ParsableCommand {
    static let configuration = CommandConfiguration(
        "tag", .tag,
        subcommands: [
            TagAdd.command, TagList.command, TagEdit.command, TagMerge.command, TagDelete.command,
        ])
}

struct TagAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .tagAdd)

    @Argument(help: ArgumentHelp(OptionHelp.tagName, valueName: "name")) var name: String

    @Option(help: ArgumentHelp(OptionHelp.category, valueName: "name")) var category: String?

    @OptionGroup var scope: TripScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.tags.add, TagDraft(name: name, category: category, trip: scope.trip),
            as: Sentence.Lists.tagAdded)
    }
}

struct TagList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .tagList)

    @OptionGroup var scope: TripScope

    func run(in context: CommandContext) async throws {
        try await context.show(\.tags.list, scope.filter) {
            rendered($0, width: context.output.width)
        }
    }

    private func rendered(_ tags: [TagView], width: Int?) -> String {
        guard !tags.isEmpty else { return Sentence.Lists.noTags }
        var table = Table([
            .text(tr("tag"), shrinksTo: 12), .text(tr("category"), shrinksTo: 8),
            .number(tr("memories")),
            .text(tr("id")),
        ])
        for tag in tags {
            table.add([tag.name, tag.category ?? "", String(tag.memoryCount), tag.shortID])
        }
        return table.rendered(width: width)
    }
}

struct TagEdit: PeersyncCommand {
    static let configuration = CommandConfiguration("edit", .tagEdit)

    @OptionGroup var tag: TagArgument

    @Option(help: ArgumentHelp(OptionHelp.newName, valueName: "name")) var name: String?

    @Option(help: ArgumentHelp(OptionHelp.newCategory, valueName: "name")) var category: String?

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        let changes = TagChanges(name: name, category: category, trip: scope.trip)
        try await context.show(
            \.tags.edit, id: tag.name, changes, as: Sentence.Lists.tagChanged)
    }
}

struct TagMerge: PeersyncCommand {
    static let configuration = CommandConfiguration("merge", .tagMerge)

    @OptionGroup var tag: TagArgument

    @Argument(
        help: ArgumentHelp(OptionHelp.mergeTag, valueName: "other"), completion: .names(of: .tag))
    var other: String

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.tags.merge, id: tag.name, MergeDraft(into: other, trip: scope.trip)
        ) { Sentence.Lists.merged(tag.name, into: $0.name) }
    }
}

struct TagDelete: PeersyncCommand {
    static let configuration = CommandConfiguration("delete", .tagDelete)

    @OptionGroup var tag: TagArgument

    @OptionGroup var scope: PlaceScope

    func run(in context: CommandContext) async throws {
        try await context.ask(
            Sentence.Lists.askDeleteTag, of: \.tags.show, id: tag.name, scope.filter,
            then: \.tags.delete, as: { Sentence.Lists.deleted($0.name) })
    }
}

/// Which tag.
struct TagArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(OptionHelp.tag, valueName: "tag"), completion: .names(of: .tag))
    var name: String
}

/// A trip, or else the person's own list.
struct TripScope: ParsableArguments {
    @Option(
        help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    var filter: ScopeFilter { ScopeFilter(trip: trip) }
}

/// A trip, or else wherever the thing is.
struct PlaceScope: ParsableArguments {
    @Option(
        help: ArgumentHelp(OptionHelp.placeScope, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    var filter: ScopeFilter { ScopeFilter(trip: trip) }
}
