/// The state of a record that is in no log yet: of each field the one value that its device has.
extension RecordState {
    /// Takes in what this device writes. `mark` stands for the writes as a commit's id would, so that
    /// a view can say which of them it shows.
    package mutating func keep(
        _ writes: [Write], by author: LogID, at clock: HybridTime, as mark: CommitID
    ) {
        for (index, write) in writes.enumerated() {
            let kept = SurvivingWrite(
                id: WriteID(commit: mark, index: UInt32(truncatingIfNeeded: index)), log: author,
                sequence: 0, clock: clock, precedence: write.precedence, value: write.value)
            if let element = write.element {
                let isIn = write.value == .boolean(true)
                sets[write.field, default: [:]][element] = isIn ? Register([kept]) : nil
                if sets[write.field]?.isEmpty == true { sets[write.field] = nil }
            } else {
                fields[write.field] = write.value == .null ? nil : Register([kept])
            }
        }
    }

    /// What writes the record into a log as it is, in one operation: at least that it exists.
    package var wholeWrites: [Write] {
        var whole: [Write] = []
        for (field, register) in fields.sorted(by: { RecordState.precedes($0.key, $1.key) }) {
            guard field != Write.existence, let kept = register.latest else { continue }
            whole.append(
                Write(field: field, value: kept.value, replaces: [], precedence: kept.precedence))
        }
        for (field, registers) in sets.sorted(by: { RecordState.precedes($0.key, $1.key) }) {
            whole += elements(of: field).map { element in
                Write(
                    field: field, element: element, value: .boolean(true),
                    precedence: registers[element]?.latest?.precedence
                        ?? Precedence.user.rawValue)
            }
        }
        return whole.isEmpty ? [.deletion(false)] : whole
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
