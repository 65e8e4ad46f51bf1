import Device
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import Testing

@Suite("Devices that are lost with the one that let them in")
struct LostThroughAnotherTests {
    /// Ben, who heard that Ann's laptop is lost, and the card of a tablet that was paired on it.
    private func heard(
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ tablet: Card) async throws -> Void
    ) async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ben") { ben in
                let (identity, issuer) = (ann.node.identity, ann.node.cardIssuer)
                let tablet = try issuer.endorse(
                    issuer.request(by: .generate(), for: key.publicKey),
                    endorser: try #require(identity.unverifiedCard), keys: identity.keys)
                try ann.meet(ben)
                try ben.meet(ann)
                let saying = try #require(
                    LossSaying(ben.node.work, about: key.person, signedBy: key))
                let said = try saying.lost(try #require(identity.card), keeping: [])
                #expect(said.count == 1)
                #expect(try ben.node.work.losses.lostDevices() == [identity.deviceID])
                try await body(ann, ben, try CardVerifier().verify(tablet))
            }
        }
    }

    private func started(_ agent: TestAgent) -> Node {
        var node = Node(agent.node.work)
        _ = node.handle(.started, at: now(agent))
        return node
    }

    private func now(_ agent: TestAgent) -> Instant {
        Instant(monotonic: 0, wall: agent.node.clock.wall)
    }

    private func lost(_ actions: [Node.Action]) -> [DeviceID] {
        actions.compactMap { action in
            if case .note(.lost(let device)) = action { device } else { nil }
        }
    }

    @Test("A member is lost as soon as its card arrives in a space, though nobody here met it")
    func member() async throws {
        try await heard { ann, ben, tablet in
            // given
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .admin))
            try ben.take(space, from: ann)
            var node = started(ben)
            // when
            _ = try ann.node.work.members.grant(space, to: [tablet], flags: .all)
            try ben.take(space, from: ann)
            let actions = node.handle(.membershipChanged(space), at: now(ben))
            // then
            let membership = try #require(ben.node.membership(of: space))
            #expect(membership.readers.contains(tablet.device))
            let all: Set = [ann.node.identity.deviceID, tablet.device]
            #expect(try ben.node.work.losses.lostDevices() == all)
            #expect(lost(actions) == [tablet.device])
            #expect(!node.trusted.contains(tablet.content.signingKey))
        }
    }

    @Test("A peer is lost as soon as it shows its card")
    func peer() async throws {
        try await heard { ann, ben, tablet in
            // given
            var node = started(ben)
            // when
            try ben.node.work.devices.met(tablet, at: nil, skew: 0)
            let actions = node.handle(.sessionOpened(SessionID(1), tablet.device), at: now(ben))
            // then
            let all: Set = [ann.node.identity.deviceID, tablet.device]
            #expect(try ben.node.work.losses.lostDevices() == all)
            #expect(lost(actions) == [tablet.device])
        }
    }

    @Test("A device that calls the one that let it in lost, by the recovery key, keeps itself")
    func itself() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.withFolder { folder in
                try await TestAgent.live(in: folder) { phone in
                    // given
                    let laptop = ann.node.identity
                    var identity = phone.node.identity
                    let chain = try ann.node.cardIssuer.endorse(
                        ann.node.cardIssuer.request(by: identity.keys, for: key.publicKey),
                        endorser: try #require(laptop.unverifiedCard), keys: laptop.keys)
                    let card = try CardVerifier().verify(chain)
                    (identity.card, identity.unverifiedCard) = (card, chain)
                    phone.node.setIdentity(identity)
                    let trip = try await ann.service.call(
                        \.trips.create, TripDraft(name: "Arezzo"))
                    let space = try #require(
                        bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
                    _ = try ann.node.work.members.grant(space, to: [card], flags: .all)
                    try phone.meet(ann)
                    try phone.take(space, from: ann)
                    // when
                    let saying = try #require(
                        LossSaying(phone.node.work, about: key.person, signedBy: key))
                    let said = try saying.lost(try #require(laptop.card), keeping: [])
                    // then
                    #expect(said.map(\.said.kept) == [[card.device]])
                    let lost = try phone.node.work.losses.lostDevices()
                    #expect(lost == [laptop.deviceID])
                }
            }
        }
    }
}
