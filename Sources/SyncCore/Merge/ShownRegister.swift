/// What a register shows, and whether somebody should decide.
package struct ShownRegister: Hashable, Sendable {
    package let value: Value
    /// Survivors disagree, and the strategy could not keep all that they say.
    package let isConflicted: Bool

    package init(value: Value, isConflicted: Bool) {
        (self.value, self.isConflicted) = (value, isConflicted)
    }
}

extension MergeStrategy {
    /// What is shown of a register; nil when nothing was written to it. `merged` is what
    /// ``MergeText`` made of its history, for a field of that strategy whose survivors disagree.
    package func shown(_ register: Register, merged: MergeText.Result? = nil) -> ShownRegister? {
        let writes = Authority.outranking(register.writes)
        guard let latest = LastWrite.choice(of: writes) else { return nil }
        guard writes.contains(where: { $0.value != latest.value }) else {
            return ShownRegister(value: latest.value, isConflicted: false)
        }
        if self == .mergeText, let merged {
            return ShownRegister(value: merged.value, isConflicted: merged.isOverlapping)
        }
        let value =
            switch self {
            case .lastWrite, .union, .userChoice, .mergeText: latest.value
            case .longest: (Longest.choice(of: writes) ?? latest).value
            case .mostAccurate: (MostAccurate.choice(of: writes) ?? latest).value
            }
        Invariants.check(
            writes.contains { $0.value == value }, "a value is shown that nobody wrote")
        return ShownRegister(value: value, isConflicted: true)
    }
}
