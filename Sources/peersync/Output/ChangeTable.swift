package import Foundation
package import LocalAPI

/// Changes as lines; several consecutive changes with the same text are one line, with the time of
/// the last.
package enum ChangeTable {
    /// Digits of a change's id to show.
    private static let idDigits = 8

    static var noneThen: String { tr("Nothing happened in that time.") }

    /// Changes that arrived late or delete much, each with the command that undoes them.
    package static func arrivals(_ log: ChangeLog, zone: TimeZone = .current) -> [String] {
        log.arrivals.map { arrival in
            let undo = arrival.undo
            let since = undo.since ?? arrival.received
            let command = undoCommand(
                undo, since: Formatting.typed(since, zone: zone),
                until: undo.until.map { Formatting.typed($0, zone: zone) })
            return "\(Sentence.Arrival.line(arrival))\n  \(command)"
        }
    }

    /// `ofOne`: all changes are of one trip or space, whose name is left out. With ids, each change
    /// has its own line.
    static func rendered(
        _ log: ChangeLog, ofOne: Bool, withIDs: Bool = false, width: Int?
    ) -> String {
        var columns: [Table.Column] = [.text("")]
        if !ofOne { columns.append(.text("", shrinksTo: 12)) }
        columns.append(.wrapping("", shrinksTo: 20))
        if withIDs { columns.append(.text("")) }
        var table = Table(columns)
        guard !withIDs else {
            for entry in log.entries {
                table.add(
                    [Formatting.time(entry.written)] + place(entry, ofOne: ofOne) + [
                        Sentence.Changes.line(entry),
                        String(entry.id.prefix(idDigits)),
                    ])
            }
            return table.rendered(width: width, headings: false)
        }
        var rows: [(time: String, place: [String], line: String, times: Int)] = []
        for entry in log.entries {
            let place = place(entry, ofOne: ofOne)
            let (time, line) = (Formatting.time(entry.written), Sentence.Changes.line(entry))
            if let last = rows.last, last.place == place, last.line == line {
                rows[rows.count - 1] = (time, place, line, last.times + 1)
            } else {
                rows.append((time, place, line, 1))
            }
        }
        for row in rows {
            let line = row.times == 1 ? row.line : tr("\(row.line), \(row.times) times")
            table.add([row.time] + row.place + [line])
        }
        return table.rendered(width: width, headings: false)
    }

    private static func place(_ entry: ChangeEntry, ofOne: Bool) -> [String] {
        ofOne ? [] : [entry.space?.name ?? tr("you")]
    }

    /// The only command; with times as people type them.
    private static func undoCommand(_ draft: UndoDraft, since: String, until: String?) -> String {
        var words = ["peersync undo"]
        if draft.deletions { words.append("--deletions") }
        if let device = draft.device { words.append("--device \(Sentence.quoted(device))") }
        if let space = draft.space { words.append("--space \(Sentence.quoted(space))") }
        words.append("--since \(Sentence.quoted(since))")
        if let until { words.append("--until \(Sentence.quoted(until))") }
        return tr("Undo it: \(words.joined(separator: " "))")
    }
}
