internal import LocalAPI
internal import Store
internal import SyncCore

/// The records that a full reset keeps as history, and all shown records that they refer to, directly or
/// indirectly; so also those that somebody deleted while others need them.
struct KeptHistory {
    private(set) var entries: [RecordKey: ShownEntry] = [:]
    /// Records by collection.
    private(set) var kept: [String: Int] = [:]
    /// Needed records that are not history themselves.
    private(set) var needed: [String: Int] = [:]

    init(_ collections: [String], _ reader: RecordReader) throws {
        var rest: [(RecordKey, ShownEntry)] = []
        for name in collections {
            for entry in try reader.shown(in: name) {
                let key = RecordKey(collection: name, record: entry.id)
                entries[key] = entry
                rest.append((key, entry))
                kept[name, default: 0] += 1
            }
        }
        while let (key, entry) = rest.popLast() {
            for field in reader.schema.collection(key.collection)?.fields ?? [] {
                guard let target = field.type.referenced?.collection else { continue }
                for record in entry.record.targets(of: field) {
                    let other = RecordKey(collection: target, record: record)
                    guard entries[other] == nil,
                        let found = try reader.shown(other.collection, other.record)
                    else { continue }
                    entries[other] = found
                    rest.append((other, found))
                    if collections.contains(target) {
                        kept[target, default: 0] += 1
                    } else {
                        needed[target, default: 0] += 1
                    }
                }
            }
        }
    }

    /// By level, former rows that left a set, but are needed.
    func retired(
        from marks: [AppliedSets.Mark], of set: DataSet, _ values: DataSetValues
    ) -> [DataSetLevel: DataSetRows] {
        let rows = values.records(in: set)
        return marks.reduce(into: [:]) { retired, mark in
            let gone = mark.all.known.map { collection, cells in
                let left = cells.filter { key, _ in
                    let record = values.record(key, in: collection)
                    return entries[record] != nil && !rows.contains(record)
                }
                return (collection, left)
            }.filter { !$0.1.isEmpty }
            retired[mark.level] = Dictionary(gone) { first, _ in first }
        }
    }
}

extension DataSetValues {
    /// The records of some rows.
    func records(in rows: DataSetRows) -> Set<RecordKey> {
        Set(rows.flatMap { collection, cells in cells.keys.map { record($0, in: collection) } })
    }

    /// The records of all rows of a set.
    func records(in set: DataSet) -> Set<RecordKey> {
        set.levels.reduce(into: []) { $0.formUnion(records(in: $1.rows.cells)) }
    }
}
