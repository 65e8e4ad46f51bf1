internal import LocalAPI
internal import Store
internal import SyncCore

/// The records of a collection in the order of an index.
struct IndexedRecords {
    private let reader: RecordReader
    private let collection: String
    private let includeDeleted: Bool

    init(_ reader: RecordReader, _ collection: String, includeDeleted: Bool = false) {
        (self.reader, self.collection) = (reader, collection)
        self.includeDeleted = includeDeleted
    }

    /// The first wanted ones of a span: so many or all that are left, and with the last of them all that stand at
    /// its place; a few more where not all that were read are wanted. `rest` is what follows them; nil when these
    /// are all.
    func part(
        _ span: IndexSpan, limit: Int = .max, where isWanted: (ShownEntry) throws -> Bool
    ) throws -> (entries: [ShownEntry], rest: IndexSpan?) {
        let meter = ProgressMeter(.reading)
        var found: [ShownEntry] = []
        var rest: IndexSpan? = span
        var count = limit
        while let span = rest, found.count < limit {
            try Task.checkCancellation()
            let part = try reader.replica.store.records.list(
                of: reader.space, in: collection, span, includeDeleted: includeDeleted,
                limit: count)
            found += try reader.entries(part.records, in: collection).filter(isWanted)
            rest = part.rest
            count = max(limit - found.count, Limits.fewestRecordsRead)
            meter.add()
        }
        return (found, rest)
    }

    /// The wanted ones that have no place in a span.
    func outside(
        _ span: IndexSpan, where isWanted: (ShownEntry) throws -> Bool
    ) throws -> [ShownEntry] {
        let stored = try reader.replica.store.records.list(
            of: reader.space, in: collection, outside: span, includeDeleted: includeDeleted)
        return try reader.entries(stored, in: collection).filter(isWanted)
    }
}

extension Limits {
    /// Records that are read at once, at least, where few of them are wanted.
    fileprivate static let fewestRecordsRead = 100
}
