package import SyncCore

/// Turns wanted values of fields into the writes that make them so.
package enum FieldWrites {
    /// Writes for what differs from what is shown, and for fields in conflict: writing the shown
    /// value there decides. Each write replaces exactly what its author was looking at: `seen` if
    /// given, else what is shown.
    ///
    /// `seen` is a ``VersionToken``. What `confirms` names is written although it is shown already.
    package static func writes(
        _ wanted: [(field: String, value: Value)], over shown: ShownRecord?,
        seen: String?, confirms: (String) -> Bool = { _ in false }
    ) throws -> [Write] {
        try wanted.compactMap { field, value in
            let current = shown?.value(field) ?? .null
            guard current != value || shown?.isConflicted(field) ?? false || confirms(field)
            else { return nil }
            let writes = shown?.writes(field) ?? []
            let replaced = try seen.map { try VersionToken.seen(writes, in: $0) }
            return Write(field: field, value: value, replaces: replaced ?? writes)
        }
    }
}
