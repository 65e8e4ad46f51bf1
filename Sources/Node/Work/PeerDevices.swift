internal import Identity
package import Store
package import SyncCore
internal import Wire

/// Other devices: those to trust, and what the other devices of this person should have.
package struct PeerDevices: Sendable {
    private let work: EngineWork

    init(_ work: EngineWork) { self.work = work }

    /// Trusted are paired devices and the members of every space that is here: of one that this device
    /// left, too, because they still have to hear of it. Lost ones are not. Their signing keys.
    package func trustedKeys() throws -> Set<Bytes32> {
        let lost = try work.losses.lostDevices()
        let paired = try work.store.devices.all().filter {
            $0.isPaired && !lost.contains($0.device)
        }
        var keys = Set(paired.map(\.signingKey))
        for ledger in work.store.ledgers.values {
            for member in ledger.membership.members
            where !lost.contains(member.standing.card.device) {
                keys.insert(member.standing.card.content.signingKey)
            }
        }
        keys.remove(work.keys.signingKey)
        return keys
    }

    private func trusted(by keys: Set<Bytes32>) throws -> [StoredDevice] {
        try work.store.devices.all().filter { keys.contains($0.signingKey) }
    }

    /// Addresses of every trusted device.
    package func addresses(trusting keys: Set<Bytes32>) throws -> [DeviceID: [HostPort]] {
        try addresses(of: try trusted(by: keys))
    }

    private func addresses(of devices: [StoredDevice]) throws -> [DeviceID: [HostPort]] {
        var found: [DeviceID: [HostPort]] = [:]
        for device in devices {
            found[device.device] = try work.store.devices.addresses(of: device.device)
                .map { HostPort(host: $0.host, port: $0.port) }
        }
        return found
    }

    /// What dialling has to know, of the devices that are trusted.
    package func facts(
        trusting keys: Set<Bytes32>, sessions: [DeviceID: Bool], refusing: Set<DeviceID>
    ) throws -> Dialing.Facts {
        let devices = try trusted(by: keys)
        return Dialing.Facts(
            device: work.device, siblings: Set(siblings(among: devices).map(\.device)),
            addresses: try addresses(of: devices), sessions: sessions, refusing: refusing)
    }

    /// The other devices of this person. One that was forgotten here is none, even where somebody lets it in:
    /// it comes back by pairing with it again. A lost one is not trusted, and so is none.
    private func siblings(among devices: [StoredDevice]) -> [StoredDevice] {
        let person = work.person
        return devices.filter {
            $0.person == person && $0.device != work.device && $0.forgottenAt == nil
        }
    }

    func card(of device: DeviceID) throws -> Card? {
        try work.store.devices.device(device).map { try verifiedCard(of: $0) }
    }

    /// Throws what is wrong with a card that does not hold.
    package func verifiedCard(of device: StoredDevice) throws -> Card {
        try CardVerifier(signatures: work.signatures).verify(try CardCodec().decode(device.card))
    }

    /// A peer said hello: it is remembered with its card and, where it listens, its address. Throws what
    /// the store throws.
    package func met(_ card: Card, at address: HostPort?, skew: Int64) throws {
        if skew.magnitude > Limits.clockSkewMilliseconds {
            try work.store.devices.noteSkew(skew, of: card.device)
        }
        let known = try work.store.devices.device(card.device)
        if known == nil || known?.card != card.encoded {
            var device = StoredDevice(
                card: card, deviceName: known?.deviceName ?? "",
                personName: known?.personName ?? "", pairedAt: known?.pairedAt)
            device.syncedAt = known?.syncedAt
            device.forgottenAt = known?.forgottenAt
            try work.store.devices.save(device)
        }
        guard let address else { return }
        try work.store.devices.save(
            DeviceAddress(
                host: address.host, port: address.port, source: .remembered,
                succeededAt: work.clock.wall),
            of: card.device)
    }

    /// Gives the other devices of this person every space that this one may give them. One that cannot be
    /// given leaves the others to be given. Throws what the store throws.
    package func giveSiblings() throws -> EngineWork.Done {
        var done = EngineWork.Done()
        guard work.card() != nil else { return done }
        var cards: [Card] = []
        let siblings = siblings(among: try trusted(by: try trustedKeys()))
        // Devices let in by the recovery key alone must be paired first: a thief may have the key.
        let letIn = siblings.allSatisfy(\.isPaired) ? [] : work.store.letInByMembers
        for device in siblings where device.isPaired || letIn.contains(device.device) {
            done.attempt("a stored card does not hold", isWriting: false) { _ in
                cards.append(try verifiedCard(of: device))
            }
        }
        guard !cards.isEmpty else { return done }
        for ledger in work.joined {
            let lacking = lacking(cards, in: ledger)
            guard !lacking.isEmpty else { continue }
            let flags = ledger.membership.permissions(of: work.device)
            done.changeRights(in: ledger.space, "own devices not granted", by: work) {
                try work.members.grant(ledger.space, to: lacking, flags: flags)
            }
        }
        return done
    }

    // MARK: Lost devices

    /// How long to wait before rights are taken from lost devices: other devices of their person come first,
    /// then everybody else, each in turn. Nil when there is nothing that this device may take.
    func secondsUntilTaking() throws -> Int? {
        let takings = try rightsOfLost()
        guard !takings.isEmpty else { return nil }
        let lost = try work.losses.lostBySeniors()
        let isOwn = takings.contains { taking in
            taking.lost.contains { $0.standing.card.person == work.person }
        }
        let members = Set(
            takings.flatMap { $0.ledger.membership.members }.map(\.standing.card)
                .filter { !lost.contains($0.device) && ($0.person == work.person || !isOwn) }
                .map(\.device))
        return (isOwn ? Limits.lossTakingSeconds : Limits.lossTakingSecondsOfOthers)
            + members.secondsBefore(work.device)
    }

    /// Takes every space from lost devices that this one may take from them. One that cannot be taken leaves the
    /// others to be taken. Throws what the store throws.
    func revokeFromLost() throws -> EngineWork.Done {
        var done = EngineWork.Done()
        for (ledger, lost) in try rightsOfLost() {
            done.changeRights(in: ledger.space, "rights of a lost device not taken", by: work) {
                try work.members.revoke(RightsTaking(grants: lost.map(\.grant)), in: ledger.space)
            }
        }
        return done
    }

    /// The spaces in which lost devices have something that this one may take.
    private func rightsOfLost() throws -> [(
        ledger: SpaceLedger, lost: [(grant: FactReference, standing: GrantStanding)]
    )] {
        let lost = try work.losses.lostBySeniors()
        // A device that is called lost itself leaves that to others: the caller may have stolen the key, and those
        // that came in through this device are lost by the same word.
        guard !lost.isEmpty, try !work.losses.lostDevices().contains(work.device) else { return [] }
        return work.joined.compactMap { ledger in
            let membership = ledger.membership
            let found = membership.members.filter { member in
                lost.contains(member.standing.card.device)
                    && membership.canRestrict(member.grant, from: work.device)
            }
            return found.isEmpty ? nil : (ledger, found)
        }
    }

    /// Writes down what the key of a person gives to a device of theirs. A statement that cannot be written
    /// leaves the others to be written.
    func carry(
        _ statements: [UnverifiedPersonStatement], for device: DeviceID
    ) -> EngineWork.Done {
        var done = EngineWork.Done()
        for statement in statements {
            done.changeRights(in: statement.space, "recovery not written", by: work) {
                try work.members.carry(statement, for: device)
            }
        }
        return done
    }

    /// Of these devices of the same person, those that are to be given a space without being asked.
    private func lacking(_ siblings: [Card], in ledger: SpaceLedger) -> [Card] {
        let membership = ledger.membership
        let mine = membership.permissions(of: work.device)
        guard let own = membership.writingGrant(of: work.device) else { return [] }
        let leaves = Leaves(membership)
        var places = membership.places
        // A vault was chosen by somebody: the other devices of its person were not.
        guard mine.contains(.read) else { return [] }
        return siblings.filter { card in
            (!membership.permissions(of: card.device).isSuperset(of: mine)
                || (membership.hasAuthority(work.device) && !membership.hasAuthority(card.device)))
                && !leaves.isSingledOut(card.device, against: work.device)
                // What was given and counts for nothing, or for less, is not given without end.
                && !membership.hasGiven(mine, to: card.device, under: own)
                && places.claim(for: card, byKey: false)
        }
    }
}

extension Limits {
    /// Seconds after which a device takes rights from a lost one of its person, and from others' lost ones.
    static let lossTakingSeconds = 1
    static let lossTakingSecondsOfOthers = 30
}
