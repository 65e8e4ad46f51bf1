internal import LocalAPI
internal import Store
internal import SyncCore

/// The writes that convert values to the types of another version of a schema. They are made under the old
/// version, so that an interrupted migration can be repeated.
struct SchemaMigrationPlan {
    private(set) var operations: [RecordOperation] = []
    /// By field.
    private(set) var converted: [SchemaMigrationReport.Count] = []
    /// Values that cannot be of the new type.
    private(set) var left: [SchemaMigrationReport.Value] = []

    private let reader: RecordReader

    init(_ comparison: SchemaComparison, _ reader: RecordReader) throws {
        self.reader = reader
        for retyped in comparison.retyped {
            var count = 0
            for entry in try reader.all(in: retyped.collection.name) where !entry.state.isDeleted {
                count += try convert(entry, retyped) ? 1 : 0
            }
            if count > 0 {
                converted.append(.init(place: retyped.place, count: count))
            }
        }
    }

    /// Converts the value of a field; returns whether it did.
    private mutating func convert(
        _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) throws -> Bool {
        let name = field.before.name
        let values =
            field.before.type.isSet
            ? entry.record.elements(name)
            : [entry.record.value(name)].compactMap(\.self).filter { $0 != .null }
        // Another device, or an earlier attempt, converted it already.
        guard !values.isEmpty, !isConverted(values, entry, field) else { return false }
        guard let writes = writes(of: values, entry, field) else {
            for value in values {
                left.append(
                    SchemaMigrationReport.Value(
                        record: Reference(
                            entry.id, name: reader.title(entry.record, in: field.collection.name)),
                        place: field.place, text: try reader.text(of: value)))
            }
            return false
        }
        let key = RecordKey(collection: field.collection.name, record: entry.id)
        operations.append(RecordOperation(key, writes))
        return true
    }

    private func isConverted(
        _ values: [Value], _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) -> Bool {
        switch (field.before.type.isSet, field.after.type.isSet) {
        case (true, false):
            return entry.state.fields[field.before.name]?.latest.map {
                field.after.type.admits($0.value) && $0.value != .null
            } ?? false
        case (false, true): return entry.state.sets[field.before.name]?.isEmpty == false
        default: return values.allSatisfy { field.after.type.admits($0) }
        }
    }

    /// Nil where a value cannot be converted, or somebody must first decide a conflict.
    private func writes(
        of values: [Value], _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) -> [Write]? {
        let name = field.before.name
        let register = entry.state.fields[name] ?? Register()
        guard register.writes.count <= 1,
            register.isWithin(reader.precedence)
        else { return nil }
        if case .set(let type) = field.after.type {
            let elements = values.compactMap { ValueConversion(to: type).value($0) }
            guard elements.count == values.count else { return nil }
            let former = field.before.type.isSet ? values.filter { !elements.contains($0) } : []
            return elements.map { written(name, $0, isIn: true, over: entry) }
                + former.map { written(name, $0, isIn: false, over: entry) }
        }
        guard values.count == 1, let value = values.first,
            let new = ValueConversion(to: field.after.type).value(value)
        else { return nil }
        var write = Write(field: name, value: new)
        write.raise(to: reader.precedence, replacing: register)
        return [write]
    }

    private func written(
        _ field: String, _ element: Value, isIn: Bool, over entry: ShownEntry
    ) -> Write {
        var write = Write(field: field, element: element, value: .boolean(isIn))
        write.raise(
            to: reader.precedence, replacing: entry.state.sets[field]?[element] ?? Register())
        return write
    }
}

/// Converts a value to another type without loss.
struct ValueConversion {
    private static var wholeTime: Regex<Substring> {
        /\s*[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})? ?(?:Z|[+-][0-9]{2}:[0-9]{2})\s*/
    }

    private let type: FieldType

    init(to type: FieldType) { self.type = type }

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
    fileprivate var isSet: Bool { if case .set = self { true } else { false } }
}
