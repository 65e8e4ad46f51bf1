internal import Store
internal import SyncCore

/// A deletion hides the parts of a record with it. So that a part that somebody writes at the same time is not
/// hidden without a word, the commit also touches what it belongs to: the deletion is then in conflict with it.
struct OwnerTouches {
    private let reader: RecordReader

    init(_ reader: RecordReader) { self.reader = reader }

    private var schema: Schema { reader.schema }

    /// An operation for each record, at any level, to which records of these operations belong; none for what is
    /// deleted, is not in the log, or is the whole space. A part that is deleted touches nothing.
    func touches(for written: [RecordOperation]) throws -> [RecordOperation] {
        let written = written.map { schema.current($0) }
        let deleted = written.filter { $0.writes.contains(where: \.isDeletion) }
        var seen = Set(deleted.map { RecordKey(of: $0, under: schema) })
        var rest: [RecordKey] = []
        for operation in written
        where !seen.contains(RecordKey(of: operation, under: schema)) {
            rest += try owners(of: operation)
        }
        var touched: [RecordKey] = []
        while let key = rest.popLast() {
            guard seen.insert(key).inserted, let entry = try reader.entry(key),
                !entry.record.isDeleted, !entry.isUnfinished
            else { continue }
            rest += schema.owners(of: entry.record, in: key.collection)
            if key != schema.titleRecord(in: reader.space) { touched.append(key) }
        }
        return touched.sorted().map { RecordOperation($0, [.touch]) }
    }

    /// The records to which one belongs after an operation.
    private func owners(of operation: RecordOperation) throws -> [RecordKey] {
        let owners = schema.collection(operation.collection)?.owners ?? []
        return try owners.compactMap { field, target in
            let now = operation.writes.last { $0.field == field.name && $0.element == nil }
            let owner =
                try now?.value.reference
                ?? reader.entry(RecordKey(of: operation, under: schema))?.record.value(field.name)?
                .reference
            return owner.map { RecordKey(collection: target, record: $0) }
        }
    }
}

extension Replica {
    /// The same for a space; none while its schema is unknown here.
    func touches(
        for written: [RecordOperation], in space: SpaceID
    ) throws -> [RecordOperation] {
        guard let schema = schema(of: space) else { return [] }
        return try OwnerTouches(RecordReader(self, space, schema)).touches(for: written)
    }
}
