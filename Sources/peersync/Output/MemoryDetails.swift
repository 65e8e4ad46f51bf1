internal import LocalAPI

/// All fields of one memory.
enum MemoryDetails {
    static func rendered(_ memory: MemoryView, width: Int?) -> String {
        let title = memory.title.isEmpty ? MemoryTable.untitled : memory.title
        var parts = [
            "\(Style.bold(Printable.line(title)))  \(Symbols.of(memory.status)) "
                + StandingText.of(memory.status),
            facts(memory).rendered(width: width, indent: 2),
        ]
        if !memory.text.isEmpty { parts += ["", Printable.paragraph(memory.text)] }
        if !memory.media.isEmpty {
            parts += ["", MediaTable.rendered(memory.media, width: width, showsMemory: false)]
        }
        for conflict in memory.conflicts { parts += ["", rendered(conflict)] }
        if !memory.notices.isEmpty {
            parts += [""] + memory.notices.map { "\(Style.yellow("!")) \($0)" }
        }
        return parts.joined(separator: "\n")
    }

    private static func facts(_ memory: MemoryView) -> Table {
        var table = Table([.text(""), .wrapping("", shrinksTo: 20)])
        table.add([tr("trip"), memory.trip.name])
        if let at = memory.at { table.add([tr("time"), Formatting.timeWithZone(at)]) }
        if !memory.locationName.isEmpty { table.add([tr("place"), memory.locationName]) }
        if let position = memory.position {
            table.add([tr("position"), Formatting.position(position)])
        }
        if !memory.weather.isEmpty { table.add([tr("weather"), memory.weather]) }
        if !memory.tags.isEmpty {
            table.add([tr("tags"), memory.tags.map(\.name).joined(separator: ", ")])
        }
        if let item = memory.bucketItem { table.add([tr("bucket list"), item.name]) }
        if let track = memory.track {
            let length = Sentence.distance(track.length)
            table.add([tr("track"), "\(track.fileName), \(length), \(Sentence.size(track.bytes))"])
        }
        let changed = tr("\(Formatting.ago(memory.changed)) by \(memory.author.name)")
        table.add([tr("changed"), changed])
        if let origin = memory.origin { table.add([tr("before"), OriginText.of(origin)]) }
        table.add([tr("id"), memory.id])
        return table
    }

    private static func rendered(_ conflict: FieldConflict) -> String {
        var table = Table([.text(""), .text("", shrinksTo: 20), .text("")])
        for value in conflict.values {
            table.add([
                value.isShown ? tr("shown") : "", ConflictText.text(of: value),
                "\(value.author.name), \(Formatting.ago(value.written))",
            ])
        }
        return RecordDetails.conflicts([conflict.field]) + "\n"
            + table.rendered(width: nil, indent: 2)
    }
}
