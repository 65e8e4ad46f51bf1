internal import Identity
internal import Logging
package import Node
internal import Records
internal import Store
package import SyncCore

/// Other devices as dialling needs them: meeting and forgetting them, and their addresses.
package struct DeviceDirectory: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    package func forget(_ device: DeviceID) throws {
        try node.store.devices.forget(device, now: node.clock.wall)
        node.refreshTrust()
    }

    package func addAddress(_ device: DeviceID, host: String, port: UInt16) throws {
        try node.store.devices.save(
            DeviceAddress(host: host, port: port, source: .added), of: device)
    }

    /// Addresses of every trusted device, for dialling.
    package func dialAddresses() -> [DeviceID: [HostPort]] {
        do {
            return try node.work.devices.addresses(trusting: node.trust.keys)
        } catch {
            node.logger.note(.error, .store, "addresses not read", details: ["why": .reason(error)])
            return [:]
        }
    }

    /// The facts that dialling needs, with these sessions.
    package func dialFacts(sessions: [DeviceID: Bool]) -> Dialing.Facts {
        let refusing = node.peers.refusing
        do {
            return try node.work.devices.facts(
                trusting: node.trust.keys, sessions: sessions, refusing: refusing)
        } catch {
            node.logger.note(.error, .store, "devices not read", details: ["why": .reason(error)])
            return Dialing.Facts(
                device: node.identity.deviceID, siblings: [], addresses: [:], sessions: sessions,
                refusing: refusing)
        }
    }

    /// A peer said hello: stores its card and address. `port` is 0 if it does not listen, `skew` is
    /// its wall clock minus this device's in milliseconds.
    package func met(_ card: Card, from host: String, listeningOn port: UInt16, skew: Int64) {
        do {
            try node.work.devices.met(
                card, at: port == 0 ? nil : HostPort(host: host, port: port), skew: skew)
        } catch {
            node.notWritten("peer not remembered", error)
        }
    }
}
