package import Store
package import SyncCore

/// How many grants to this device the offers of a space named, at most: a no answers these.
package struct OfferedGrants: Sendable {
    private let store: SyncStore

    package init(_ store: SyncStore) { self.store = store }

    /// Unsaid where no offer said it. Throws what the store throws.
    package func count(of space: SpaceID) throws -> GrantCount {
        let text = try store.settings.value(of: key(space))
        return text.flatMap { UInt32($0) }.map { GrantCount($0) } ?? .unsaid
    }

    /// Keeps the larger number. Throws what the store throws.
    package func keep(_ count: GrantCount, of space: SpaceID) throws {
        guard try self.count(of: space).value < count.value else { return }
        try store.settings.set(key(space), to: String(count.value))
    }

    private func key(_ space: SpaceID) -> String { "grants.\(space)" }
}
