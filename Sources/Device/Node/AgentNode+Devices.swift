import Identity
internal import Logging
package import Node
package import Records
internal import Store
package import SyncCore

/// Other devices: their identities, their addresses, and which of them are trusted.
extension AgentNode {
    /// Every other device this one has paired with or met as a member of a common space.
    package func knownDevices() throws -> [KnownDevice] {
        let trusted = trust.keys
        let lost = try work.losses.lostDevices()
        return try store.devices.all()
            .filter { device in
                // A forgotten device that shares a space still syncs: it must be visible.
                device.device != identity.deviceID
                    && (device.forgottenAt == nil || trusted.contains(device.signingKey))
            }
            .compactMap { stored in
                guard let card = verifiedCard(of: stored) else { return nil }
                var known = KnownDevice(
                    card: card, name: deviceName(stored.device),
                    personName: personName(stored.person),
                    pairedAt: stored.forgottenAt == nil ? stored.pairedAt : nil,
                    addresses: try store.devices.addresses(of: stored.device).map { address in
                        KnownAddress(
                            host: address.host, port: address.port,
                            lastSuccess: address.succeededAt, isAdded: address.source == .added)
                    },
                    lastSync: peers[stored.device].synced ?? stored.syncedAt,
                    clockSkewMilliseconds: peers[stored.device].clockSkewMilliseconds)
                known.loss = lost.contains(stored.device) ? try losses.loss(of: stored.device) : nil
                return known
            }
    }

    private func verifiedCard(of device: StoredDevice) -> Card? {
        do {
            return try work.devices.verifiedCard(of: device)
        } catch {
            logger.note(
                .error, .store, "a stored card does not hold", details: ["why": .reason(error)])
            return nil
        }
    }

    package func forget(_ device: DeviceID) throws {
        try store.devices.forget(device, now: clock.wall)
        refreshTrust()
    }

    package func addAddress(_ device: DeviceID, host: String, port: UInt16) throws {
        try store.devices.save(DeviceAddress(host: host, port: port, source: .added), of: device)
    }

    /// Addresses of every trusted device, for dialling.
    package func dialAddresses() -> [DeviceID: [HostPort]] {
        do {
            return try work.devices.addresses(trusting: trust.keys)
        } catch {
            logger.note(.error, .store, "addresses not read", details: ["why": .reason(error)])
            return [:]
        }
    }

    /// The facts that dialling needs, with these sessions.
    package func dialFacts(sessions: [DeviceID: Bool]) -> Dialing.Facts {
        let refusing = peers.refusing
        do {
            return try work.devices.facts(
                trusting: trust.keys, sessions: sessions, refusing: refusing)
        } catch {
            logger.note(.error, .store, "devices not read", details: ["why": .reason(error)])
            return Dialing.Facts(
                device: identity.deviceID, siblings: [], addresses: [:], sessions: sessions,
                refusing: refusing)
        }
    }

    /// A peer said hello: stores its card and address. `port` is 0 if it does not listen, `skew` is
    /// its wall clock minus this device's in milliseconds.
    package func met(_ card: Card, from host: String, listeningOn port: UInt16, skew: Int64) {
        do {
            try work.devices.met(
                card, at: port == 0 ? nil : HostPort(host: host, port: port), skew: skew)
        } catch {
            notWritten("peer not remembered", error)
        }
    }
}
