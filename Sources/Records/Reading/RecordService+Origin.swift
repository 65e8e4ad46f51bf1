package import LocalAPI
internal import Store
package import SyncCore

/// The origin of records that came from an archive or another space.
extension RecordService {
    /// The author of a record before it came from an archive or another space; nil for other records.
    package func origin(of key: RecordKey, in space: SpaceID) throws -> OriginView? {
        try origin(at: Schema.origin(of: key, in: space), in: space)
    }

    /// The origin of a whole space, with the person who archived it and the time.
    package func origin(ofSpace space: SpaceID) throws -> OriginView? {
        try origin(at: Schema.origin(of: nil, in: space), in: space)
    }

    private func origin(at key: RecordKey, in space: SpaceID) throws -> OriginView? {
        guard let schema = replica.schema(of: space),
            let state = try replica.store.records.record(key, of: space),
            let shown = schema.shown(state, in: key.collection), !shown.isDeleted
        else { return nil }
        return OriginView(
            author: shown.line(Schema.Origin.author),
            written: Moment(shown.value(Schema.Origin.written)?.time),
            source: shown.value(Schema.Origin.source)?.text)
    }
}
