internal import LocalAPI
internal import Store
internal import SyncCore

/// The writes that make values fit the types of another version of a schema. They are made under the old version,
/// before the new one is followed: what was interrupted is done again.
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

    /// Whether something was converted.
    private mutating func convert(
        _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) throws -> Bool {
        let values =
            field.before.type.isSet
            ? entry.record.elements(field.before.name)
            : [entry.record.value(field.before.name)].compactMap(\.self).filter { $0 != .null }
        let fitting = values.filter { field.after.type.admits($0) && !field.after.type.isSet }
        // Another device, or an earlier try, converted it already.
        guard !values.isEmpty, fitting.count < values.count else { return false }
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

    /// Nil where a value cannot be of the new type.
    private func writes(
        of values: [Value], _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) -> [Write]? {
        // What belongs to one device alone is in no log.
        guard !field.before.isLocal, !field.after.isLocal else { return nil }
        let name = field.before.name
        if case .set(let type) = field.after.type {
            let elements = values.compactMap { ValueConversion(to: type).value($0) }
            guard elements.count == values.count else { return nil }
            return elements.map {
                Write(
                    field: name, element: $0, value: .boolean(true), precedence: reader.precedence)
            }
        }
        let register = entry.state.fields[name] ?? Register()
        guard values.count == 1, let value = values.first,
            let new = ValueConversion(to: field.after.type).value(value),
            register.writes.allSatisfy({ $0.precedence <= reader.precedence })
        else { return nil }
        var write = Write(field: name, value: new, precedence: reader.precedence)
        write.replaces = register.writes.map(\.id)
        return [write]
    }
}

/// Makes a value one of another type, where it says the same.
struct ValueConversion {
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

    /// In the words that a person would type.
    private func text(_ value: Value) -> String? {
        switch value {
        case .text(let text), .json(let text): text
        case .decimal(let digits): digits
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? "yes" : "no"
        case .time(let time): Moment(time)?.text
        case .position(let position):
            Position(position).map { "\($0.latitude),\($0.longitude)" }
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
