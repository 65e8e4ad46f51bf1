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
    /// A pure function of the set of writes: survivors are folded in the order of their ids, over
    /// the text that all of them started from. `value` gives the value of a write.
    package static func merge(
        _ history: RegisterHistory, value: (WriteID) throws -> Value?
    ) throws -> Result? {
        var folds = Limits.mergeFolds
        guard
            let shown = try shown(history.all, of: history, depth: 0, folds: &folds, value: value),
            !shown.isLast
        else { return nil }
        return Result(value: shown.value, isOverlapping: shown.isOverlapping)
    }

    private struct Shown {
        let value: Value
        let isOverlapping: Bool
        /// Nothing was merged: it is the last write.
        let isLast: Bool
    }

    /// Nil for a part with no writes, and for one with a write that is not there.
    private static func shown(
        _ part: RegisterHistory.Part, of history: RegisterHistory, depth: Int, folds: inout Int,
        value: (WriteID) throws -> Value?
    ) throws -> Shown? {
        let register = history.register(of: part)
        // What outranks the others is shown alone, as in every strategy.
        let writes = Authority.outranking(register.writes)
        guard let latest = LastWrite.choice(of: writes), let last = try value(latest.id) else {
            return nil
        }
        let unmerged = Shown(value: last, isOverlapping: true, isLast: true)
        guard depth < Limits.mergeDepth, writes.count <= folds else { return unmerged }
        var texts: [(write: SurvivingWrite, text: String)] = []
        for write in writes {
            guard let found = try value(write.id), let text = text(found) else { return unmerged }
            texts.append((write, text))
        }
        guard texts.contains(where: { !$0.text.utf8.elementsEqual(texts[0].text.utf8) }) else {
            return Shown(value: last, isOverlapping: false, isLast: true)
        }
        folds -= writes.count
        let base = try shown(
            history.base(of: writes), of: history, depth: depth + 1, folds: &folds, value: value)
        guard let baseText = text(base?.value ?? .null), let merged = fold(texts, over: baseText)
        else { return unmerged }
        return merged
    }

    private static func fold(
        _ texts: [(write: SurvivingWrite, text: String)], over base: String
    ) -> Shown? {
        guard var greatest = texts.first?.write, var merged = texts.first?.text else { return nil }
        var isOverlapping = false
        for (write, text) in texts.dropFirst() {
            let isLater = SurvivingWrite.isOlder(greatest, write)
            guard
                let next = ThreeWayMerge(
                    base: base, one: merged, other: text, prefersOther: isLater)
            else { return nil }
            merged = next.text
            isOverlapping = isOverlapping || next.isOverlapping
            if isLater { greatest = write }
        }
        return Shown(value: .text(merged), isOverlapping: isOverlapping, isLast: false)
    }

    /// A cleared text is an empty one here; nil for what is no text at all, or a very long one.
    private static func text(_ value: Value) -> String? {
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
    /// Concurrent rounds of edits in which a common origin is looked for.
    package static let mergeDepth = 16
    /// A text that is merged: a book has 1 MiB, a diary's longest day 64 KiB.
    package static let mergedTextBytes = 256 * 1024
}
