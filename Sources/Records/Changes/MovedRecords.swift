internal import LocalAPI
internal import Store
internal import SyncCore

/// Records that were moved between a space and another one that can be read here. See ``RecordMove``.
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
    /// Records that people deleted elsewhere, by the ids that they would have here.
    private var sources: [Origin: [RecordID: SpaceID]] = [:]
    private var left = Limits.movesTold

    init(_ reader: RecordReader) { self.reader = reader }

    /// The space to which a record that a person deleted here was moved.
    func target(of key: RecordKey, by person: PersonID) throws -> ReadableSpace? {
        guard left > 0 else { return nil }
        left -= 1
        return try others.get().values.first { other in
            let id = RecordID.moved(key, from: reader.space, to: other.id, by: person, 0)
            let there = RecordKey(collection: key.collection, record: id)
            return try replica.store.records.record(there, of: other.id) != nil
        }
    }

    /// The space from which a record that a person made here was moved.
    func source(of key: RecordKey, by person: PersonID) throws -> ReadableSpace? {
        guard left > 0 else { return nil }
        // A moved record has a record of its origin.
        let origin = Schema.origin(of: key, in: reader.space)
        guard try replica.store.records.record(origin, of: reader.space) != nil else { return nil }
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
            for deleted in try replica.store.records.deleted(of: other, in: collection) {
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
    /// Records of one list of changes that are checked for a move.
    static let movesTold = 100
    /// How often a record can be moved to the same space before a move is shown as an addition.
    static let movesOfOneRecord: UInt64 = 4
}
