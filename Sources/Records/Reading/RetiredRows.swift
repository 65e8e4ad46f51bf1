internal import Store
package import SyncCore

/// The rows that left their data sets and stayed, as other records referred to them. Lists leave them out.
package struct RetiredRows {
    /// By record, the values that its set gave it last.
    private var rows: [RecordKey: (cells: [String: String], values: DataSetValues)] = [:]

    package var isEmpty: Bool { rows.isEmpty }

    package init(_ reader: RecordReader) throws {
        // Most spaces have no data set, and each page of a list asks.
        let marked = Schema.AppliedSet.collection
        guard try !reader.replica.store.records.isEmpty(marked, in: reader.space) else { return }
        let marks = try AppliedSets(reader).known
        for mark in marks where !mark.applied.retired.isEmpty {
            let own = marks.filter { $0.name == mark.name }
            let values = DataSetValues(
                mark.name, in: reader.space, rows: own.map(\.applied.rows), beside: own)
            let current = own.map { values.records(in: $0.applied.rows) }
            for (collection, rows) in mark.applied.retired {
                for (key, cells) in rows {
                    let record = values.record(key, in: collection)
                    // Another level of the set may have the row by now.
                    guard !current.contains(where: { $0.contains(record) }) else { continue }
                    self.rows[record] = (cells, values)
                }
            }
        }
    }

    /// False for a row that a person changed: it is theirs now.
    package func contains(_ entry: ShownEntry, of collection: CollectionSchema) -> Bool {
        let key = RecordKey(collection: collection.name, record: entry.id)
        guard let row = rows[key] else { return false }
        return !row.values.areChanged(in: entry, row.cells, collection)
    }
}

extension DataSetValues {
    /// Whether a person changed a value that the set gave. Its position in the order does not matter.
    func areChanged(
        in entry: ShownEntry, _ cells: [String: String], _ collection: CollectionSchema
    ) -> Bool {
        collection.fields.contains { field in
            guard field.type != .order else { return false }
            let cell = try? cell(field, in: cells)
            if case .set = field.type {
                guard case .set(let elements)? = cell else { return true }
                return (entry.state.sets[field.name] ?? [:]).contains { element, register in
                    !register.isOfSet
                        && (register.latest?.value == .boolean(true)) != elements.contains(element)
                }
            }
            guard let register = entry.state.fields[field.name], !register.isOfSet else {
                return false
            }
            return cell != .one(entry.record.value(field.name) ?? .null)
        }
    }
}
