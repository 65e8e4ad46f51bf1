extension Sentence {
    /// The words of `conflicts`.
    package enum Conflicts {
        package static var deleted: String { tr("deleted") }
        package static var restored: String { tr("not deleted") }
        package static var changedParts: String { tr("changed something that belongs to it") }
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
