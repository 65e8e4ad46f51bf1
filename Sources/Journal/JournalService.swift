package import LocalAPI
package import Records
internal import SyncCore

/// Memories, photos, tracks, tags and bucket lists as records of the journal schema.
///
/// Stateless: every call reads what is shown now, and a change is durable when its call returns. Methods
/// throw ``APIError`` for what a person can do something about.
package struct JournalService: Sendable {
    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    package let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    var records: RecordService { RecordService(replica) }
    var writer: SpaceWriter { SpaceWriter(replica) }
    var directory: SpaceDirectory { SpaceDirectory(replica) }

    /// The shown records of one collection of a space, read for one request; none while its schema is
    /// unknown here.
    func shown(_ space: SpaceID, _ collection: String) throws -> [ShownEntry] {
        guard let schema = replica.schema(of: space) else { return [] }
        return try RecordReader(replica, space, schema).shown(in: collection)
    }

    /// The trip that a filter names, or all of them.
    func trips(_ typed: String?) throws -> [ReadableSpace] {
        if let typed {
            [try directory.trip(typed)]
        } else {
            try directory.readable().filter(\.isTrip)
        }
    }

    /// Records for everybody whether a trip is active.
    package func setActive(_ typed: String, _ isActive: Bool) async throws -> TripView {
        let trip = try directory.trip(typed)
        let schema = try replica.requireSchema(of: trip.id)
        let key = schema.titleRecord(in: trip.id)
        let writes = try records.writes(
            [(Field.active, .boolean(isActive))], to: key, in: trip.id,
            over: RecordReader(replica, trip.id, schema).entry(key))
        if !writes.isEmpty {
            try await writer.write(
                ChangeSet(operations: [RecordOperation(key, writes)]), to: trip, .close)
        }
        return try SpaceService(replica).show(trip.reference.id)
    }
}
