internal import ArgumentParser
internal import LocalAPI

/// Finds records of every kind by their words.
struct Search: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "search", "Search all trips, spaces and lists for words.",
        examples: [
            "peersync search duomo", "peersync search \"piero della\" --trip Arezzo",
            tr("peersync search rain --kind memory --since 2008-10-01"),
            tr("peersync search bread --near 43.46,11.88,5km --tag food"),
        ],
        remarks: """
            Case and accents do not matter, and each word may be the beginning of a longer one. \
            Best matches come first. Encrypted trips are searched where you can read them.
            """)

    @Argument(help: .tr("Beginnings of words; all of them must be there.", valueName: "words"))
    var words: [String]

    @Option(
        name: [.customLong("trip"), .customLong("space")],
        help: .tr("Only in this trip or space; `home` for your own lists.", valueName: "trip"),
        completion: .names(of: .space))
    var space: String?

    @Option(
        help: .tr(
            "Only this kind: memory, media, tag, track, or of your schema.", valueName: "kind"))
    var kind: String?

    @Option(
        help: .tr("Only what has this tag.", valueName: "tag"), completion: .names(of: .tag))
    var tag: String?

    @Option(
        help: .tr("Only what is dated, or was changed, from this time on.", valueName: "time"),
        transform: { typed in try TypedInput.argument { try TimeInput().start(typed) } })
    var since: Moment?

    @Option(
        parsing: .unconditional, help: ArgumentHelp(OptionHelp.near, valueName: "lat,lon,distance"),
        transform: { typed in try TypedInput.argument { try NearInput(typed) } })
    var near: NearInput?

    @Option(
        parsing: .unconditional, help: .tr("How many to show (20 by default).", valueName: "number")
    )
    var limit: Int?

    func run(in context: CommandContext) async throws {
        var query = SearchQuery(words: words.joined(separator: " "))
        (query.space, query.kind, query.tag) = (space, kind, tag)
        (query.since, query.near, query.limit) = (since, near?.near, limit)
        let report = try await context.show(\.records.search, query) {
            rendered($0.hits, width: context.output.width)
        }
        if report.more {
            context.output.remark(
                tr("There are more: add a word, or use --limit \(5 * report.hits.count)."))
        }
    }

    private func rendered(_ hits: [SearchHit], width: Int?) -> String {
        guard !hits.isEmpty else {
            return tr("Nothing found. Only the beginnings of words are compared.")
        }
        let severalSpaces = Set(hits.map(\.space.id)).count > 1
        var table = Table([
            .text(tr("kind")), .text(tr("name"), shrinksTo: 12), .text(tr("text"), shrinksTo: 20),
            .text(severalSpaces ? tr("trip") : "", shrinksTo: 8), .text(tr("time")),
            .text(tr("id")),
        ])
        for hit in hits {
            table.add([
                Sentence.Changes.noun(hit.collection.replacing("_", with: " ")), hit.name,
                hit.context,
                severalSpaces ? Self.place(of: hit) : "", hit.at.map { Formatting.time($0) } ?? "",
                hit.shortID,
            ])
        }
        return table.rendered(width: width)
    }

    private static func place(of hit: SearchHit) -> String {
        hit.own == true ? tr("own lists") : hit.space.name
    }
}
