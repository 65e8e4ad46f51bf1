internal import LocalAPI

/// Memories as rows.
enum MemoryTable {
    static func rendered(_ memories: [MemorySummary], width: Int?) -> String {
        guard !memories.isEmpty else { return tr("No memory found.") }
        let severalTrips = Set(memories.map(\.trip.id)).count > 1
        var table = Table([
            .text(""), .text(tr("time")), .text(tr("title"), shrinksTo: 12),
            .text(severalTrips ? tr("trip") : "", shrinksTo: 8), .text(tr("tags"), shrinksTo: 6),
            .number(tr("files")), .text(tr("id")),
        ])
        for memory in memories {
            let files = memory.mediaCount + (memory.hasTrack ? 1 : 0)
            table.add([
                Symbols.of(memory.status), memory.at.map { Formatting.time($0) } ?? "",
                memory.title.isEmpty ? Sentence.Memory.untitled : memory.title,
                severalTrips ? memory.trip.name : "", memory.tags.joined(separator: ", "),
                files == 0 ? "" : String(files), memory.shortID,
            ])
        }
        return table.rendered(width: width)
    }
}
