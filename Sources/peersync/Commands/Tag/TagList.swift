internal import ArgumentParser
internal import LocalAPI

/// Lists tags.
struct TagList: PeersyncCommand {
    static let configuration = CommandConfiguration("list", .tagList)

    @Option(help: ArgumentHelp(OptionHelp.tripScope, valueName: "trip")) var trip: String?

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let tags = try await context.call(\.tags.list, ScopeFilter(trip: trip))
        try context.output.result(tags) { rendered($0, width: context.output.width) }
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
