internal import Store
package import SyncCore

/// Turns wanted values of fields into the writes that make them so.
package enum FieldWrites {
    /// Writes for what differs from what is shown, and for fields in conflict: writing the shown
    /// value there decides. Each write replaces exactly what its author was looking at: `seen` if
    /// given, else what is shown.
    ///
    /// `seen` is a ``VersionToken``; `past` gives the writes to a field that it may stand for although
    /// they are replaced by now, from which versions of a text are put together. What `confirms` names is written although it is shown already.
    package static func writes(
        _ wanted: [(field: String, value: Value)], over shown: ShownRecord?,
        seen: String?, past: (String) throws -> [WriteID] = { _ in [] },
        confirms: (String) -> Bool = { _ in false }
    ) throws -> [Write] {
        try wanted.compactMap { field, value in
            let current = shown?.value(field) ?? .null
            guard current != value || shown?.isConflicted(field) ?? false || confirms(field)
            else { return nil }
            let writes = shown?.writes(field) ?? []
            let replaced = try seen.map { token in
                let replaced = try past(field).filter { !writes.contains($0) }
                return try VersionToken.seen(replaced + writes, in: token)
            }
            return Write(field: field, value: value, replaces: replaced ?? writes)
        }
    }
}

extension RecordService {
    /// The writes to a text of a record, replaced ones too; none to a field of another kind.
    package func pastWrites(
        to field: String, of key: RecordKey, in space: SpaceID
    ) throws -> [WriteID] {
        try replica.store.textWrites(to: field, of: key, in: space)
    }
}
