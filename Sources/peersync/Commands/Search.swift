internal import ArgumentParser
internal import LocalAPI

/// Finds records of every kind by their words.
struct Search: PeersyncCommand {
    static let configuration = CommandConfiguration("search", .search)

    @Argument(help: ArgumentHelp(OptionHelp.searchWords, valueName: "words"))
    var words: [String]

    @Option(
        name: [.customLong("trip"), .customLong("space")],
        help: ArgumentHelp(OptionHelp.searchSpace, valueName: "trip"),
        completion: .names(of: .space)) var space: String?

    @Option(help: ArgumentHelp(OptionHelp.searchKind, valueName: "kind")) var kind: String?

    @Option(
        help: ArgumentHelp(OptionHelp.searchTag, valueName: "tag"), completion: .names(of: .tag))
    var tag: String?

    @Option(
        help: ArgumentHelp(OptionHelp.searchSince, valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.near, valueName: "lat,lon,distance"),
        transform: { typed in try TypedInput.argument { try NearInput(typed) } })
    var near: NearInput?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.searchLimit, valueName: "number"))
    var limit: Int?

    func run(in context: CommandContext) async throws {
        var query = SearchQuery(words: words.joined(separator: " "))
        (query.space, query.kind, query.tag) = (space, kind, tag)
        (query.since, query.near, query.limit) = (since, near?.near, limit)
        let report = try await context.show(\.records.search, query) {
            rendered($0.hits, width: context.output.width)
        }
        if report.more { context.output.remark(Sentence.Search.more(report.hits.count)) }
    }

    private func rendered(_ hits: [SearchHit], width: Int?) -> String {
        guard !hits.isEmpty else { return Sentence.Search.none }
        let severalSpaces = Set(hits.map(\.space.id)).count > 1
        var table = Table([
            .text(tr("kind")), .text(tr("name"), shrinksTo: 12), .text(tr("text"), shrinksTo: 20),
            .text(severalSpaces ? tr("trip") : "", shrinksTo: 8), .text(tr("time")),
            .text(tr("id")),
        ])
        for hit in hits {
            table.add([
                hit.collection.replacing("_", with: " "), hit.name, hit.context,
                severalSpaces ? hit.space.name : "", hit.at.map { Formatting.time($0) } ?? "",
                hit.shortID,
            ])
        }
        return table.rendered(width: width)
    }
}
