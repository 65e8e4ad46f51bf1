internal import LocalAPI
internal import Store
internal import SyncCore

/// What a full reset writes: everything goes but history and what history refers to, and the rows of the set are
/// as their maker has them.
struct DataSetResetPlan {
    private(set) var operations: [RecordOperation] = []
    /// Records by collection.
    private(set) var deleted: [String: Int] = [:]
    private(set) var kept: [String: Int] = [:]
    private(set) var needed: [String: Int] = [:]
    private(set) var loaded: [String: Int] = [:]
    /// By level, rows of before that left the set and are needed.
    private(set) var retired: [DataSetLevel: DataSetRows] = [:]

    private let reader: RecordReader
    private let values: DataSetValues
    private let precedence: UInt32

    init(
        _ set: DataSet, keeping history: [String], over marks: [AppliedSets.Mark],
        _ values: DataSetValues, _ reader: RecordReader
    ) throws {
        (self.reader, self.values) = (reader, values)
        precedence = reader.precedence
        let staying = try staying(history)
        let rows = Set(set.levels.flatMap { records(in: $0.rows.cells) })
        let former = Set(marks.flatMap { records(in: $0.all.known) })
        // What refers to others goes before them.
        for collection in reader.schema.ownCollections.reversed()
        where !history.contains(collection.name) {
            try delete(in: collection.name, except: staying.union(rows), ofSet: former)
        }
        try load(set)
        for mark in marks {
            let gone = mark.all.known.map { collection, cells in
                let left = cells.filter { key, _ in
                    let record = values.record(key, in: collection)
                    return staying.contains(record) && !rows.contains(record)
                }
                return (collection, left)
            }.filter { !$0.1.isEmpty }
            retired[mark.level] = Dictionary(gone) { first, _ in first }
        }
    }

    private func records(in rows: DataSetRows) -> [RecordKey] {
        rows.flatMap { collection, cells in cells.keys.map { values.record($0, in: collection) } }
    }

    /// History, and everything that it refers to, however far.
    private mutating func staying(_ history: [String]) throws -> Set<RecordKey> {
        var staying: Set<RecordKey> = []
        var rest: [(RecordKey, ShownEntry)] = []
        for name in history {
            for entry in try reader.shown(in: name) {
                let key = RecordKey(collection: name, record: entry.id)
                staying.insert(key)
                rest.append((key, entry))
                kept[name, default: 0] += 1
            }
        }
        while let (key, entry) = rest.popLast() {
            for field in reader.schema.collection(key.collection)?.fields ?? [] {
                guard let target = field.type.referenced?.collection else { continue }
                for record in entry.record.targets(of: field) {
                    let other = RecordKey(collection: target, record: record)
                    guard let found = try reader.entry(other), !found.state.isDeleted,
                        staying.insert(other).inserted
                    else { continue }
                    rest.append((other, found))
                    if history.contains(target) {
                        kept[target, default: 0] += 1
                    } else {
                        needed[target, default: 0] += 1
                    }
                }
            }
        }
        return staying
    }

    private mutating func delete(
        in collection: String, except staying: Set<RecordKey>, ofSet: Set<RecordKey>
    ) throws {
        for entry in try reader.all(in: collection) where !entry.state.isDeleted {
            let key = RecordKey(collection: collection, record: entry.id)
            let register = entry.state.fields[Write.existence] ?? Register()
            guard !staying.contains(key), !RecordOperation(key, []).isTitle(of: reader.space),
                // What an authority decided stays.
                register.isWithin(precedence)
            else { continue }
            var write = Write.ofSet(deleted: true)
            // A row that comes back in a later version is no row that somebody did not want.
            if !ofSet.contains(key) || !register.isOfSet {
                write.raise(to: precedence, replacing: register)
            }
            operations.append(RecordOperation(key, [write]))
            deleted[collection, default: 0] += 1
        }
    }

    private mutating func load(_ set: DataSet) throws {
        var wishes = DataSetPlan.Wishes(theirs: true, missing: true)
        wishes.resets = true
        for level in set.levels {
            let plan = try DataSetPlan(level.rows, over: nil, values, wishes, reader)
            operations += plan.operations
            for (collection, rows) in level.rows.cells { loaded[collection] = rows.count }
        }
    }

    /// In the order of the schema.
    func counts(_ counts: [String: Int]) -> [DataSetResetReport.Count] {
        reader.schema.ownCollections.compactMap { collection in
            counts[collection.name].map {
                DataSetResetReport.Count(collection: collection.name, count: $0)
            }
        }
    }
}
