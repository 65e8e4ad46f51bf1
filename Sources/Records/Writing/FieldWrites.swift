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
    /// Writes that give the fields of a record these values, as ``FieldWrites`` makes them. With
    /// authority also what is shown already is written, so that it stands against later values.
    package func writes(
        _ wanted: [(field: String, value: Value)], to key: RecordKey, in space: SpaceID,
        over entry: ShownEntry?, seen: String? = nil
    ) throws -> [Write] {
        let precedence = replica.precedence(in: space)
        return try FieldWrites.writes(
            wanted, over: entry?.record, seen: seen,
            past: { try replica.store.textWrites(to: $0, of: key, in: space) },
            confirms: { entry?.state.fields[$0]?.isBelow(precedence) ?? false })
    }
}

extension Register {
    /// Whether what it shows stands with less precedence than this.
    package func isBelow(_ precedence: UInt32) -> Bool {
        latest.map { $0.precedence < precedence } ?? false
    }
}
