internal import LocalAPI
internal import Store
internal import SyncCore

/// The writes that convert values to the types of another version of a schema. They are made under the old
/// version, so that an interrupted migration can be repeated. Each has the precedence of the value that it converts and
/// replaces only that: what somebody else wrote meanwhile stands beside it, and rows of a data set follow the set.
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
            // These are converted under the new version, on each device.
            for entry in try reader.unfinished(in: retyped.collection.name) {
                count += try convertsUnfinished(entry, retyped) ? 1 : 0
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
        let values = values(of: entry, field)
        // Another device, or an earlier attempt, converted it already.
        guard !values.isEmpty, !isConverted(values, entry, field) else { return false }
        guard let writes = writes(of: values, entry, field) else {
            try list(values, of: entry, field)
            return false
        }
        let key = RecordKey(collection: field.collection.name, record: entry.id)
        operations.append(RecordOperation(key, writes))
        return true
    }

    /// Whether the value of a record that is in no log yet will be converted.
    private mutating func convertsUnfinished(
        _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) throws -> Bool {
        let values = values(of: entry, field)
        guard !values.isEmpty else { return false }
        guard ValueConversion.all(values, to: field.after.type) != nil else {
            try list(values, of: entry, field)
            return false
        }
        return true
    }

    private func values(of entry: ShownEntry, _ field: SchemaComparison.Retyped) -> [Value] {
        let name = field.before.name
        return field.before.type.isSet
            ? entry.record.elements(name)
            : [entry.record.value(name)].compactMap(\.self).filter { $0 != .null }
    }

    private mutating func list(
        _ values: [Value], of entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) throws {
        let record = Reference(
            entry.id, name: reader.title(entry.record, in: field.collection.name))
        for value in values {
            left.append(
                SchemaMigrationReport.Value(
                    record: record, place: field.place, text: try reader.text(of: value)))
        }
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
            register.isWithin(reader.precedence),
            let new = ValueConversion.all(values, to: field.after.type)
        else { return nil }
        let isSet = (field.before.type.isSet, field.after.type.isSet)
        let elements = entry.state.sets[name] ?? [:]
        func written(_ element: Value, isIn: Bool, as source: Register?) -> Write {
            var write = Write(field: name, element: element, value: .boolean(isIn))
            write.raise(
                to: precedence(of: source), replacing: elements[element] ?? Register())
            return write
        }
        var writes: [Write] = []
        if isSet.1 {
            writes += zip(values, new).map { value, new in
                written(new, isIn: true, as: isSet.0 ? elements[value] : register)
            }
        }
        // What is left under the old type after this, somebody wrote meanwhile.
        if isSet.0 {
            writes += values.filter { !isSet.1 || !new.contains($0) }.map {
                written($0, isIn: false, as: elements[$0])
            }
        }
        if !isSet.0 || !isSet.1 {
            let source = isSet.0 ? values.first.flatMap { elements[$0] } : register
            var write = Write(field: name, value: isSet.1 ? .null : new[0])
            write.raise(to: precedence(of: source), replacing: register)
            writes.append(write)
        }
        return writes
    }

    /// The least one that may replace a value.
    private func precedence(of register: Register?) -> UInt32 {
        min(register?.latest?.precedence ?? reader.precedence, reader.precedence)
    }
}
