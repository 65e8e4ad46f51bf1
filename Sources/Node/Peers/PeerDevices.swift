internal import Identity
internal import Store
package import SyncCore
internal import Wire

/// Other devices: whom to trust, and what the other devices of this person are to have.
package struct PeerDevices: Sendable {
    private let work: EngineWork

    init(_ work: EngineWork) { self.work = work }

    /// Trusted are paired devices and the members of every space that is here: of one that this device
    /// left, too, because they still have to hear of it. Their signing keys.
    package func trustedKeys() throws -> Set<Bytes32> {
        var keys = Set(try work.store.devices().filter(\.isPaired).map(\.signingKey))
        for ledger in work.store.ledgers.values {
            for member in ledger.membership.members {
                keys.insert(member.standing.card.content.signingKey)
            }
        }
        keys.remove(work.keys.signingKey)
        return keys
    }

    /// Addresses of every trusted device.
    package func addresses(trusting trusted: Set<Bytes32>) throws -> [DeviceID: [HostPort]] {
        var found: [DeviceID: [HostPort]] = [:]
        for device in try work.store.devices() where trusted.contains(device.signingKey) {
            found[device.device] = try work.store.addresses(of: device.device)
                .map { HostPort(host: $0.host, port: $0.port) }
        }
        return found
    }

    /// The other devices of this person, as their cards say, that are trusted.
    package func siblings(trusting trusted: Set<Bytes32>) throws -> [Card] {
        let person = work.person
        return try work.store.devices().filter { device in
            device.person == person && device.device != work.device
                && trusted.contains(device.signingKey)
        }.compactMap { verified($0) }
    }

    func card(of device: DeviceID) throws -> Card? {
        try work.store.device(device).flatMap { verified($0) }
    }

    /// Nil for a card that does not hold: what is shown to people says so.
    private func verified(_ device: StoredDevice) -> Card? {
        guard let card = try? CardCodec().decode(device.card) else { return nil }
        return try? CardVerifier(signatures: work.signatures).verify(card)
    }

    /// A peer said hello: it is remembered with its card and, where it listens, its address. Throws what
    /// the store throws.
    package func met(_ card: Card, at address: HostPort?, skew: Int64) throws {
        if skew.magnitude > Limits.clockSkewMilliseconds {
            try work.store.noteSkew(skew, of: card.device)
        }
        let known = try work.store.device(card.device)
        if known == nil || known?.card != card.encoded {
            var device = StoredDevice(
                card: card, deviceName: known?.deviceName ?? "",
                personName: known?.personName ?? "", pairedAt: known?.pairedAt)
            device.syncedAt = known?.syncedAt
            device.forgottenAt = known?.forgottenAt
            try work.store.save(device)
        }
        guard let address else { return }
        try work.store.save(
            DeviceAddress(
                host: address.host, port: address.port, source: .remembered,
                succeededAt: work.clock.wall),
            of: card.device)
    }

    /// Gives the other devices of this person every space that this one may give them. One that cannot be
    /// given leaves the others to be given. Throws what the store throws.
    package func giveSiblings() throws -> EngineWork.Done {
        let siblings = try siblings(trusting: try trustedKeys())
        var done = EngineWork.Done()
        guard work.card() != nil, !siblings.isEmpty else { return done }
        for ledger in work.store.ledgers.values.sorted(by: { $0.space < $1.space }) {
            let lacking = lacking(siblings, in: ledger)
            guard !lacking.isEmpty else { continue }
            done.attempt("own devices not granted") { done in
                do {
                    done.merge(try work.readyEpoch(in: ledger.space))
                    done.merge(
                        try work.grant(
                            ledger.space, to: lacking,
                            flags: ledger.membership.permissions(of: work.device)))
                    done.rightsWritten.append(ledger.space)
                } catch StoreError.permissionRefused {
                    // It was taken from this device meanwhile.
                }
            }
        }
        return done
    }

    /// Of these devices of the same person, those that are to be given a space without being asked.
    package func lacking(_ siblings: [Card], in ledger: SpaceLedger) -> [Card] {
        let membership = ledger.membership
        let mine = membership.permissions(of: work.device)
        guard let own = membership.writingGrant(of: work.device) else { return [] }
        let lacking = siblings.filter { card in
            (!membership.permissions(of: card.device).isSuperset(of: mine)
                || (membership.hasAuthority(work.device) && !membership.hasAuthority(card.device)))
                && !membership.isSingledOut(card.device, against: work.device)
                // What was given and counts for nothing, or for less, is not given without end.
                && !membership.hasGiven(mine, to: card.device, under: own)
        }
        // A vault was chosen by somebody: the other devices of its person were not.
        guard mine.contains(.read), !lacking.isEmpty,
            work.store.standing(of: ledger.space) == .active
        else { return [] }
        return lacking
    }
}
