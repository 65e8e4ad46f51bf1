extension DerivedField {
    /// The value over the referring records, whose order does not matter; null when none of them has
    /// one. Values that are not of the field's type do not count.
    package func value(over referring: [(id: RecordID, record: ShownRecord)]) -> Value {
        guard rule != .count else { return .integer(Int64(referring.count)) }
        guard let field else { return .null }
        let present = referring.compactMap { entry in
            entry.record.value(field).map { (id: entry.id, record: entry.record, value: $0) }
        }
        switch rule {
        case .count: return .null
        case .sum: return DerivedField.sum(present.map(\.value))
        case .minimum:
            return present.map(\.value).filter(\.hasMagnitude)
                .min { DerivedField.precedes($0, $1) } ?? .null
        case .maximum:
            return present.map(\.value).filter(\.hasMagnitude)
                .max { DerivedField.precedes($0, $1) } ?? .null
        case .first, .last:
            guard let by else { return .null }
            let ordered = present.filter { $0.record.value(by)?.hasMagnitude ?? false }
            let isBefore: (Int, Int) -> Bool = { one, other in
                let left = ordered[one].record.value(by) ?? .null
                let right = ordered[other].record.value(by) ?? .null
                if DerivedField.precedes(left, right) { return true }
                if DerivedField.precedes(right, left) { return false }
                return ordered[one].id < ordered[other].id
            }
            let index =
                rule == .first
                ? ordered.indices.min(by: isBefore) : ordered.indices.max(by: isBefore)
            return index.map { ordered[$0].value } ?? .null
        }
    }

    /// Exact; an integer that no longer fits is a decimal.
    private static func sum(_ values: [Value]) -> Value {
        var total = ExactDecimal.zero
        var isWhole = true
        var isEmpty = true
        for value in values {
            switch value {
            case .integer(let number): total = total + (ExactDecimal(String(number)) ?? .zero)
            case .decimal(let digits):
                guard let number = ExactDecimal(digits) else { continue }
                total = total + number
                isWhole = false
            default: continue
            }
            isEmpty = false
        }
        guard !isEmpty else { return .null }
        if isWhole, let whole = Int64(total.text) { return .integer(whole) }
        return .decimal(total.text)
    }

    /// By magnitude; of equal ones, by bytes, so that 3.9 and 3.90 show alike everywhere.
    private static func precedes(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.integer(let one), .integer(let other)) where one != other: return one < other
        case (.time(let one), .time(let other)) where one.milliseconds != other.milliseconds:
            return one.milliseconds < other.milliseconds
        case (.decimal(let one), .decimal(let other)):
            if let one = ExactDecimal(one), let other = ExactDecimal(other), one != other {
                return one < other
            }
        case (.time(let one), .time(let other)) where one == other: return false
        default: break
        }
        return left.canonicalBytes.lexicographicallyPrecedes(right.canonicalBytes)
    }
}

extension Value {
    /// Whether it can be the least or the greatest: a number, a time or a position key.
    fileprivate var hasMagnitude: Bool {
        switch self {
        case .integer, .time, .text: true
        case .decimal(let digits): ExactDecimal(digits) != nil
        default: false
        }
    }
}
