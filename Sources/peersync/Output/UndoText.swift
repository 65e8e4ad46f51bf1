package import LocalAPI

/// What `undo` and `redo` change, ask and did.
package enum UndoText {
    private static let linesAtMost = 20

    static func question(_ view: UndoView) -> String {
        lines(view).joined(separator: "\n") + "\n"
            + (view.redo ? tr("Redo this?") : tr("Undo this?"))
    }

    package static func done(_ view: UndoView) -> String {
        let what = redated(view) ?? Sentence.count(view.recordCount, "record", "records")
        let verb = view.redo ? tr("Redone") : tr("Undone")
        return (["\(verb): \(what)."] + recordLines(view)).joined(separator: "\n")
    }

    package static func preview(_ view: UndoView) -> String {
        let all = lines(view)
        return all.isEmpty ? tr("Nothing would change.") : all.joined(separator: "\n")
    }

    static func over(_ view: UndoView) -> String {
        guard let change = view.change, !view.redo else {
            return tr(
                "To change also what somebody changed since: undo the undo, and add --over.")
        }
        return tr("To change also what somebody changed since: peersync undo \(change) --over")
    }

    private static func lines(_ view: UndoView) -> [String] {
        (redated(view).map { ["  \($0)"] } ?? []) + recordLines(view)
    }

    /// The changes that get other dates; nil for none.
    private static func redated(_ view: UndoView) -> String? {
        guard let redated = view.redated else { return nil }
        let what = Sentence.count(redated.changes, "change", "changes")
        let device = Sentence.name(redated.device.name)
        return view.redo
            ? tr("the dates of the redating again for \(what) of \(device)")
            : tr("the dates from before the redating for \(what) of \(device)")
    }

    private static func recordLines(_ view: UndoView) -> [String] {
        let records = view.records.map { record in
            "  \(named(record.record))\(place(record.space)): \(words(record, view.done))"
        }
        let kept = view.kept.map { kept in
            let record = "\(named(kept.record))\(place(kept.space))"
            return view.done
                ? tr("  \(record) stayed: \(why(kept))") : tr("  \(record) stays: \(why(kept))")
        }
        return shortened(records, of: view.recordCount)
            + shortened(kept, of: view.keptCount)
    }

    private static func shortened(_ lines: [String], of count: Int) -> [String] {
        let shown = lines.prefix(linesAtMost)
        return Array(shown)
            + (count > shown.count ? [tr("  … and \(count - shown.count) more")] : [])
    }

    private static func named(_ record: Reference) -> String {
        record.name.isEmpty ? record.shortID : Sentence.name(record.name)
    }

    private static func place(_ space: Reference?) -> String {
        space.map { tr(" in \(Sentence.name($0.name))") } ?? ""
    }

    private static func words(_ record: UndoView.Undone, _ isDone: Bool) -> String {
        switch record.kind {
        case .removed: return isDone ? tr("was deleted") : tr("is deleted")
        case .restored where record.fields.isEmpty:
            return isDone ? tr("came back") : tr("comes back")
        case .changed where record.fields.isEmpty:
            return isDone ? tr("its version changed too") : tr("its version changes too")
        case .restored, .changed:
            let fields = record.fields.map { field in
                "\(Sentence.Changes.label(field.name)) \(value(field.from)) → \(value(field.to))"
            }
            return fields.joined(separator: ", ")
        }
    }

    private static func value(_ text: String) -> String {
        if text.isEmpty { return tr("nothing") }
        if [tr("yes"), tr("no")].contains(text) { return text }
        let line = Sentence.plain(text)
        return Sentence.name(line.count > 40 ? line.prefix(40) + "…" : line)
    }

    private static func why(_ kept: UndoView.Kept) -> String {
        let field = kept.field.map { Sentence.Changes.label($0) }
        switch kept.reason {
        case .changedSince:
            let who = kept.by.map { Sentence.plain($0.name) } ?? tr("somebody")
            return [field, tr("\(who) changed it since")].compactMap(\.self).joined(
                separator: ", ")
        case .changedToo:
            let who = kept.by.map { Sentence.plain($0.name) } ?? tr("somebody")
            return [field, tr("\(who) changed it too")].compactMap(\.self).joined(separator: ", ")
        case .inUse: return tr("others need it")
        case .outranked:
            return [field, tr("an authority decided it")].compactMap(\.self)
                .joined(separator: ", ")
        case .inClear: return tr("the file is from before the encryption: add it again")
        case .noRight: return tr("your role does not permit it")
        }
    }
}
