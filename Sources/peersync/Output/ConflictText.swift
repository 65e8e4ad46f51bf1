package import LocalAPI

/// One conflict with all its values.
package enum ConflictText {
    static func rendered(_ conflict: ConflictView, width: Int?) -> String {
        var table = Table([.number(""), .text("", shrinksTo: 20), .text(""), .text("")])
        for (index, value) in conflict.values.enumerated() {
            table.add([
                String(index + 1), text(of: value),
                marks(of: value),
                "\(value.author.name) (\(value.device.name)), \(Formatting.ago(value.written))",
            ])
        }
        let heading = Printable.line(Self.heading(conflict))
        return "\(Style.bold(heading))  \(conflict.shortID)\n"
            + table.rendered(width: width, indent: 2, headings: false) + "\n  "
            + Printable.paragraph(reason(conflict))
    }

    private static func marks(of value: ConflictView.Value) -> String {
        [
            value.isShown ? tr("shown") : nil,
            value.refused == true ? tr("your role does not permit it") : nil,
        ]
        .compactMap(\.self).joined(separator: ", ")
    }

    /// How this person can decide one of these.
    package static func hint(_ conflicts: [ConflictView]) -> String {
        guard !conflicts.allSatisfy({ $0.values.allSatisfy { $0.refused == true } }) else {
            return tr("Your role does not let you decide: ask an editor or an admin.")
        }
        guard conflicts.allSatisfy({ $0.field == nil }) else {
            return tr("Decide: peersync conflicts resolve ID --take N, or --value TEXT, or --merge")
        }
        return conflicts.allSatisfy { $0.values.first?.refused != true }
            ? tr("Decide: peersync conflicts resolve ID --take N; 1 keeps it deleted.")
            : tr(
                """
                Decide: peersync conflicts resolve ID --take N, but for values that your role does \
                not permit. 1 keeps it deleted.
                """)
    }

    static func text(of value: ConflictView.Value) -> String {
        let text = value.text.isEmpty ? empty : value.text
        return value.field.map { "\(Sentence.Changes.label($0)): \(text)" } ?? text
    }

    static var empty: String { tr("(empty)") }

    /// `The title of Duomo in Arezzo 2008`.
    package static func heading(_ conflict: ConflictView) -> String {
        let what = conflict.record.name.isEmpty ? conflict.record.shortID : conflict.record.name
        if conflict.rule == .spaceDeletion {
            let noun = conflict.collection == "trip" ? tr("trip") : tr("space")
            return "\(Sentence.name(what)) (\(noun))"
        }
        let place = conflict.trip.map { tr(" in \(Sentence.name($0.name))") } ?? ""
        let field = conflict.field.map { tr("\(Sentence.Changes.field($0)) of ") } ?? ""
        let noun = Sentence.Changes.noun(conflict.collection)
        return "\(field)\(Sentence.name(what)) (\(noun))\(place)"
    }

    private static func reason(_ conflict: ConflictView) -> String {
        switch conflict.rule {
        case .lastWrite: tr("The last one is shown.")
        case .longest: tr("The longest one is shown.")
        case .mostAccurate: tr("The most accurate one is shown.")
        case .mergeText:
            tr(
                """
                All are put together; where they change the same words, the last ones stand: \
                \(Sentence.name(conflict.shown))
                """)
        case .unmerged: tr("They differ too much to be put together; the last one is shown.")
        case .userChoice: tr("The last one is shown until somebody decides.")
        case .deletion where conflict.shown == Sentence.Conflicts.deleted:
            tr(
                "It was deleted while somebody else changed it; it stays hidden until somebody decides."
            )
        case .deletion: tr("It was deleted and brought back at once; it is shown.")
        case .spaceDeletion:
            tr(
                """
                It was deleted for everybody, and who deleted it had not seen all of this. It stays \
                deleted until somebody decides: 1 leaves it deleted, any other number brings it \
                back whole.
                """)
        }
    }

    static func resolved(_ result: ResolvedConflict) -> String {
        let shown = result.shown.isEmpty ? empty : result.shown
        return tr(
            "Decided, for everybody: \(heading(result.conflict)) is now \(Sentence.name(shown))."
        )
    }
}
