import Device
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
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
            try ben.receive(space, from: ann)
            var node = started(ben)
            // when
            _ = try ann.node.work.members.grant(space, to: [tablet], flags: .all)
            try ben.receive(space, from: ann)
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

    @Test("Words about a lost device name what it is lost with, and what takes that back")
    func words() async throws {
        try await heard { ann, ben, tablet in
            // given
            try ben.node.work.devices.met(tablet, at: nil, skew: 0)
            let laptop = ann.node.identity.deviceID
            let words = StatusWords(ben.node)
            func command(_ device: DeviceID) -> String {
                "peersync device found \(Sentence.quoted(ben.node.distinctReference(device).name))"
            }
            // when
            let loss = try #require(try ben.node.work.losses.loss(of: tablet.device))
            let elder = try #require(try ben.node.work.losses.loss(of: laptop))
            // then
            #expect(loss == KnownLoss(since: nil, by: nil, through: laptop))
            #expect(elder.by == nil && elder.through == nil && elder.since != nil)
            let there = words.view(of: .deviceLost(tablet.device, loss))
            let byTheKey = command(laptop) + " --recovery-file FILE"
            #expect(there.remedy?.hasSuffix(byTheKey) == true)
            let byKey = words.view(of: .deviceLost(laptop, elder))
            #expect(byKey.remedy?.hasSuffix(byTheKey) == true)
            let here = words.view(of: .calledLost(loss))
            #expect(here.sentence.hasPrefix("This device came to you through "))
            #expect(here.remedy?.contains(byTheKey + ". If it stays lost") == true)
            #expect(here.remedy?.hasSuffix(" --recovery-file FILE") == true)
            #expect(words.view(of: .calledLost(elder)).sentence.hasPrefix("Your recovery key "))
            let former = words.view(of: .calledLost(KnownLoss(since: nil, by: nil)))
            #expect(former.sentence.hasPrefix("This device came in with a recovery key "))
        }
    }

    /// Ann's laptop with a trip, and a phone of hers that was paired on it and has the trip.
    private func phone(
        _ body: (_ ann: TestAgent, _ phone: TestAgent, _ card: Card, _ key: PersonKey) async throws
            -> Void
    ) async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.withFolder { folder in
                try await TestAgent.live(in: folder) { phone in
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
                    try phone.receive(space, from: ann)
                    try await body(ann, phone, card, key)
                }
            }
        }
    }

    @Test("A device that calls the one that let it in lost, by the recovery key, keeps itself")
    func itself() async throws {
        try await phone { ann, phone, card, key in
            // when
            let saying = try #require(LossSaying(phone.node.work, about: key.person, signedBy: key))
            let laptop = ann.node.identity
            let said = try saying.lost(try #require(laptop.card), keeping: [])
            // then
            #expect(said.map(\.said.kept) == [[card.device]])
            #expect(try phone.node.work.losses.lostDevices() == [laptop.deviceID])
        }
    }

    @Test("A second request about an older device still says that the recovery key can do more")
    func secondRequest() async throws {
        try await phone { ann, phone, _, _ in
            // given
            let laptop = phone.node.reference(ann.node.identity.deviceID).id
            let first = try await phone.service.call(\.devices.lost, id: laptop, LostDraft())
            #expect(first.call == .needsKey && first.trips.map(\.outcome) == [.needsKey])
            // when
            let second = try await phone.service.call(
                \.devices.lost, id: laptop, LostDraft(preview: true))
            // then
            #expect(second.call == .needsKey && !second.again)
        }
    }

    @Test("A lost device that writes is told that it is lost, not that its person is no member")
    func writes() async throws {
        try await phone { ann, phone, card, key in
            // given
            _ = try await ann.service.call(
                \.devices.lost, id: ann.node.reference(card.device).id, LostDraft())
            let trip = try #require(try await ann.service.call(\.trips.list).first)
            let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            try phone.receive(space, from: ann)
            let saying = try #require(LossSaying(phone.node.work, about: key.person, signedBy: key))
            _ = try saying.lost(card, keeping: [])
            // then
            let error = SpaceErrors.deviceLost(
                space: "Arezzo", device: phone.node.reference(card.device).name, isByDevice: false)
            await #expect(throws: error) {
                // when
                try await phone.add("After")
            }
        }
    }

    @Test("A device that was found gets back what was taken from it, and no more is listed")
    func foundAgain() async throws {
        try await phone { ann, phone, card, key in
            // given
            let id = ann.node.reference(card.device).id
            let saying = try #require(LossSaying(ann.node.work, about: key.person, signedBy: key))
            _ = try saying.lost(card, keeping: [])
            // when nothing was taken
            let kept = try await ann.service.call(
                \.devices.found, id: id, FoundDraft(recoveryKey: key.recoveryText))
            // then
            #expect(kept.trips.isEmpty)
            // when the trip was taken
            let lost = try await ann.service.call(\.devices.lost, id: id, LostDraft())
            #expect(lost.trips.map(\.outcome) == [.taken])
            let found = try await ann.service.call(\.devices.found, id: id, FoundDraft())
            // then
            #expect(found.trips.map(\.name) == ["Arezzo"])
        }
    }

    @Test("A device that is lost with another one is told on which device that can be taken back")
    func signer() async throws {
        try await phone { ann, phone, card, key in
            // given
            let (identity, issuer) = (phone.node.identity, phone.node.cardIssuer)
            let chain = try issuer.endorse(
                issuer.request(by: .generate(), for: key.publicKey),
                endorser: try #require(identity.unverifiedCard), keys: identity.keys)
            let tablet = try CardVerifier().verify(chain)
            try ann.meet(phone)
            try ann.node.work.devices.met(tablet, at: nil, skew: 0)
            // when
            let id = ann.node.reference(card.device).id
            let view = try await ann.service.call(\.devices.lost, id: id, LostDraft())
            let loss = try #require(try ann.node.work.losses.loss(of: tablet.device))
            // then
            #expect(view.lostWithIt.map(\.id) == [ann.node.reference(tablet.device).id])
            #expect(loss.cause == .through(card.device))
            let own = ann.node.distinctReference(ann.node.identity.deviceID)
            let laptop = Sentence.plain(own.name)
            let remedy = StatusWords(ann.node).view(of: .calledLost(loss)).remedy
            #expect(remedy?.contains("Type on \(laptop): peersync device found ") == true)
            #expect(remedy?.contains("--recovery-file") == false)
        }
    }

    @Test("What the recovery key said of a device only the recovery key can take back")
    func onlyKey() async throws {
        try await phone { ann, phone, _, key in
            // given
            let saying = try #require(LossSaying(phone.node.work, about: key.person, signedBy: key))
            _ = try saying.lost(try #require(ann.node.identity.card), keeping: [])
            let laptop = phone.node.reference(ann.node.identity.deviceID).id
            // when
            let error = await #expect(throws: APIError.self) {
                _ = try await phone.service.call(\.devices.found, id: laptop, FoundDraft())
            }
            // then
            #expect(error?.hint == "Only your recovery key can: --recovery-file FILE")
        }
    }
}
