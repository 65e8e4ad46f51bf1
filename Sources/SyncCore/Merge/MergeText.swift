/// The strategy `mergeText`, version 1: all that people wrote at once in different places of a text
/// is in the result; where two changed the same words, the later ones are shown and somebody should
/// decide.
package enum MergeText {
    /// A text that was made of several.
    package struct Result: Hashable, Sendable {
        package let value: Value
        /// Two survivors disagree about the same words.
        package let isOverlapping: Bool

        package init(value: Value, isOverlapping: Bool) {
            (self.value, self.isOverlapping) = (value, isOverlapping)
        }
    }

    /// What is shown for a register whose survivors disagree; nil when they cannot be merged and the
    /// last write is shown.
    ///
    /// A pure function of the set of writes: survivors are folded in the order of their ids, each over
    /// the text that it and those before it started from. `value` gives the value of a write.
    package static func merge(
        _ history: RegisterHistory, value: (WriteID) throws -> Value?
    ) throws -> Result? {
        try withoutActuallyEscaping(value) { value in
            var rounds = MergeRounds(of: history, value: value)
            guard let shown = try rounds.shown(history.all), !shown.isLast else { return nil }
            return Result(value: shown.value, isOverlapping: shown.isOverlapping)
        }
    }

    /// A cleared text is an empty one here; nil for what is no text at all, or a very long one.
    static func text(_ value: Value) -> String? {
        switch value {
        case .text(let text) where text.utf8.count <= Limits.mergedTextBytes: text
        case .null: ""
        default: nil
        }
    }
}

extension Limits {
    /// Texts that are put together for one shown text, on all rounds; with more, the last write is
    /// shown. Some milliseconds each.
    package static let mergeFolds = 64
    /// Writes that are compared with an origin, to see which of its words they put back; the latest.
    package static let mergeLooks = 64
    /// A text that is merged: a book has 1 MiB, a diary's longest day 64 KiB.
    package static let mergedTextBytes = 256 * 1024
}
