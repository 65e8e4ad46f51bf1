import LocalAPI

/// Why nothing can be undone.
enum UndoErrors {
    static let nothingToUndo = APIError(
        code: .conflict, sentence: "There is nothing to undo.",
        hint: "What was written to a record, and when: peersync history RECORD")

    /// Nothing is left to undo of the last deed. `next`: the id of the deed before it.
    static func spent(next: String?) -> APIError {
        let before = next.map { "." + tr(" What you did before that: peersync undo \($0)") } ?? ""
        return APIError(
            code: .conflict, sentence: "Nothing is left to undo of the last thing you did.",
            hint: "What became of it: peersync history RECORD\(before)")
    }

    /// `next`: the id of the deed before it.
    static func allKept(_ plans: [UndoPlan], next: String?) -> APIError {
        let before = next.map { tr(" What you did before that: peersync undo \($0)") } ?? ""
        let reasons = Set(plans.flatMap(\.kept).map(\.reason))
        if reasons == [.inClear], let space = plans.first(where: { !$0.kept.isEmpty })?.space {
            return staysEncrypted(space, before: before)
        }
        guard reasons.isSubset(of: [.changedSince, .changedToo]) else {
            return APIError(
                code: .conflict, sentence: "Nothing of it can be undone.",
                hint: "See why with --preview.\(before)")
        }
        if reasons.contains(.changedToo) {
            return APIError(
                code: .conflict,
                sentence: "Somebody else changed all of this too, and so it stays.",
                hint: "See it with --preview; to undo both, add --over.\(before)")
        }
        return APIError(
            code: .conflict, sentence: "All that this is about was changed since, and stays.",
            hint: "See it with --preview; to undo it all the same, add --over.\(before)")
    }

    /// Only files from before the encryption would come back. `before` is the end of the hint.
    private static func staysEncrypted(_ space: ReadableSpace, before: String) -> APIError {
        let (name, typed) = (Sentence.name(space.name), space.reference.shortID)
        let hint: Message =
            space.isTrip
            ? tr(
                """
                To go on in a trip that is not encrypted: peersync trip archive \(typed) --to \
                FOLDER, then peersync trip import --again with the folder that this makes.\(before)
                """)
            : tr(
                """
                To go on in a space that is not encrypted: peersync space archive \(typed) --to \
                FOLDER, then peersync space import --again with the folder that this makes.\(before)
                """)
        return APIError(
            code: .conflict,
            sentence: "The files of \(name) stay encrypted: encrypting cannot be undone.",
            hint: hint)
    }

    /// The last deed created a space. `next`: the id of the deed before it.
    static func created(_ space: String, isTrip: Bool, next: String?) -> APIError {
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

    /// The last deed did this to a space.
    static func last(_ change: SpaceChange, of space: ReadableSpace) -> APIError {
        let (name, id) = (Sentence.name(space.name), space.reference.shortID)
        return switch change {
        case .copied:
            APIError(
                code: .conflict,
                sentence: "The last thing you did was to make \(name) (\(id)).",
                hint: "To take it back: peersync \(space.noun) delete \(id)")
        case .restored:
            APIError(
                code: .conflict, sentence: "The last thing you did was to bring back \(name).",
                hint: """
                    To delete it again: peersync \(space.noun) delete \(id). What you did before \
                    that: peersync log
                    """)
        case .deleted:
            APIError(
                code: .conflict, sentence: "The last thing you did was to delete \(name).",
                hint:
                    "It comes back by: peersync \(space.noun) restore \(Sentence.quoted(space.name))"
            )
        }
    }

    /// A change that was named by its id created a space.
    static func namedCreation(of space: Reference, isTrip: Bool) -> APIError {
        let name = Sentence.name(space.name)
        return isTrip
            ? APIError(
                code: .conflict, sentence: "That change created the trip \(name).",
                hint: "To take it back: peersync trip delete \(Sentence.quoted(space.name))")
            : APIError(
                code: .conflict, sentence: "That change created the space \(name).",
                hint: "To take it back: peersync space delete \(space.shortID)")
    }

    /// A change that was named by its id did this to a space.
    static func named(_ change: SpaceChange, of space: ReadableSpace) -> APIError {
        let (name, id) = (Sentence.name(space.name), space.reference.shortID)
        return switch change {
        case .copied: namedCreation(of: space.reference, isTrip: false)
        case .restored:
            APIError(
                code: .conflict, sentence: "That change brought back \(name).",
                hint: "To delete it again: peersync \(space.noun) delete \(id)")
        case .deleted:
            APIError(
                code: .conflict, sentence: "That change deleted \(name).",
                hint:
                    "It comes back by: peersync \(space.noun) restore \(Sentence.quoted(space.name))"
            )
        }
    }
}
