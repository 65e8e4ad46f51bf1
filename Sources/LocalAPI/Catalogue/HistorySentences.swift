extension Sentence {
    /// What `history`, `undo` and `redo` say.
    package enum History {
        /// `replaced by Ben, 5 minutes ago`; empty for what is shown.
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

        package static var added: String { tr("added") }
        package static var removed: String { tr("removed") }

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
                    "\(plain(field.name)) \(value(field.from)) → \(value(field.to))"
                }
                return fields.joined(separator: ", ")
            }
        }

        private static func value(_ text: String) -> String {
            if text.isEmpty { return tr("nothing") }
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

extension CommandHelp {
    package static let history = CommandHelp(
        "Show everything that was ever written to a memory or record, or happened to a trip.",
        examples: [
            "peersync history \"Piazza Grande\"", "peersync history b706a975",
            "peersync history --trip Arezzo --person Ben",
        ],
        remarks: """
            Every value, who wrote it, when, on which device and in which change, and what became of it: a value \
            that was replaced is still there. It finds deleted ones too. The id of a change is what 'peersync \
            undo' takes. Without a record it shows all that happened, the latest last.
            """)
    package static let historyShow = CommandHelp(
        "Show what was written to a record, or all that happened.",
        examples: ["peersync history show \"Piazza Grande\""])
    package static let historyMark = CommandHelp(
        "Give this moment a name.",
        examples: ["peersync history mark \"before the big tidying\""],
        remarks:
            "'log', 'history' and 'undo' take the name for a time: --since \"before the big tidying\"."
    )
    package static let historyMarks = CommandHelp(
        "List moments that have a name.", examples: ["peersync history marks"])
    package static let historyUnmark = CommandHelp(
        "Take the name of a moment away.", examples: ["peersync history unmark tidying"])
    package static let undo = CommandHelp(
        "Undo the last thing you did, or something you name.",
        examples: [
            "peersync undo", "peersync undo a1b2c3d4",
            "peersync undo --device phone --since \"yesterday 18:00\"",
            "peersync undo --deletions --since today",
        ],
        remarks: """
            It shows what would change and asks first. Without anything it undoes the last change that was written on \
            this device; typed again, the one before. What somebody changed since stays, unless you say --over. An \
            undo is a change like others: everybody gets it, 'peersync history' shows it, and 'peersync redo' \
            takes it back. With --since, what counts is when something came to this device.
            """)
    package static let redo = CommandHelp(
        "Take the last undo back.",
        examples: ["peersync redo"],
        remarks: "Only while nothing else was changed on this device since.")
}

/// Why nothing is undone.
extension Sentence.History {
    package static let nothingToUndo = APIError(
        code: .conflict, sentence: "There is nothing to undo.",
        hint: "What was written to a record, and when: peersync history RECORD")

    /// Of what was done in several trips.
    package static let halfUndone = APIError(
        code: .conflict,
        sentence: "It was done in several trips, and in one of them you may not take it back now.",
        hint: "Each part on its own: peersync memory delete, peersync bin restore")

    /// `next`: the id of what was done before that.
    package static func allKept(next: String?) -> APIError {
        let before = next.map { tr(" What you did before that: peersync undo \($0)") } ?? ""
        return APIError(
            code: .conflict, sentence: "All that this is about was changed since, and stays.",
            hint: "See it with --preview; to undo it all the same, add --over.\(before)")
    }

    package static func spaceDeleted(_ name: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: "The last thing you did was to delete \(Sentence.name(name)).",
            hint: "It comes back by: peersync space restore \(Sentence.quoted(name))")
    }

    package static func spaceMade(_ space: Reference) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "The last thing you did was to make \(Sentence.name(space.name)) (\(space.shortID)).",
            hint: "To take it back: peersync space delete \(space.shortID)")
    }

    package static let nothingToRedo = APIError(
        code: .conflict, sentence: "There is no undo that could be taken back.",
        hint: "Once something else was changed on this device, an undo stays.")

    package static let undoOneOrSince = APIError(
        code: .badInput, sentence: "Name either one change, or a device or deletions and a time.",
        hint: "For example: peersync undo --device phone --since yesterday")

    package static func earlier(shown: Int) -> String {
        tr("Earlier ones are not shown: add --limit \(shown * 10)")
    }

    package static var noMarks: String { tr("No moment has a name.") }

    package static func marked(_ mark: MarkView) -> String {
        tr("This moment is called \(Sentence.name(mark.name)).")
    }

    package static func markNext(_ mark: MarkView) -> String {
        tr("What happened since then: peersync log --since \(Sentence.quoted(mark.name))")
    }

    package static func unmarked(_ mark: MarkView) -> String {
        tr("No moment is called \(Sentence.name(mark.name)) any more.")
    }

    package static func noMark(_ typed: String) -> APIError {
        APIError(
            code: .notFound, sentence: "There is no time or moment \(Sentence.name(typed)).",
            hint:
                "A time is like 2024-05-11, yesterday or \"today 18:00\"; moments: peersync history marks"
        )
    }

    package static func markExists(_ typed: String) -> APIError {
        APIError(
            code: .conflict, sentence: "A moment is called \(Sentence.name(typed)) already.",
            hint: "Take that name away first: peersync history unmark \(Sentence.quoted(typed))")
    }

    package static func markIsTime(_ typed: String) -> APIError {
        APIError(
            code: .badInput, sentence: "\(Sentence.name(typed)) is a time already.",
            hint: "Choose a name that is no time.")
    }

    package static let tooManyMarks = APIError(
        code: .tooLarge, sentence: "So many moments cannot have a name.",
        hint: "Take one away first: peersync history unmark NAME")

    package static let recordOrFilter = APIError(
        code: .badInput,
        sentence: "A record has its own history: --trip and the others go without one.",
        hint: "In which space it is: --space SPACE")

    package static let undoSinceOfWhom = APIError(
        code: .badInput, sentence: "What is to be undone since then?",
        hint: "Name a device (--device phone), or what was deleted (--deletions).")

    package static let undoSinceWhen = APIError(
        code: .badInput, sentence: "From when on?",
        hint: "For example: --since \"yesterday 18:00\"")

    package static let undoTooMuch = APIError(
        code: .tooLarge, sentence: "That is too much to be undone at once.",
        hint: "Take a later time, or one trip with --space.")

    package static func unknownCommit(_ typed: String) -> APIError {
        APIError(
            code: .notFound, sentence: "No change has the id \(Sentence.name(typed)).",
            hint: "The ids of changes: peersync history RECORD")
    }

    package static func ambiguousCommit(_ typed: String) -> APIError {
        APIError(
            code: .ambiguous,
            sentence: "Several changes have an id that begins with \(Sentence.name(typed)).",
            hint: "Type more of it.")
    }
}
