internal import LocalAPI
internal import SyncCore

/// Converts a value to another type without loss.
struct ValueConversion {
    private static var wholeTime: Regex<Substring> {
        /\s*[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})? ?(?:Z|[+-][0-9]{2}:[0-9]{2})\s*/
    }

    private let type: FieldType

    init(to type: FieldType) { self.type = type }

    /// The value of a field, or the elements of a set, as those of another type, in their order; nil unless each has
    /// an equivalent.
    static func all(_ values: [Value], to type: FieldType) -> [Value]? {
        let element = if case .set(let element) = type { element } else { type }
        guard type.isSet || values.count == 1 else { return nil }
        let conversion = ValueConversion(to: element)
        let converted = values.compactMap { conversion.value($0) }
        return converted.count == values.count ? converted : nil
    }

    func value(_ value: Value) -> Value? {
        if type.admits(value) { return value }
        switch (type, value) {
        case (.text, _): return text(value).map { .text($0) }
        case (.decimal, .integer(let number)): return .decimal(String(number))
        case (.integer, .decimal(let digits)): return whole(digits).map { .integer($0) }
        case (_, .text(let text)): return read(text)
        default: return nil
        }
    }

    /// As a person would type it.
    private func text(_ value: Value) -> String? {
        switch value {
        case .text(let text), .json(let text): text
        case .decimal(let digits): digits
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? "yes" : "no"
        case .time(let time): Moment(time)?.text
        case .position(let position):
            // A radius or an altitude would be lost.
            Position(position).flatMap {
                $0.radius == nil && $0.altitude == nil ? "\($0.latitude),\($0.longitude)" : nil
            }
        case .null, .unknown, .reference, .blob: nil
        }
    }

    private func whole(_ digits: String) -> Int64? {
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2,
            parts.dropFirst().allSatisfy({ $0.allSatisfy { $0 == "0" } })
        else { return nil }
        return Int64(whole)
    }

    private func read(_ text: String) -> Value? {
        switch type {
        case .integer, .decimal, .boolean, .time, .position, .json: break
        default: return nil
        }
        // A text is a time only if it has both day and zone.
        if case .time = type, text.wholeMatch(of: Self.wholeTime) == nil { return nil }
        do {
            let value = try TypedText(text.trimmedLine, folder: "/", zone: "UTC")
                .value(as: type.word, of: "").checked(as: type, of: "")
            return value == .null ? nil : value
        } catch {
            return nil
        }
    }
}

extension FieldType {
    var isSet: Bool { if case .set = self { true } else { false } }
}

extension RecordState {
    /// The same with the values of a record that is in no log yet converted to the types of its fields; a value without an
    /// equivalent stays.
    func converted(to collection: CollectionSchema) -> RecordState {
        var state = self
        for field in collection.fields where !field.isLocal && !field.type.isBlob {
            let elements = self.elements(of: field.name)
            let value = fields[field.name]?.latest
            let isSet = field.type.isSet
            let isOfNewKind = isSet ? !elements.isEmpty : value != nil
            let values = isSet == isOfNewKind ? elements : [value?.value].compactMap(\.self)
            guard let new = ValueConversion.all(values, to: field.type), !new.isEmpty,
                !isOfNewKind || new != values,
                let source = value ?? sets[field.name]?[values[0]]?.latest
            else { continue }
            state.sets[field.name] = nil
            state.fields[field.name] = nil
            if isSet {
                state.sets[field.name] = Dictionary(
                    new.map { ($0, Register([source.with(.boolean(true))])) }
                ) { first, _ in first }
            } else {
                state.fields[field.name] = Register([source.with(new[0])])
            }
        }
        return state
    }

    /// What somebody wrote to a field as it was before a migration, without having seen that one: a set that is one value
    /// now, or the other way round. Empty if it is what the field shows.
    func leftBehind(in field: FieldSchema) -> [Value] {
        guard field.type.isSet else {
            let left = elements(of: field.name)
            guard !left.isEmpty else { return [] }
            let shown = shown(field.name, by: field.strategy)?.value
            return left.filter { (ValueConversion(to: field.type).value($0) ?? $0) != shown }
        }
        guard
            let value = fields[field.name]?.writes.filter({ $0.value != .null })
                .max(by: SurvivingWrite.isOlder)?.value
        else { return [] }
        let new = ValueConversion.all([value], to: field.type)?.first ?? value
        return elements(of: field.name).contains(new) ? [] : [value]
    }
}

extension SurvivingWrite {
    fileprivate func with(_ value: Value) -> SurvivingWrite {
        SurvivingWrite(
            id: id, log: log, sequence: sequence, clock: clock, precedence: precedence,
            value: value)
    }
}
