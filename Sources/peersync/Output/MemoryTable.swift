internal import LocalAPI

/// Memories as rows.
enum MemoryTable {
    static func rendered(_ memories: [MemorySummary], width: Int?) -> String {
        guard !memories.isEmpty else { return tr("No memory found.") }
        let severalTrips = Set(memories.map(\.trip.id)).count > 1
        var table = table(severalTrips: severalTrips)
        add(memories, to: &table, severalTrips: severalTrips)
        return table.rendered(width: width)
    }

    /// Without rows.
    static func table(severalTrips: Bool) -> Table {
        Table([
            .text(""), .text(tr("time")), .text(tr("title"), shrinksTo: 12),
            .text(severalTrips ? tr("trip") : "", shrinksTo: 8), .text(tr("tags"), shrinksTo: 6),
            .number(tr("files")), .text(tr("id")),
        ])
    }

    static func add(_ memories: [MemorySummary], to table: inout Table, severalTrips: Bool) {
        for memory in memories {
            let files = memory.mediaCount + (memory.hasTrack ? 1 : 0)
            table.add([
                Symbols.of(memory.status), memory.at.map { Formatting.time($0) } ?? "",
                memory.title.isEmpty ? untitled : memory.title,
                severalTrips ? memory.trip.name : "", memory.tags.joined(separator: ", "),
                files == 0 ? "" : String(files), memory.shortID,
            ])
        }
    }

    static var untitled: String { tr("(no title)") }
}
