extension Sentence {
    /// The words of `history`, `undo` and `redo`.
    package enum History {
        /// `replaced by Ben, 5 minutes ago`; empty for the shown value.
        package static func standing(_ write: RecordHistoryView.Write, ago: String?) -> String {
            switch write.standing {
            case .shown: tr("shown")
            case .merged: tr("merged with others")
            case .replaced:
                [tr("replaced by \(plain(write.by?.name ?? ""))"), ago].compactMap(\.self)
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

        package static func question(_ view: UndoView) -> String {
            lines(view).joined(separator: "\n") + "\n"
                + (view.redo ? tr("Redo this?") : tr("Undo this?"))
        }

        package static func done(_ view: UndoView) -> String {
            let what = Sentence.count(view.recordCount, "record", "records")
            let verb = view.redo ? tr("Redone") : tr("Undone")
            return (["\(verb): \(what)."] + lines(view)).joined(separator: "\n")
        }

        package static func preview(_ view: UndoView) -> String {
            let all = lines(view)
            return all.isEmpty ? tr("Nothing would change.") : all.joined(separator: "\n")
        }

        private static func lines(_ view: UndoView) -> [String] {
            let records = view.records.map { record in
                "  \(named(record.record))\(place(record.space)): \(words(record))"
            }
            let kept = view.kept.map {
                tr("  \(named($0.record))\(place($0.space)) stays: \(why($0))")
            }
            return shortened(records, of: view.recordCount)
                + shortened(kept, of: view.keptCount)
        }

        private static func shortened(_ lines: [String], of count: Int) -> [String] {
            let shown = lines.prefix(Limit.lines)
            return Array(shown)
                + (count > shown.count ? [tr("  … and \(count - shown.count) more")] : [])
        }

        private enum Limit {
            static let lines = 20
        }

        private static func named(_ record: Reference) -> String {
            record.name.isEmpty ? record.shortID : Sentence.name(record.name)
        }

        private static func place(_ space: Reference?) -> String {
            space.map { tr(" in \(Sentence.name($0.name))") } ?? ""
        }

        private static func words(_ record: UndoView.Undone) -> String {
            switch record.kind {
            case .removed: return tr("is deleted")
            case .restored where record.fields.isEmpty: return tr("comes back")
            case .changed where record.fields.isEmpty: return tr("its version changes too")
            case .restored, .changed:
                let fields = record.fields.map { field in
                    "\(label(field.name)) \(value(field.from)) → \(value(field.to))"
                }
                return fields.joined(separator: ", ")
            }
        }

        private static func label(_ field: String) -> String {
            field == "active"
                ? tr("active", context: "field, with its values") : Changes.field(field)
        }

        private static func value(_ text: String) -> String {
            if text.isEmpty { return tr("nothing") }
            if [Sentence.Record.yes, Sentence.Record.no].contains(text) { return text }
            let line = plain(text)
            return Sentence.name(line.count > 40 ? line.prefix(40) + "…" : line)
        }

        private static func why(_ kept: UndoView.Kept) -> String {
            let field = kept.field.map { plain($0) }
            switch kept.reason {
            case .changedSince:
                let who = kept.by.map { plain($0.name) } ?? tr("somebody")
                return [field, tr("\(who) changed it since")].compactMap(\.self).joined(
                    separator: ", ")
            case .inUse: return tr("others need it")
            case .outranked:
                return [field, tr("an authority decided it")].compactMap(\.self)
                    .joined(separator: ", ")
            case .inClear: return tr("the file is from before the encryption: add it again")
            case .noRight: return tr("your role does not permit it")
            }
        }

        package static func over(_ view: UndoView) -> String {
            guard let change = view.change, !view.redo else {
                return tr(
                    "To change also what somebody changed since: undo the undo, and add --over.")
            }
            return tr("To change also what somebody changed since: peersync undo \(change) --over")
        }
    }
}

/// Why nothing can be undone.
extension Sentence.History {
    package static let nothingToUndo = APIError(
        code: .conflict, sentence: "There is nothing to undo.",
        hint: "What was written to a record, and when: peersync history RECORD")

    /// `next`: the id of the deed before it.
    package static func allKept(next: String?) -> APIError {
        let before = next.map { tr(" What you did before that: peersync undo \($0)") } ?? ""
        return APIError(
            code: .conflict, sentence: "All that this is about was changed since, and stays.",
            hint: "See it with --preview; to undo it all the same, add --over.\(before)")
    }

    /// The last deed created a space. `next`: the id of the deed before it.
    package static func created(_ space: String, isTrip: Bool, next: String?) -> APIError {
        let before = next.map { "." + tr(" What you did before that: peersync undo \($0)") } ?? ""
        let place = Sentence.quoted(space)
        return isTrip
            ? APIError(
                code: .conflict,
                sentence: "The last thing you did was to create the trip \(Sentence.name(space)).",
                hint: "To take it back: peersync trip delete \(place)\(before)")
            : APIError(
                code: .conflict,
                sentence: "The last thing you did was to create the space \(Sentence.name(space)).",
                hint: "To take it back: peersync space delete \(place)\(before)")
    }

    /// What a change did to its whole space.
    package enum SpaceChange: Sendable {
        case created, copied, restored, deleted
    }

    /// The last deed did this to a space.
    package static func last(_ change: SpaceChange, of space: Reference) -> APIError {
        let name = Sentence.name(space.name)
        return switch change {
        case .created: created(space.name, isTrip: false, next: nil)
        case .copied:
            APIError(
                code: .conflict,
                sentence: "The last thing you did was to make \(name) (\(space.shortID)).",
                hint: "To take it back: peersync space delete \(space.shortID)")
        case .restored:
            APIError(
                code: .conflict, sentence: "The last thing you did was to bring back \(name).",
                hint: """
                    To delete it again: peersync space delete \(space.shortID). What you did before \
                    that: peersync log
                    """)
        case .deleted:
            APIError(
                code: .conflict, sentence: "The last thing you did was to delete \(name).",
                hint: "It comes back by: peersync space restore \(Sentence.quoted(space.name))")
        }
    }

    /// A change that was named by its id did this to a space.
    package static func named(
        _ change: SpaceChange, of space: Reference, isTrip: Bool
    ) -> APIError {
        let (name, place) = (Sentence.name(space.name), Sentence.quoted(space.name))
        return switch change {
        case .created where isTrip:
            APIError(
                code: .conflict, sentence: "That change created the trip \(name).",
                hint: "To take it back: peersync trip delete \(place)")
        case .created, .copied:
            APIError(
                code: .conflict, sentence: "That change created the space \(name).",
                hint: "To take it back: peersync space delete \(space.shortID)")
        case .restored:
            APIError(
                code: .conflict, sentence: "That change brought back \(name).",
                hint: "To delete it again: peersync space delete \(space.shortID)")
        case .deleted:
            APIError(
                code: .conflict, sentence: "That change deleted \(name).",
                hint: "It comes back by: peersync space restore \(place)")
        }
    }

    package static func noMark(_ typed: String) -> APIError {
        APIError(
            code: .notFound, sentence: "There is no time or moment \(Sentence.name(typed)).",
            hint:
                "A time is like 2024-05-11, yesterday or \"today 18:00\"; moments: peersync history marks"
        )
    }
}
