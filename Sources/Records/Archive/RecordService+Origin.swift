package import LocalAPI
internal import Store
package import SyncCore

/// Where what came from an archive or another space comes from.
extension RecordService {
    /// Who wrote a record before it came from an archive or another space; nil for one that came from none.
    package func origin(of key: RecordKey, in space: SpaceID) throws -> OriginView? {
        try origin(at: Schema.origin(of: key, in: space), in: space)
    }

    /// The same of a whole space, with who archived it and when.
    package func origin(ofSpace space: SpaceID) throws -> OriginView? {
        try origin(at: Schema.origin(of: nil, in: space), in: space)
    }

    private func origin(at key: RecordKey, in space: SpaceID) throws -> OriginView? {
        guard let schema = replica.schema(of: space),
            let state = try replica.store.record(key, of: space),
            let shown = schema.shown(state, in: key.collection), !shown.isDeleted
        else { return nil }
        return OriginView(
            author: shown.line(Schema.Origin.author),
            written: Moment(shown.value(Schema.Origin.written)?.time),
            source: shown.value(Schema.Origin.source)?.text)
    }
}
