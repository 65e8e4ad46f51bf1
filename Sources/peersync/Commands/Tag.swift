internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about tags.
struct Tag: ParsableCommand {
    static let configuration = CommandConfiguration(
        "tag", .tag,
        subcommands: [TagAdd.command, TagList.command])
}

struct TagAdd: PeersyncCommand {
    static let configuration = CommandConfiguration("add", .tagAdd)

    @Argument(help: ArgumentHelp(OptionHelp.tagName, valueName: "name")) var name: String

    @Option(help: ArgumentHelp(OptionHelp.category, valueName: "name")) var category: String?

    @Option(
        help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    func run(in context: CommandContext) async throws {
        try await context.show(
            \.tags.add, TagDraft(name: name, category: category, trip: trip),
            as: Sentence.Lists.tagAdded)
    }
}

struct TagList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .tagList)

    @Option(
        help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip"), completion: .names(of: .trip))
    var trip: String?

    func run(in context: CommandContext) async throws {
        try await context.show(\.tags.list, ScopeFilter(trip: trip)) {
            rendered($0, width: context.output.width)
        }
    }

    private func rendered(_ tags: [TagView], width: Int?) -> String {
        guard !tags.isEmpty else { return Sentence.Lists.noTags }
        var table = Table([
            .text("tag", shrinksTo: 12), .text("category", shrinksTo: 8), .number("memories"),
            .text("id"),
        ])
        for tag in tags {
            table.add([tag.name, tag.category ?? "", String(tag.memoryCount), tag.shortID])
        }
        return table.rendered(width: width)
    }
}
