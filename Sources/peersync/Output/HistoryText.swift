internal import LocalAPI

/// All changes of a record.
enum HistoryText {
    static func rendered(_ history: RecordHistoryView, width: Int?) -> String {
        let name =
            history.record.name.isEmpty ? history.record.shortID : history.record.name
        let heading =
            "\(Style.bold(Printable.line(name)))  \(Sentence.Changes.noun(history.collection)), "
            + "\(Printable.line(history.space.name))  \(history.record.shortID)"
        return ([heading] + history.changes.map { change($0, width: width) })
            .joined(separator: "\n\n")
    }

    private static func change(_ change: RecordHistoryView.Change, width: Int?) -> String {
        let who = "\(Printable.line(change.author.name)) (\(Printable.line(change.device.name)))"
        let head = "\(Formatting.time(change.written))  \(who)  \(change.shortID)"
        var table = Table([
            .text("", shrinksTo: 8), .text("", shrinksTo: 20), .text("", shrinksTo: 16),
        ])
        for write in change.writes {
            let text = write.text.isEmpty ? ConflictText.empty : write.text
            let value = write.added.map { $0 ? tr("added \(text)") : tr("removed \(text)") } ?? text
            table.add([
                write.field.map(Sentence.Changes.label) ?? "", value,
                standing(write, ago: write.at.map { Formatting.ago($0) }),
            ])
        }
        return head + "\n" + table.rendered(width: width, indent: 2, headings: false)
    }

    /// `replaced by Ben, 5 minutes ago`; empty for the shown value.
    private static func standing(_ write: RecordHistoryView.Write, ago: String?) -> String {
        switch write.standing {
        case .shown: tr("shown")
        case .merged: tr("merged with others")
        case .replaced:
            [tr("replaced by \(Sentence.plain(write.by?.name ?? ""))"), ago].compactMap(\.self)
                .joined(separator: ", ")
        case .beside: tr("not shown: \(rule(write.rule))")
        case .withoutEffect: tr("does not count")
        }
    }

    private static func rule(_ rule: ConflictView.Rule?) -> String {
        switch rule {
        case .longest: tr("a longer one is")
        case .mostAccurate: tr("a more accurate one is")
        case .userChoice: tr("somebody should decide")
        case .lastWrite, .unmerged, .mergeText, nil: tr("a later one is")
        case .deletion, .spaceDeletion: tr("somebody decided otherwise")
        }
    }
}
