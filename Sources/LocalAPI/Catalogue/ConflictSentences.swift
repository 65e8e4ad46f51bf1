extension Sentence {
    /// The words of `conflicts`.
    package enum Conflicts {
        package static var empty: String { tr("(empty)") }
        package static var deleted: String { tr("deleted") }
        package static var restored: String { tr("not deleted") }

        /// `The title of Duomo in Arezzo 2008`.
        package static func heading(_ conflict: ConflictView) -> String {
            let what = conflict.record.name.isEmpty ? conflict.record.shortID : conflict.record.name
            if conflict.rule == .spaceDeletion {
                return
                    "\(Sentence.name(what)) (\(conflict.collection == "trip" ? tr("trip") : tr("""
                        space
                        """)))"
            }
            let place = conflict.trip.map { tr(" in \(Sentence.name($0.name))") } ?? ""
            let field = conflict.field.map { tr("\(Changes.field($0)) of ") } ?? ""
            let noun = Changes.noun(conflict.collection)
            return "\(field)\(Sentence.name(what)) (\(noun))\(place)"
        }

        package static func reason(_ conflict: ConflictView) -> String {
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
            case .deletion where conflict.shown == deleted:
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

        package static func resolved(_ result: ResolvedConflict) -> String {
            let shown = result.shown.isEmpty ? empty : result.shown
            return tr(
                "Decided, for everybody: \(heading(result.conflict)) is now \(Sentence.name(shown))."
            )
        }
    }
}

/// Errors about conflicts.
extension APIError {
    package static let oneDecision = APIError(
        code: .badInput, sentence: "A decision is one of --take, --value and --merge.",
        hint: "For example: peersync conflicts resolve ID --take 1")

    package static let outranked = APIError(
        code: .notAllowed,
        sentence: "These values were written with an authority that you do not have here.",
        hint: "Only who may write with it can decide.")
}
