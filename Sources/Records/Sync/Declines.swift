package import Store
package import SyncCore

/// Devices whose person declined a space, as they told this device.
package struct Declines: Sendable {
    private let store: SyncStore

    package init(_ store: SyncStore) { self.store = store }

    /// Those whose no answers the latest grant. Throws what the store throws.
    package func devices(of space: SpaceID) throws -> Set<DeviceID> {
        let membership = store.ledger(of: space)?.membership
        return Set(
            try entries(of: space).filter { entry in
                !entry.grants.isBefore(membership?.facts.grantCount(to: entry.device) ?? .unsaid)
            }.map(\.device))
    }

    /// Those of them that are asked again when a new grant is written. Throws what the store throws.
    package func askable(of space: SpaceID) throws -> Set<DeviceID> {
        let declined = try devices(of: space)
        return Set(
            try entries(of: space).filter { $0.grants != .unsaid && declined.contains($0.device) }
                .map(\.device))
    }

    /// The same no comes with every session: that writes nothing. Returns whether it is news. Throws what the
    /// store throws.
    package func keep(
        _ device: DeviceID, of space: SpaceID, grants: GrantCount
    ) throws -> Bool {
        let said = DeclineEntry(device: device, grants: grants).text
        let known = try list(space).all(in: store)
        guard !known.contains(said) else { return false }
        let others = known.filter { DeclineEntry(text: $0)?.device != device }
        try list(space).keep((others + [said]).suffix(Limits.declinesKept), in: store)
        return true
    }

    private func entries(of space: SpaceID) throws -> [DeclineEntry] {
        try list(space).all(in: store).compactMap { DeclineEntry(text: $0) }
    }

    private func list(_ space: SpaceID) -> StoredList<String> {
        StoredList(key: "declined.\(space)")
    }
}

/// The no of one device, kept as its id and, where it said so, the grants that it knew of.
private struct DeclineEntry {
    let device: DeviceID
    let grants: GrantCount

    init(device: DeviceID, grants: GrantCount) { (self.device, self.grants) = (device, grants) }

    init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let device = parts.first.flatMap({ DeviceID(hexadecimal: String($0)) }) else {
            return nil
        }
        let grants = parts.dropFirst().first.flatMap { UInt32($0) }
        self.init(device: device, grants: grants.map { GrantCount($0) } ?? .unsaid)
    }

    var text: String {
        grants == .unsaid ? device.description : "\(device) \(grants.value)"
    }
}

extension Limits {
    /// Declining devices to keep for a space: more than the people of any trip have.
    static let declinesKept = 256
}
