internal import LocalAPI

/// What happened, a line for each change.
enum ChangeTable {
    /// `ofOne`: of one trip or space, whose name then need not stand in every line.
    static func rendered(_ log: ChangeLog, ofOne: Bool, width: Int?) -> String {
        var columns: [Table.Column] = [.text("")]
        if !ofOne { columns.append(.text("", shrinksTo: 12)) }
        var table = Table(columns + [.text("", shrinksTo: 40)])
        for entry in log.entries {
            let place = ofOne ? [] : [entry.space?.name ?? Sentence.Status.yours]
            table.add([Formatting.time(entry.written)] + place + [Sentence.Changes.line(entry)])
        }
        return table.rendered(width: width, headings: false)
    }
}
