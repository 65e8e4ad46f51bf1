internal import Store
internal import SyncCore

/// The writes that bring a record up to date with its row.
struct RowUpdate {
    private(set) var writes: [Write] = []
    /// Fields that keep a person's value.
    private(set) var kept: [String] = []
    /// Fields that keep a person's value, although the set has a new one.
    private(set) var conflicting: [String] = []
    /// Fields that follow the set, because the person's value is that of a skipped version.
    private(set) var takenOver: [String] = []

    /// Of fields that keep a person's value, the values of the set; none of sets of values.
    private(set) var ofSet: [String: Value] = [:]

    private let entry: ShownEntry
    private let precedence: UInt32
    private let takesSet: Bool
    /// Whether elements that people added to sets go.
    private let clears: Bool

    init(_ entry: ShownEntry, precedence: UInt32, takesSet: Bool, clears: Bool) {
        (self.entry, self.precedence, self.takesSet) = (entry, precedence, takesSet)
        self.clears = clears
    }

    /// Restores a deleted record; false if the deletion has more authority.
    mutating func restore() -> Bool {
        let register = entry.state.fields[Write.existence] ?? Register()
        guard register.isWithin(precedence) else { return false }
        var write = Write.ofSet(deleted: false)
        if !register.isOfSet { write.raise(to: precedence, replacing: register) }
        writes.append(write)
        return true
    }

    /// `skipped` tells whether a value belongs to a version between the applied one and this one.
    mutating func apply(
        _ new: DataSetCell, over old: DataSetCell?, _ field: FieldSchema,
        skipped: (Value) -> Bool
    ) {
        switch (new, old) {
        case (.one(let value), .one(let former)):
            apply(value, over: former, field, skipped: skipped)
        case (.one(let value), _): apply(value, over: nil, field, skipped: skipped)
        case (.set(let elements), _): apply(elements, field)
        }
    }

    private mutating func apply(
        _ new: Value, over old: Value?, _ field: FieldSchema, skipped: (Value) -> Bool
    ) {
        let register = entry.state.fields[field.name] ?? Register()
        guard !register.isOfSet else {
            // When two versions meet, both values are here.
            let differs =
                register.writes.isEmpty
                ? new != .null : register.writes.contains { $0.value != new }
            if differs { writes.append(.ofSet(field, new)) }
            return
        }
        let shown = entry.record.value(field.name) ?? .null
        // When two versions meet, the value of the other one may stand beside the person's.
        let isStale = register.writes.contains {
            $0.isOfSet && $0.value != new
        }
        if old == new, isStale, !takesSet { writes.append(.ofSet(field, new)) }
        guard shown != new else { return }
        let isSkipped =
            shown != old && skipped(shown)
            && register.writes.allSatisfy {
                $0.isOfSet || $0.value == old || skipped($0.value)
            }
        // A value that the set gave before, or in a skipped version, follows the set.
        if register.isWithin(precedence), takesSet || shown == old || isSkipped {
            if !takesSet, isSkipped { takenOver.append(field.name) }
            var write = Write.ofSet(field, new)
            write.raise(to: precedence, replacing: register)
            writes.append(write)
            return
        }
        ofSet[field.name] = new
        guard old != new else {
            kept.append(field.name)
            return
        }
        conflicting.append(field.name)
        let stands = register.writes.contains {
            $0.isOfSet && $0.value == new
        }
        if !stands { writes.append(.ofSet(field, new)) }
    }

    private mutating func apply(_ new: [Value], _ field: FieldSchema) {
        let registers = entry.state.sets[field.name] ?? [:]
        var isKept = false
        for element in new where registers[element]?.latest?.value != .boolean(true) {
            let register = registers[element] ?? Register()
            guard register.isOfSet || takesSet && register.isWithin(precedence) else {
                isKept = true
                continue
            }
            var write = Write.ofSet(field, element, isIn: true)
            if !register.isOfSet { write.raise(to: precedence, replacing: register) }
            writes.append(write)
        }
        // Otherwise elements that people added stay.
        let gone = registers.filter { element, register in
            !new.contains(element) && (register.isOfSet || clears && register.isWithin(precedence))
                && register.latest?.value == .boolean(true)
        }.keys.sorted { one, other in
            one.canonicalBytes.lexicographicallyPrecedes(other.canonicalBytes)
        }
        for element in gone {
            var write = Write.ofSet(field, element, isIn: false)
            if let register = registers[element], !register.isOfSet {
                write.raise(to: precedence, replacing: register)
            }
            writes.append(write)
        }
        if isKept { kept.append(field.name) }
    }
}

extension Register {
    /// Whether a write with this precedence may replace all of it.
    func isWithin(_ precedence: UInt32) -> Bool {
        writes.allSatisfy { $0.precedence <= precedence }
    }

    /// Whether only data sets wrote it.
    var isOfSet: Bool { writes.allSatisfy(\.isOfSet) }
}

extension SurvivingWrite {
    var isOfSet: Bool { precedence < Precedence.user.rawValue }
}

extension Write {
    /// Writes it with a person's precedence, replacing exactly the current values.
    mutating func raise(to precedence: UInt32, replacing register: Register) {
        self.precedence = precedence
        replaces = register.writes.map(\.id)
    }

    static func ofSet(_ field: FieldSchema, _ value: Value) -> Write {
        Write(field: field.name, value: value, precedence: Precedence.dataSet.rawValue)
    }

    static func ofSet(_ field: FieldSchema, _ element: Value, isIn: Bool) -> Write {
        Write(
            field: field.name, element: element, value: .boolean(isIn),
            precedence: Precedence.dataSet.rawValue)
    }

    static func ofSet(deleted: Bool) -> Write {
        Write(
            field: Write.existence, value: .boolean(deleted),
            precedence: Precedence.dataSet.rawValue)
    }
}
