internal import LocalAPI
internal import Store
internal import SyncCore

/// The writes that convert values to the types of another version of a schema. They are made under the old
/// version, so that an interrupted migration can be repeated. Each has the precedence of the value that it converts and
/// replaces only that: what somebody else wrote meanwhile stands beside it, and rows of a data set follow the set.
struct SchemaMigrationPlan {
    private(set) var operations: [RecordOperation] = []
    /// The writes that end one value that became a set, and a set that became one value. They come after the new
    /// version of the schema: a device without that one shows what stands under the old type.
    private(set) var endings: [RecordOperation] = []
    /// By field; of a migration that is only finished, the ended values.
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

    /// Ends the values that a migration to this schema left under the old types when it stopped after its pin, if the
    /// fields show them converted.
    init(finishing schema: Schema, _ reader: RecordReader) throws {
        self.reader = reader
        for collection in schema.ownCollections {
            let entries = try reader.all(in: collection.name).filter { !$0.state.isDeleted }
            for field in collection.fields where !field.isLocal && !field.type.isBlob {
                let left = entries.compactMap { entry -> RecordOperation? in
                    let ending = ending(of: entry, field)
                    let key = RecordKey(collection: collection.name, record: entry.id)
                    return ending.isEmpty ? nil : RecordOperation(key, ending)
                }
                guard !left.isEmpty else { continue }
                endings += left
                converted.append(
                    .init(place: "\(collection.name).\(field.name)", count: left.count))
            }
        }
    }

    /// Converts the value of a field; returns whether it did.
    private mutating func convert(
        _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) throws -> Bool {
        let values = values(of: entry, field)
        guard !values.isEmpty else { return false }
        let new = ValueConversion.all(values, to: field.after.type)
        // Another device, or an earlier attempt, converted it already.
        let isConverted = new.map { self.isConverted(values, to: $0, entry, field) } ?? false
        guard let new, isConverted || isDecided(entry, field.before.name) else {
            try list(values, of: entry, field)
            return false
        }
        let key = RecordKey(collection: field.collection.name, record: entry.id)
        if !isConverted {
            operations.append(RecordOperation(key, conversion(of: values, to: new, entry, field)))
        }
        let ending = ending(of: values, entry, field)
        if !ending.isEmpty { endings.append(RecordOperation(key, ending)) }
        return !isConverted
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
        _ values: [Value], to new: [Value], _ entry: ShownEntry,
        _ field: SchemaComparison.Retyped
    ) -> Bool {
        let name = field.before.name
        switch (field.before.type.isSet, field.after.type.isSet) {
        case (true, false): return entry.state.fields[name]?.latest?.value == new[0]
        case (false, true): return entry.state.elements(of: name).contains(new[0])
        default: return new == values
        }
    }

    /// False where somebody must first decide a conflict, or a person with more authority wrote the value.
    private func isDecided(_ entry: ShownEntry, _ field: String) -> Bool {
        let register = entry.state.fields[field] ?? Register()
        return register.writes.count <= 1 && register.isWithin(reader.precedence)
    }

    private func conversion(
        of values: [Value], to new: [Value], _ entry: ShownEntry,
        _ field: SchemaComparison.Retyped
    ) -> [Write] {
        let name = field.before.name
        let register = entry.state.fields[name] ?? Register()
        let elements = entry.state.sets[name] ?? [:]
        let isSet = (field.before.type.isSet, field.after.type.isSet)
        guard isSet.1 else {
            let source = isSet.0 ? values.first.flatMap { elements[$0] } : register
            return [written(new[0], to: name, as: source, over: register)]
        }
        let added = zip(values, new).map { value, new in
            written(
                new, isIn: true, to: name, as: isSet.0 ? elements[value] : register,
                over: elements[new])
        }
        guard isSet.0 else { return added }
        return added
            + values.filter { !new.contains($0) }.map {
                written($0, isIn: false, to: name, as: elements[$0], over: elements[$0])
            }
    }

    /// What is left under the old type after this, somebody wrote meanwhile.
    private func ending(
        of values: [Value], _ entry: ShownEntry, _ field: SchemaComparison.Retyped
    ) -> [Write] {
        let name = field.before.name
        return switch (field.before.type.isSet, field.after.type.isSet) {
        case (true, false): ending(of: values, inSet: name, entry)
        case (false, true): isDecided(entry, name) ? [ending(of: name, entry)] : []
        default: []
        }
    }

    /// The same of a field that follows the new version already.
    private func ending(of entry: ShownEntry, _ field: FieldSchema) -> [Write] {
        let elements = entry.state.elements(of: field.name)
        guard field.type.isSet else {
            guard !elements.isEmpty else { return [] }
            let shown = entry.state.shown(field.name, by: field.strategy)?.value
            let conversion = ValueConversion(to: field.type)
            let same = elements.filter { conversion.value($0).map { $0 == shown } ?? false }
            return ending(of: same, inSet: field.name, entry)
        }
        guard let value = entry.state.fields[field.name]?.latest?.value, value != .null,
            isDecided(entry, field.name),
            let new = ValueConversion.all([value], to: field.type), elements.contains(new[0])
        else { return [] }
        return [ending(of: field.name, entry)]
    }

    private func ending(of values: [Value], inSet name: String, _ entry: ShownEntry) -> [Write] {
        let elements = entry.state.sets[name] ?? [:]
        return values.map {
            written($0, isIn: false, to: name, as: elements[$0], over: elements[$0])
        }
    }

    private func ending(of name: String, _ entry: ShownEntry) -> Write {
        let register = entry.state.fields[name] ?? Register()
        return written(.null, to: name, as: register, over: register)
    }

    private func written(
        _ value: Value, to field: String, as source: Register?, over register: Register
    ) -> Write {
        var write = Write(field: field, value: value)
        write.raise(to: precedence(of: source), replacing: register)
        return write
    }

    private func written(
        _ element: Value, isIn: Bool, to field: String, as source: Register?,
        over register: Register?
    ) -> Write {
        var write = Write(field: field, element: element, value: .boolean(isIn))
        write.raise(to: precedence(of: source), replacing: register ?? Register())
        return write
    }

    /// The least one that may replace a value.
    private func precedence(of register: Register?) -> UInt32 {
        min(register?.latest?.precedence ?? reader.precedence, reader.precedence)
    }
}
