import Identity
internal import Logging
import Node
package import Records
internal import Store
import SyncCore

/// Other devices, as people know them.
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
}
