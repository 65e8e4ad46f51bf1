internal import Identity
internal import Logging
package import Node
internal import Records
internal import Store
package import SyncCore

/// The other devices that this one knows: meeting and forgetting them, and their addresses.
package struct DeviceDirectory: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    func known() throws -> [KnownDevice] {
        let trusted = node.trust.keys
        let lost = try node.work.losses.lostDevices()
        return try node.store.devices.all()
            .filter { device in
                // A forgotten device that shares a space still syncs: it must be visible.
                device.device != node.identity.deviceID
                    && (device.forgottenAt == nil || trusted.contains(device.signingKey))
            }
            .compactMap { stored in
                guard let card = verifiedCard(of: stored) else { return nil }
                var known = KnownDevice(
                    card: card, name: node.names.device(stored.device),
                    personName: node.names.person(stored.person),
                    pairedAt: stored.forgottenAt == nil ? stored.pairedAt : nil,
                    addresses: try node.store.devices.addresses(of: stored.device).map { address in
                        KnownAddress(
                            host: address.host, port: address.port,
                            lastSuccess: address.succeededAt, isAdded: address.source == .added)
                    },
                    lastSync: node.peers[stored.device].synced ?? stored.syncedAt,
                    clockSkewMilliseconds: node.peers[stored.device].clockSkewMilliseconds)
                known.loss =
                    lost.contains(stored.device) ? try node.losses.loss(of: stored.device) : nil
                return known
            }
    }

    private func verifiedCard(of device: StoredDevice) -> Card? {
        node.reading("a stored card does not hold", or: nil) {
            try node.work.devices.verifiedCard(of: device)
        }
    }

    package func forget(_ device: DeviceID) throws {
        try node.store.devices.forget(device, now: node.clock.wall)
        node.handle(.devicesChanged)
    }

    package func addAddress(_ device: DeviceID, host: String, port: UInt16) throws {
        try node.store.devices.save(
            DeviceAddress(host: host, port: port, source: .added), of: device)
    }

    /// Addresses of every trusted device, for dialling.
    package func dialAddresses() -> [DeviceID: [HostPort]] {
        node.reading("addresses not read", or: [:]) {
            try node.work.devices.addresses(trusting: node.trust.keys)
        }
    }

    /// The facts that dialling needs, with these sessions.
    package func dialFacts(sessions: [DeviceID: Bool]) -> Dialing.Facts {
        let refusing = node.peers.refusing
        let none = Dialing.Facts(
            device: node.identity.deviceID, siblings: [], addresses: [:], sessions: sessions,
            refusing: refusing)
        return node.reading("devices not read", or: none) {
            try node.work.devices.facts(
                trusting: node.trust.keys, sessions: sessions, refusing: refusing)
        }
    }

    /// A peer said hello: stores its card and address. `port` is 0 if it does not listen, `skew` is
    /// its wall clock minus this device's in milliseconds.
    package func met(_ card: Card, from host: String, listeningOn port: UInt16, skew: Int64) {
        do {
            try node.work.devices.met(
                card, at: port == 0 ? nil : HostPort(host: host, port: port), skew: skew)
        } catch {
            node.storage.notWritten("peer not remembered", error)
        }
    }
}
