import Discovery
internal import Identity
internal import Logging
import Store
package import SyncCore
internal import Synchronization
import Transport
internal import Wire

/// Other devices: who they are, where they are, and which of them are trusted.
extension AgentNode {
    /// Every other device this one has paired with or met as a member of a common space.
    func knownDevices() throws -> [KnownDevice] {
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
                            isAdded: address.source == .added,
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
        noteVersions(contact.versions, of: contact.card.device)
        do {
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

    // MARK: Names

    /// A person's name: as the spaces' profiles say, as it was told when pairing, or the id's start.
    func personName(_ person: PersonID) -> String {
        if person == identity.person { return identity.personName }
        return profileName(of: person.bytes, in: "person_profile")
            ?? pairedName { $0.person == person ? $0.personName : nil }
            ?? String(hexadecimal(person.bytes).prefix(8))
    }

    func deviceName(_ device: DeviceID) -> String {
        if device == identity.deviceID { return identity.deviceName }
        return profileName(of: device.bytes, in: "device_profile")
            ?? pairedName { $0.device == device ? $0.deviceName : nil }
            ?? String(hexadecimal(device.bytes).prefix(8))
    }

    private func profileName(of source: [UInt8], in collection: String) -> String? {
        for space in store.ledgers.keys.sorted() {
            let id = derivedRecordID(space: space, collection: collection, source: source)
            do {
                if let name = try shown(space, collection, id)?.record.value("name")?.text,
                    !name.isEmpty
                {
                    return name
                }
            } catch {
                logger.note(.error, .store, "profile not read", details: ["why": .reason(error)])
            }
        }
        return nil
    }

    private func pairedName(_ name: (StoredDevice) -> String?) -> String? {
        do {
            return try store.devices().lazy.compactMap(name).first { !$0.isEmpty }
        } catch {
            logger.note(.error, .store, "devices not read", details: ["why": .reason(error)])
            return nil
        }
    }

    /// This person's and this device's names as records of a space.
    package func profileOperations(in space: SpaceID) -> [RecordOperation] {
        let identity = identity
        return [
            RecordOperation(
                collection: "person_profile",
                record: derivedRecordID(
                    space: space, collection: "person_profile", source: identity.person.bytes),
                writes: [Write(field: "name", value: .text(identity.personName))]),
            RecordOperation(
                collection: "device_profile",
                record: derivedRecordID(
                    space: space, collection: "device_profile",
                    source: identity.deviceID.bytes),
                writes: [
                    Write(field: "name", value: .text(identity.deviceName)),
                    Write(field: "person", value: .text(hexadecimal(identity.person.bytes))),
                ]),
        ]
    }

    /// Writes this device's profile into a space that does not have it, where its role allows it.
    func ensureProfile(in space: SpaceID) async {
        do {
            let identity = identity
            let id = derivedRecordID(
                space: space, collection: "device_profile", source: identity.deviceID.bytes)
            guard schema(of: space) != nil, let membership = membership(of: space),
                membership.permissions(of: identity.deviceID).contains(.write),
                try store.record(
                    RecordKey(collection: "device_profile", record: id), of: space) == nil
            else { return }
            try await write(ChangeSet(operations: profileOperations(in: space)), to: space)
        } catch {
            logger.note(.error, .store, "profile not written", details: ["why": .reason(error)])
        }
    }

    /// The members of a space changed: others may be trusted now, this device may write now.
    func membershipChanged(in space: SpaceID) {
        refreshTrust()
        Task {
            await ensureProfile(in: space)
            await onMembershipChanged()
        }
    }
}
