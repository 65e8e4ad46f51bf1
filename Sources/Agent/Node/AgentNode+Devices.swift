import Discovery
internal import Identity
internal import Logging
package import Records
internal import Store
import SyncCore
internal import Synchronization
import Transport
internal import Wire

/// Other devices: who they are, where they are, and which of them are trusted.
extension AgentNode {
    /// Every other device this one has paired with or met as a member of a common space.
    package func knownDevices() throws -> [KnownDevice] {
        let trusted = trust.keys
        return try store.devices()
            .filter { device in
                // One that was forgotten and shares a space still syncs: it must be seen.
                device.device != identity.deviceID
                    && (device.forgottenAt == nil || trusted.contains(device.signingKey))
            }
            .compactMap { stored in
                guard let card = verifiedCard(stored.card) else { return nil }
                return KnownDevice(
                    card: card, name: deviceName(stored.device),
                    personName: personName(stored.person),
                    pairedAt: stored.forgottenAt == nil ? stored.pairedAt : nil,
                    addresses: try store.addresses(of: stored.device).map { address in
                        KnownAddress(
                            host: address.host, port: address.port,
                            lastSuccess: address.succeededAt)
                    },
                    lastSync: lastSynced(stored.device) ?? stored.syncedAt,
                    clockSkewMilliseconds: skew(of: stored.device))
            }
    }

    private func verifiedCard(_ encoded: [UInt8]) -> Card? {
        do {
            return try CardVerifier().verify(try CardCodec().decode(encoded))
        } catch {
            logger.note(
                .error, .store, "a stored card does not hold", details: ["why": .reason(error)])
            return nil
        }
    }

    func forget(_ device: DeviceID) throws {
        try store.forget(device, now: clock.wall)
        refreshTrust()
    }

    func addAddress(_ device: DeviceID, host: String, port: UInt16) throws {
        try store.save(DeviceAddress(host: host, port: port, source: .added), of: device)
    }

    /// Addresses of every trusted device, for dialling.
    func dialAddresses() -> [DeviceID: [HostPort]] {
        let trusted = trust.keys
        do {
            return try store.devices().reduce(into: [:]) { result, device in
                guard trusted.contains(device.signingKey) else { return }
                result[device.device] = try store.addresses(of: device.device)
                    .map { HostPort(host: $0.host, port: $0.port) }
            }
        } catch {
            logger.note(.error, .store, "addresses not read", details: ["why": .reason(error)])
            return [:]
        }
    }

    /// This device, and the other ones of its person that are trusted.
    func ownDevices() -> (device: DeviceID, siblings: Set<DeviceID>) {
        let identity = identity
        let trusted = trust.keys
        do {
            let siblings = try store.devices().filter {
                $0.person == identity.person && trusted.contains($0.signingKey)
            }
            return (identity.deviceID, Set(siblings.map(\.device)))
        } catch {
            logger.note(.error, .store, "devices not read", details: ["why": .reason(error)])
            return (identity.deviceID, [])
        }
    }

    /// Trusted are paired devices and the members of every space that is here: of one that this
    /// device left, too, because they still have to hear of it.
    func refreshTrust() {
        let isLess = trustTurn.withLock { _ in
            do {
                return trust.replace(with: try trustedKeys())
            } catch {
                logger.note(.error, .store, "trust not refreshed", details: ["why": .reason(error)])
                return false
            }
        }
        if isLess { onTrustLost() }
    }

    private func trustedKeys() throws -> Set<Bytes32> {
        var keys: Set<Bytes32> = []
        for device in try store.devices() where device.isPaired {
            keys.insert(device.signingKey)
        }
        for ledger in store.ledgers.values {
            for member in ledger.membership.members {
                keys.insert(member.standing.card.content.signingKey)
            }
        }
        keys.remove(identity.keys.signingKey)
        return keys
    }

    /// A peer said hello: it is remembered with its card and address.
    func met(_ contact: SessionService.PeerContact) {
        noteSkew(contact.clockSkewMilliseconds, of: contact.card.device)
        do {
            let skew = contact.clockSkewMilliseconds
            if skew.magnitude > Limits.clockSkewMilliseconds {
                try store.noteSkew(skew, of: contact.card.device)
            }
            let known = try store.device(contact.card.device)
            if known == nil || known?.card != contact.card.encoded {
                var device = StoredDevice(
                    card: contact.card, deviceName: known?.deviceName ?? "",
                    personName: known?.personName ?? "", pairedAt: known?.pairedAt)
                device.syncedAt = known?.syncedAt
                device.forgottenAt = known?.forgottenAt
                try store.save(device)
            }
            if contact.listeningPort != 0 {
                let address = DeviceAddress(
                    host: contact.host, port: contact.listeningPort, source: .remembered,
                    succeededAt: clock.wall)
                try store.save(address, of: contact.card.device)
            }
        } catch {
            notWritten("peer not remembered", error)
        }
    }

    /// Writes this device's profile into a space that does not have it, where its role allows it.
    func ensureProfile(in space: SpaceID) async {
        do {
            guard schema(of: space) != nil, permissions(in: space).contains(.write),
                try store.record(profileKey(of: identity.deviceID, in: space), of: space) == nil
            else { return }
            try await write(ChangeSet(operations: profileOperations(in: space)), to: space)
        } catch ReplicaError.epochMissing {
            // Whoever gives this device a key has it looked at again.
            return
        } catch {
            logger.note(.error, .store, "profile not written", details: ["why": .reason(error)])
        }
    }

    /// Rights in a space changed, by this device or another one: who is connected and lost it is told
    /// before they are trusted no more.
    func rightsChanged(in space: SpaceID) {
        judgeNotice(of: space)
        onRightsChanged(in: space)
        refreshTrust()
    }

    /// The members of a space changed: others may be trusted now, this device may write now.
    func membershipChanged(in space: SpaceID) {
        rightsChanged(in: space)
        keepEpochs(in: space)
        Task {
            await ensureProfile(in: space)
            await onMembershipChanged()
        }
    }
}
