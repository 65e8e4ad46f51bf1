package import Identity
import LocalAPI
internal import Logging
import Node
import Records
import Store
import SyncCore

/// Stores the results of pairing.
package struct PairingStore: Sendable {
    private let node: AgentNode

    package init(_ node: AgentNode) { self.node = node }

    /// Refuses a join that this device cannot make, or that the person must confirm first.
    package func checkJoin(mine: Bool, replacePerson: Bool) throws {
        let identity = node.identity
        guard mine else {
            guard identity.card != nil else { throw APIError.notInitialised }
            return
        }
        guard identity.card != nil, !replacePerson else { return }
        let passed = passedOn(by: identity.deviceID).map { node.schema(of: $0.space) }
        let trips = passed.count { $0?.isJournal ?? false }
        throw personWouldBeReplaced(
            mine: identity.personName, surviving: tr("the other device's person"),
            trips: trips, spaces: passed.count - trips)
    }

    /// The spaces that a new person of this device is granted: those of which it is an admin.
    private func passedOn(by device: DeviceID) -> [SpaceLedger] {
        node.store.ledgers.values.filter {
            $0.role == .shared && $0.membership.permissions(of: device).contains(.admin)
        }
    }

    /// Stores what both people agreed on; `host` is the other device's address. Durable when it
    /// returns.
    package func keep(
        _ result: PairingResult, asHost: Bool, with host: String
    ) async throws {
        if result.mine, !asHost { try await adopt(result) }
        let device = StoredDevice(
            card: result.card, deviceName: result.deviceName, personName: result.personName,
            pairedAt: node.clock.wall)
        var addresses: [DeviceAddress] = []
        if result.listeningPort != 0 {
            addresses.append(
                DeviceAddress(
                    host: host, port: result.listeningPort,
                    source: .remembered, succeededAt: node.clock.wall))
        }
        try node.store.devices.storePairing(device, addresses: addresses)
        node.handle(.paired(device.device, device.person, isMine: result.mine && asHost))
    }

    /// Makes this device another device of the host's person. The trips of its previous person are
    /// granted to the new person's device first.
    private func adopt(_ result: PairingResult) async throws {
        guard let endorsement = result.endorsement, let joined = result.joinedCard else {
            throw AgentError.notInitialised
        }
        var identity = node.identity
        if identity.card != nil, identity.person != joined.person {
            for ledger in passedOn(by: identity.deviceID) {
                let mine = ledger.membership.permissions(of: identity.deviceID)
                try await node.sharing.grant(
                    ledger.space, to: [result.card], flags: mine, authority: false, isFromNow: false
                )
            }
        }
        identity.card = joined
        identity.unverifiedCard = endorsement.card
        identity.personName = endorsement.personName
        identity.homeSpace = endorsement.homeSpace
        let offer = Offer(title: "", from: result.personName, flags: .all, bytes: 0)
        _ = try node.store.spaces.saveOffer(
            offer, of: endorsement.homeSpace, by: result.card.device)
        try node.store.spaces.setStanding(
            of: endorsement.homeSpace, to: .active, now: node.clock.wall)
        try IdentityStore.save(identity, in: node.store, node.home)
        node.setIdentity(identity)
        await node.loop.submit(.personChanged(joined.person))
        await node.loop.submit(.spaceAccepted(endorsement.homeSpace))
        node.outputs.made?.identityChanged(endorsement.card)
    }
}

/// `join --mine` on a device that already has a person. `spaces` follow other schemas than the trips.
private func personWouldBeReplaced(
    mine: String, surviving: String, trips: Int, spaces: Int
) -> APIError {
    var parts: [String] = []
    if trips > 0 || spaces == 0 { parts.append(Sentence.count(trips, "trip", "trips")) }
    if spaces > 0 { parts.append(Sentence.count(spaces, "space", "spaces")) }
    let passed = Sentence.Member.list(parts)
    return APIError(
        code: .confirmationNeeded,
        sentence: """
            This device belongs to \(Sentence.plain(mine)). It would become a device of \
            \(Sentence.plain(surviving)), \
            and \(passed) of \(Sentence.plain(mine)) would be handed over to \
            \(Sentence.plain(surviving)) first.
            """,
        hint: "To agree without being asked, add --yes.")
}
