package import SyncCore

/// Turns wanted values of fields into the writes that make them so.
package enum FieldWrites {
    /// Writes for what differs from what is shown, and for fields in conflict: writing the shown
    /// value there decides. Each write replaces exactly what its author was looking at: `seen` if
    /// given, else what is shown.
    ///
    /// `seen` is by schema field; a field that is not in it was empty when it was looked at. What
    /// `confirms` names is written although it is shown already.
    package static func writes(
        _ wanted: [(field: String, value: Value)], over shown: ShownRecord?,
        seen: [String: [WriteID]]?, confirms: (String) -> Bool = { _ in false }
    ) -> [Write] {
        wanted.compactMap { field, value in
            let current = shown?.value(field) ?? .null
            guard current != value || shown?.isConflicted(field) ?? false || confirms(field)
            else { return nil }
            let replaced = seen.map { $0[field] ?? [] } ?? shown?.writes(field) ?? []
            return Write(field: field, value: value, replaces: replaced)
        }
    }
}
