internal import LocalAPI

/// What happened, a line for each change; for those that say the same one after the other, one line
/// with the time of the last.
enum ChangeTable {
    /// `ofOne`: of one trip or space, whose name then need not stand in every line.
    static func rendered(_ log: ChangeLog, ofOne: Bool, width: Int?) -> String {
        var columns: [Table.Column] = [.text("")]
        if !ofOne { columns.append(.text("", shrinksTo: 12)) }
        var table = Table(columns + [.text("", shrinksTo: 40)])
        var rows: [(time: String, place: [String], line: String, times: Int)] = []
        for entry in log.entries {
            let place = ofOne ? [] : [entry.space?.name ?? Sentence.Status.yours]
            let (time, line) = (Formatting.time(entry.written), Sentence.Changes.line(entry))
            if let last = rows.last, last.place == place, last.line == line {
                rows[rows.count - 1] = (time, place, line, last.times + 1)
            } else {
                rows.append((time, place, line, 1))
            }
        }
        for row in rows {
            let line = row.times == 1 ? row.line : Sentence.Changes.repeated(row.line, row.times)
            table.add([row.time] + row.place + [line])
        }
        return table.rendered(width: width, headings: false)
    }
}
