internal import Store
package import SyncCore

extension Replica {
    /// Those of some ids that a record of a collection has, a deleted one too.
    package func used(
        _ ids: [RecordID], in collection: String, of space: SpaceID
    ) throws -> Set<RecordID> {
        let keys = ids.map { RecordKey(collection: collection, record: $0) }
        return Set(try store.records.makers(of: keys, in: space).keys.map(\.record))
    }
}
