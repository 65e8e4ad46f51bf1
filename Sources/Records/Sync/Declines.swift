package import Store
package import SyncCore

/// Devices whose person declined a space, as they told this device.
package struct Declines: Sendable {
    private let store: SyncStore

    package init(_ store: SyncStore) { self.store = store }

    /// Throws what the store throws.
    package func devices(of space: SpaceID) throws -> Set<DeviceID> {
        Set(try list(space).all(in: store).compactMap { DeviceID(hexadecimal: $0) })
    }

    /// The same no comes with every session: that writes nothing. Returns whether it is news. Throws what the
    /// store throws.
    package func keep(_ device: DeviceID, of space: SpaceID) throws -> Bool {
        let (list, text) = (list(space), device.description)
        let known = try list.all(in: store)
        guard !known.contains(text) else { return false }
        try list.keep((known + [text]).suffix(Limits.declinesKept), in: store)
        return true
    }

    private func list(_ space: SpaceID) -> StoredList<String> {
        StoredList(key: "declined.\(space)")
    }
}

extension Limits {
    /// Declining devices to keep for a space: more than the people of any trip have.
    static let declinesKept = 256
}
