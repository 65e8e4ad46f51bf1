internal import LocalAPI
internal import Store
internal import SyncCore

/// The writes of a full reset: everything goes, except history and the records that it refers to; the rows
/// of the set get their maker's values.
struct DataSetResetPlan {
    private(set) var operations: [RecordOperation] = []
    let history: KeptHistory
    /// Records by collection.
    private(set) var deleted: [String: Int] = [:]
    /// By level, former rows that left the set, but are needed.
    let retired: [DataSetLevel: DataSetRows]

    private let reader: RecordReader
    private let values: DataSetValues
    private let precedence: UInt32

    init(
        _ set: DataSet, keeping collections: [String], over marks: [AppliedSets.Mark],
        _ values: DataSetValues, _ reader: RecordReader
    ) throws {
        (self.reader, self.values) = (reader, values)
        precedence = reader.precedence
        history = try KeptHistory(collections, reader)
        retired = history.retired(from: marks, of: set, values)
        let staying = values.records(in: set).union(history.entries.keys)
        let former = marks.reduce(into: Set()) { $0.formUnion(values.records(in: $1.all.known)) }
        // Records go before those that they refer to.
        for collection in reader.schema.ownCollections.reversed()
        where !collections.contains(collection.name) {
            try delete(in: collection.name, except: staying, ofSet: former)
        }
        operations += try set.wholeRows(values, reader)
    }

    private mutating func delete(
        in collection: String, except staying: Set<RecordKey>, ofSet: Set<RecordKey>
    ) throws {
        for entry in try reader.all(in: collection) where !entry.state.isDeleted {
            let key = RecordKey(collection: collection, record: entry.id)
            let register = entry.state.fields[Write.existence] ?? Register()
            guard !staying.contains(key), !RecordOperation(key, []).isTitle(of: reader.space),
                // Decisions with more authority stay.
                register.isWithin(precedence)
            else { continue }
            var write = Write.ofSet(deleted: true)
            // If a row returns in a later version, it must not count as deleted by a person.
            if !ofSet.contains(key) || !register.isOfSet {
                write.raise(to: precedence, replacing: register)
            }
            operations.append(RecordOperation(key, [write]))
            deleted[collection, default: 0] += 1
        }
    }
}

extension DataSet {
    /// Its rows as values; without a space, ids have no meaning.
    func values(in space: SpaceID?, beside marks: [AppliedSets.Mark] = []) -> DataSetValues {
        DataSetValues(name, in: space, rows: levels.map(\.rows.cells), beside: marks)
    }

    /// How many rows each collection has.
    var rowCounts: [String: Int] {
        levels.reduce(into: [:]) { counts, level in
            for (collection, rows) in level.rows.cells {
                counts[collection, default: 0] += rows.count
            }
        }
    }

    /// Gives every row exactly its maker's values.
    func wholeRows(_ values: DataSetValues, _ reader: RecordReader) throws -> [RecordOperation] {
        var wishes = DataSetPlan.Wishes(theirs: true, missing: true)
        wishes.resets = true
        return try levels.flatMap {
            try DataSetPlan($0.rows, over: nil, values, wishes, reader).operations
        }
    }
}

extension DataSetResetReport.Count {
    /// In the order of the schema.
    static func all(_ counts: [String: Int], _ schema: Schema) -> [DataSetResetReport.Count] {
        schema.ownCollections.compactMap { collection in
            counts[collection.name].map {
                DataSetResetReport.Count(collection: collection.name, count: $0)
            }
        }
    }
}
