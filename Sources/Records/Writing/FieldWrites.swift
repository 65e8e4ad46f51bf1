internal import Store
package import SyncCore

/// Turns wanted values of fields into writes.
package enum FieldWrites {
    /// Writes for values that differ from the shown ones, and for fields in conflict, where writing the
    /// shown value decides. Each write replaces exactly the state that its author saw: that of `seen` if
    /// given, otherwise the shown one.
    ///
    /// `seen` is a ``VersionToken``; `past` gives replaced writes to a field that the token may stand for,
    /// for merging texts. Fields in `confirms` are written even when they are shown already.
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
    /// Writes that set the fields of a record, from ``FieldWrites``. With authority, shown values are
    /// written, too, so that they win over later values.
    package func writes(
        _ wanted: [(field: String, value: Value)], to key: RecordKey, in space: SpaceID,
        over entry: ShownEntry?, seen: String? = nil
    ) throws -> [Write] {
        let precedence = replica.precedence(in: space)
        return try FieldWrites.writes(
            wanted, over: entry?.record, seen: seen,
            past: { try replica.store.records.textWrites(to: $0, of: key, in: space) },
            confirms: { entry?.state.fields[$0]?.isBelow(precedence) ?? false })
    }
}

extension Register {
    /// Whether the shown value has less precedence than this.
    package func isBelow(_ precedence: UInt32) -> Bool {
        latest.map { $0.precedence < precedence } ?? false
    }
}
