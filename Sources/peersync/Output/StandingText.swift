internal import LocalAPI

/// The sync status of a record in one line, or the number of records in each status.
enum StandingText {
    static func rendered(_ standing: StandingView, width: Int?) -> String {
        if let record = standing.record {
            let name = record.name.isEmpty ? record.shortID : record.name
            return "\(Symbols.of(record.status)) \(Style.bold(Printable.line(name)))  "
                + Sentence.Memory.status(record.status)
        }
        var table = Table([
            .text(tr("collection")), .number(tr("records")), .text("", shrinksTo: 20),
        ])
        for collection in standing.collections where !collection.statuses.isEmpty {
            let states = RecordStatus.allCases.compactMap { status -> String? in
                guard let count = collection.statuses[status.rawValue] else { return nil }
                return "\(Symbols.of(status)) \(count) \(Sentence.Memory.status(status))"
            }
            table.add([
                collection.name, String(collection.statuses.values.reduce(0, +)),
                states.joined(separator: ", "),
            ])
        }
        guard standing.collections.contains(where: { !$0.statuses.isEmpty }) else {
            return Sentence.Record.none
        }
        return table.rendered(width: width)
    }
}
