internal import LocalAPI
internal import Store
internal import SyncCore

/// Which records of a space came from another one that is read here, or went there. See ``RecordMove``.
final class MovedRecords {
    private struct Origin: Hashable {
        let collection: String
        let person: PersonID
    }

    private let reader: RecordReader
    private var replica: any Replica { reader.replica }
    private lazy var others: Result<[SpaceID: ReadableSpace], any Error> = Result {
        let known = try SpaceDirectory(replica).readable().filter { other in
            other.id != reader.space
                && replica.store.ledger(of: other.id)?.schema.schema == reader.schema.id
        }
        return Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    }
    /// What people deleted elsewhere, by the ids that it would have here.
    private var sources: [Origin: [RecordID: SpaceID]] = [:]
    private var left = Limits.movesTold

    init(_ reader: RecordReader) { self.reader = reader }

    /// Where a record is now that a person deleted here.
    func target(of key: RecordKey, by person: PersonID) throws -> ReadableSpace? {
        guard left > 0 else { return nil }
        left -= 1
        return try others.get().values.first { other in
            let id = RecordID.moved(key, from: reader.space, to: other.id, by: person, 0)
            let there = RecordKey(collection: key.collection, record: id)
            return try replica.store.record(there, of: other.id) != nil
        }
    }

    /// Where a record was that a person made here.
    func source(of key: RecordKey, by person: PersonID) throws -> ReadableSpace? {
        guard left > 0 else { return nil }
        // What is moved says whose it was before.
        let origin = Schema.origin(of: key, in: reader.space)
        guard try replica.store.record(origin, of: reader.space) != nil else { return nil }
        left -= 1
        return try sources(of: key.collection, by: person)[key.record].flatMap {
            try others.get()[$0]
        }
    }

    private func sources(
        of collection: String, by person: PersonID
    ) throws -> [RecordID: SpaceID] {
        let origin = Origin(collection: collection, person: person)
        if let known = sources[origin] { return known }
        var found: [RecordID: SpaceID] = [:]
        for other in try others.get().keys {
            for deleted in try replica.store.deletedRecords(of: other, in: collection) {
                let key = RecordKey(collection: collection, record: deleted.record)
                for number in 0..<Limits.movesOfOneRecord {
                    found[
                        .moved(key, from: other, to: reader.space, by: person, number)] = other
                }
            }
        }
        sources[origin] = found
        return found
    }
}

extension Limits {
    /// Records of one list of changes of which it is looked up whether they were moved.
    static let movesTold = 100
    /// How often a record is moved to the same space before it is told as one that was added.
    static let movesOfOneRecord: UInt64 = 4
}
