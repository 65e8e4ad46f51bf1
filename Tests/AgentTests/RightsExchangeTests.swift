import Agent
import Device
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import Synchronization
import TestDevices
import Testing

@Suite("Messages about rights outside commits")
struct RightsExchangeTests {
    /// Two devices that receive each other's messages on rights at once.
    private final class Wire: Sendable {
        private let agents: [DeviceID: TestAgent]
        private let nodes: Mutex<[DeviceID: Node]>
        private let far: [DeviceID: DeviceID]
        /// The sent messages.
        let said = Mutex<[PeerMessage]>([])
        let session = SessionID(1)

        init(_ one: TestAgent, _ other: TestAgent) throws {
            let ids = [one, other].map(\.node.identity.deviceID)
            agents = [ids[0]: one, ids[1]: other]
            nodes = Mutex([ids[0]: Node(one.node.work), ids[1]: Node(other.node.work)])
            far = [ids[0]: ids[1], ids[1]: ids[0]]
            for id in ids { try tell(.sessionOpened(session, far[id] ?? id), id) }
        }

        func tell(_ event: Node.Event, _ agent: TestAgent) throws {
            try tell(event, agent.node.identity.deviceID)
        }

        private func tell(_ event: Node.Event, _ device: DeviceID) throws {
            let agent = try #require(agents[device])
            let now = Instant(monotonic: 0, wall: agent.node.clock.wall)
            let actions = nodes.withLock { $0[device]?.handle(event, at: now) ?? [] }
            for action in actions {
                switch action {
                case .send(let message, let session):
                    said.withLock { $0.append(message) }
                    try tell(.received(message, session), try #require(far[device]))
                case .carryOut(.statements(let statements, let peer)):
                    for statement in statements {
                        _ = try agent.node.work.members.carry(statement, for: peer)
                    }
                case .note(.failed(_, let error)): throw error
                default: break
                }
            }
        }

        func recover(
            _ agent: TestAgent, with key: PersonKey
        ) throws -> [RightsExchange.Regained] {
            try tell(.recoveryBegan(key), agent)
            return nodes.withLock { $0[agent.node.identity.deviceID]?.endRegaining() ?? [] }
        }

        /// Lists a space to the other as a session does.
        func list(_ space: SpaceID, from agent: TestAgent, to other: TestAgent) throws {
            let (own, far) = (agent.node.identity.deviceID, other.node.identity.deviceID)
            let ledger = try #require(agent.node.store.ledger(of: space))
            let view = SpaceView(
                space: space, role: ledger.role, watermark: ledger.watermark,
                membership: ledger.membership)
            let summary = SpaceSummary(
                space: space, digest: ledger.watermark.digest(),
                proof: view.proof(by: own, to: far))
            try tell(.received(.spaces([summary], answer: false), session), other)
        }
    }

    // MARK: Revoked

    @Test("A former member is told who revoked, and writes no more until granted again")
    func taken() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await ben.add("Before")
            try ann.receive(space, from: ben)
            let wire = try Wire(ann, ben)
            try wire.list(space, from: ben, to: ann)
            #expect(wire.said.withLock { $0 }.isEmpty)
            _ = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            try wire.list(space, from: ben, to: ann)
            try wire.list(space, from: ben, to: ann)
            #expect(wire.said.withLock { $0 }.count == 1)

            let status = try await ben.service.call(\.agent.status)
            let problem = try #require(status.problems.first { $0.kind == .taken })
            #expect(problem.sentence.contains("was taken from you by Ann"))
            let trip = try await ben.service.call(\.trips.show, id: "Arezzo")
            #expect(trip.role == nil && trip.problems.map(\.kind) == [.taken])
            #expect(try await ben.titles() == ["Before", "Duomo"])
            await #expect(throws: SpaceErrors.roleLost(space: "Arezzo")) {
                try await ben.add("After")
            }
            // Nothing waits for changes of his that nobody wants.
            #expect(status.devices.allSatisfy { $0.waiting == .nothing })

            // Given again, it is back at once: Ben is asked nothing.
            let granted = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            #expect(granted.accepted)
            let problems = try await ann.service.call(\.agent.status).problems
            #expect(!problems.contains { $0.kind == .unanswered })
            try ben.receive(space, from: ann)
            let again = try await ben.service.call(\.trips.show, id: "Arezzo")
            #expect(again.role == .viewer && again.problems.isEmpty)
        }
    }

    @Test("A former writer is told how many changes of a record were not sent in time")
    func unsent() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            try await ben.add("Unsent")
            let wire = try Wire(ann, ben)
            _ = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            // when
            try wire.list(space, from: ben, to: ann)
            // then
            let mine = try await ben.service.call(\.agent.why, id: "Unsent", WhyScope())
            let other = try await ben.service.call(\.agent.why, id: "Duomo", WhyScope())
            let words = "1 change of it was not sent before this device lost its role"
            #expect(mine.verdict.contains(words), "\(mine.verdict)")
            #expect(!other.verdict.contains("not sent"), "\(other.verdict)")
        }
    }

    @Test("A former member's log says who revoked the trip, once, also after it was granted again")
    func takenInLog() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            let all = ChangeFilter(since: Moment(milliseconds: 0))
            func told(_ filter: ChangeFilter = all) async throws -> [ChangeEntry] {
                try await ben.service.call(\.changes.list, filter).entries.filter {
                    $0.changes.map(\.kind) == [.removed]
                }
            }
            let wire = try Wire(ann, ben)
            let look = try await ben.service.call(\.changes.list, ChangeFilter()).place
            _ = try await ben.service.call(\.changes.look, ChangeLook(trip: nil, place: look))
            try await Task.sleep(for: .milliseconds(20))
            // when
            _ = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            for _ in 0..<2 { try wire.list(space, from: ben, to: ann) }
            // then
            let entry = try #require(try await told().first)
            #expect(try await told() == [entry] && entry.space?.name == "Arezzo")
            #expect(try await told(ChangeFilter()) == [entry])
            #expect(Sentence.Changes.line(entry) == "Ann removed you")
            let german = Language.$asked.withValue(.german) { Sentence.Changes.line(entry) }
            #expect(german == "Ann: dich entfernt")
            // when
            _ = try await ben.service.call(\.changes.look, ChangeLook(trip: nil, place: look))
            // then
            #expect(try await told(ChangeFilter()).isEmpty)
            // when the commit arrives, as it is given again
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            try ben.receive(space, from: ann)
            // then
            #expect(try await told().map(Sentence.Changes.line) == ["Ann removed you"])
        }
    }

    @Test("A connected member receives each revocation at once, and only once")
    func connected() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let wire = try Wire(ann, ben)
            for count in 1...2 {
                try wire.tell(.rightsWritten(space), ann)
                _ = try await ann.service.call(
                    \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
                try wire.tell(.rightsWritten(space), ann)
                try wire.tell(.rightsWritten(space), ann)
                #expect(wire.said.withLock { $0 }.count == count)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben"))
            }
        }
    }

    @Test("No device is believed that sends a message which does not revoke this device's space")
    func forged() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try await TestAgent.with("Cleo") { cleo in
                try ann.meet(cleo)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo"))
                try ben.receive(space, from: ann)
                try cleo.receive(space, from: ann)
                _ = try await ann.service.call(
                    \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Cleo"))
                let wire = try Wire(ann, cleo)
                try wire.list(space, from: cleo, to: ann)
                let notice = try #require(wire.said.withLock { $0 }.first)
                // Ben stays a member, although Cleo lost the space.
                let other = try Wire(ben, cleo)
                try other.tell(.received(notice, other.session), ben)
                #expect(ben.node.revocationNotice(of: space) == nil)
                #expect(cleo.node.revocationNotice(of: space)?.person == ann.node.local.person)
            }
        }
    }

    // MARK: Lost devices

    @Test("A statement about a lost device that was damaged on the disk is received again")
    func damagedStatement() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ann", key: key) { lost in
                try await TestAgent.withFolder { folder in
                    // given another device of Ann's that has a damaged copy of what she said
                    try ann.meet(lost)
                    let device = lost.node.identity.deviceID
                    let view = try await ann.service.call(
                        \.devices.lost, id: ann.node.reference(device).id,
                        LostDraft(recoveryKey: key.recoveryText))
                    #expect(view.call == .everybody)
                    let damaged = try ann.node.store.losses.all().map {
                        StoredLossStatement(
                            id: $0.id, person: $0.person, heardAt: $0.heardAt,
                            content: $0.content.map { ~$0 })
                    }
                    #expect(!damaged.isEmpty)
                    try await TestAgent.live(in: folder, as: "Ann", key: key) { other in
                        let node = other.node
                        try IdentityStore.save(node.identity, in: node.store, node.home)
                        try other.meet(ann)
                        try ann.meet(other)
                        try node.store.losses.keep(damaged, dropping: [])
                    }
                    try await TestAgent.live(in: folder) { other in
                        #expect(try other.node.work.losses.lostDevices().isEmpty)
                        // when
                        _ = try Wire(other, ann)
                        // then
                        #expect(try other.node.work.losses.lostDevices() == [device])
                        let read = WorkMemory(other.node.store).losses
                        #expect(try read.lostDevices() == [device])
                    }
                }
            }
        }
    }

    // MARK: Recovery

    @Test("A key readmits its person's new device through a member who only reads")
    func recover() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ben") { ben in
                let space = try await share(ann, with: ben)
                try await TestAgent.with("Ann", key: key) { new in
                    try ben.meet(new)
                    try new.meet(ben)
                    let wire = try Wire(new, ben)
                    let found = try wire.recover(new, with: key)
                    #expect(found.map(\.offer.title) == ["Arezzo"])
                    #expect(found.map(\.offer.flags) == [.all])
                    let device = new.node.identity.deviceID
                    #expect(ben.node.membership(of: space)?.permissions(of: device) == .all)
                    try new.receive(space, from: ben)
                    try await new.add("Again")
                    try ben.receive(space, from: new)
                    #expect(try await ben.titles() == ["Again", "Duomo"])
                    #expect(try wire.recover(new, with: key).isEmpty)

                    let lost = ann.node.reference(ann.node.identity.deviceID).id
                    let refused = try await new.service.call(
                        \.devices.lost, id: lost, LostDraft(preview: true))
                    #expect(refused.trips.map(\.outcome) == [.needsKey])
                    let view = try await new.service.call(
                        \.devices.lost, id: lost, LostDraft(recoveryKey: key.recoveryText))
                    #expect(view.trips.map(\.outcome) == [.taken])
                    try ben.receive(space, from: new)
                    try await ann.add("Stolen")
                    try ben.receive(space, from: ann)
                    #expect(try await ben.titles() == ["Again", "Duomo"])
                    let log = try await ben.service.call(
                        \.changes.list, ChangeFilter(since: Moment(milliseconds: 0)))
                    let told = log.entries.flatMap(\.changes).filter {
                        [.recoveredDevice, .removedDevice].contains($0.kind)
                    }
                    #expect(Set(told.map(\.kind)) == [.recoveredDevice, .removedDevice])
                    #expect(Set(told.map(\.person?.id)) == [ben.node.reference(device).id, lost])
                }
            }
        }
    }

    @Test("A key readmits nobody if no member is paired with the device that has it")
    func unpaired() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ben") { ben in
                let space = try await share(ann, with: ben)
                try await TestAgent.with("Ann", key: key) { thief in
                    let device = thief.node.identity.deviceID
                    // Ben knows the device, as if from a common space.
                    try ben.greet(thief, clockSkew: 0)
                    try thief.meet(ben)
                    let wire = try Wire(thief, ben)
                    #expect(try wire.recover(thief, with: key).isEmpty)
                    // Nor by messages sent without a request.
                    let card = try #require(thief.node.identity.card)
                    let grant = try #require(ben.node.membership(of: space)?.recovery(of: card))
                    let statement = key.statement(
                        .grant(
                            UnverifiedGrant(
                                card: try #require(thief.node.identity.unverifiedCard),
                                parent: try #require(grant.parent), flags: grant.flags,
                                siblingIndex: 1, precedence: grant.precedence)),
                        in: space)
                    try wire.tell(.received(.recoveryStatements([statement]), wire.session), ben)
                    #expect(ben.node.membership(of: space)?.permissions(of: device) == [])
                    // when a person pairs with it
                    try ben.meet(thief)
                    try wire.tell(.received(.recoveryStatements([statement]), wire.session), ben)
                    #expect(ben.node.membership(of: space)?.permissions(of: device) == .all)
                }
            }
        }
    }

    @Test("A removed member does not return by their key, nor anybody by a false one")
    func refused() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann") { ann in
            try await TestAgent.with("Ben", key: key) { ben in
                let space = try await share(ann, with: ben)
                try await TestAgent.with("Ben", key: key) { new in
                    try ann.meet(new)
                    try new.meet(ann)
                    let wire = try Wire(new, ann)
                    let device = new.node.identity.deviceID
                    let signed = RecoveryOffer.requestBytes(
                        by: device, to: ann.node.identity.deviceID)
                    let forged = PersonKey.generate().sign(.recovery, signed)
                    try wire.tell(.received(.recoveryRequest(forged), wire.session), ann)
                    #expect(wire.said.withLock { $0 }.isEmpty)
                    let lost = ben.node.reference(ben.node.identity.deviceID).id
                    _ = try await ann.service.call(
                        \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: lost))
                    #expect(try wire.recover(new, with: key).count == 1)
                    #expect(
                        ann.node.membership(of: space)?.permissions(of: device).isEmpty == false)
                    _ = try await ann.service.call(
                        \.trips.sharing.revoke, id: "Arezzo",
                        RevokeDraft(who: new.node.local.person.description))
                    #expect(try wire.recover(new, with: key).isEmpty)
                }
            }
        }
    }

    @Test("An exchanged key readmits its person, and the old one nobody")
    func exchanged() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ben") { ben in
                let space = try await share(ann, with: ben)
                func rights(of device: DeviceID, at agent: TestAgent) -> Permissions? {
                    agent.node.membership(of: space)?.permissions(of: device)
                }
                // A thief was readmitted by the key alone, and so cannot exchange it.
                let text = key.recoveryText
                let new = try KeyExchangeService.successor(of: text)
                try await back(with: key, by: ben) { thief, wire in
                    let device = thief.node.identity.deviceID
                    try ann.receive(space, from: ben)
                    try thief.receive(space, from: ben)
                    #expect(rights(of: device, at: ann) == .all)
                    await #expect(throws: cameByRecoveryKey) {
                        try await exchange(text, for: new, at: thief)
                    }

                    // when Ann does
                    let preview = try await exchange(text, for: new, at: ann, preview: true)
                    #expect(preview.putOut.map(\.id) == [ann.node.reference(device).id])
                    #expect(rights(of: device, at: ann) == .all)
                    let view = try await exchange(text, for: new, at: ann)
                    #expect(view.trips.map(\.name) == ["Arezzo"] && view.elsewhere.isEmpty)

                    // then the thief is out, and the old key is useless
                    try ben.receive(space, from: ann)
                    #expect(rights(of: device, at: ann) == [] && rights(of: device, at: ben) == [])
                    #expect(try wire.recover(thief, with: key).isEmpty)
                }
                await #expect(throws: exchangedKey) {
                    try await exchange(text, for: new, at: ann)
                }
                for (typed, isOld) in [(text, true), (new, false)] {
                    let tested = try await ann.service.call(
                        \.devices.testKey, RecoveryKeyDraft(recoveryKey: typed))
                    #expect(tested.me && tested.exchanged == isOld)
                }
                // The new key readmits Ann.
                try await back(with: PersonKey(recoveryText: new), by: ben) { again, wire in
                    #expect(again.node.identity.person == ann.node.identity.person)
                    #expect(rights(of: again.node.identity.deviceID, at: ben) == .all)
                    let byOld = try wire.recover(again, with: key)
                    #expect(byOld.isEmpty)
                }
            }
        }
    }

    /// A new device of Ann's that a member has readmitted by her key.
    private func back(
        with key: PersonKey, by ben: TestAgent, _ body: (TestAgent, Wire) async throws -> Void
    ) async throws {
        try await TestAgent.with("Ann", key: key) { new in
            try ben.meet(new)
            try new.meet(ben)
            let wire = try Wire(new, ben)
            #expect(try wire.recover(new, with: key).count == 1)
            try await body(new, wire)
        }
    }

    @discardableResult
    private func exchange(
        _ old: String, for new: String, at agent: TestAgent, preview: Bool = false
    ) async throws -> KeyExchangeView {
        try await agent.service.call(
            \.devices.exchangeKey,
            KeyExchangeDraft(recoveryKey: old, newRecoveryKey: new, preview: preview))
    }

    /// A trip of the first person that the second may read and has.
    private func share(_ ann: TestAgent, with ben: TestAgent) async throws -> SpaceID {
        try ann.meet(ben)
        try ben.meet(ann)
        let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        try await ann.add("Duomo")
        _ = try await ann.service.call(
            \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
        let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
        try ben.receive(space, from: ann)
        return space
    }
}

private let cameByRecoveryKey = APIError(
    code: .notAllowed,
    sentence: """
        This device came into your trips by the recovery key alone: the same could be said of a thief's.
        """,
    hint: """
        Exchange it on another device of yours, or ask an admin of a trip first: peersync trip grant \
        TRIP, with the name of this device.
        """)

private let exchangedKey = APIError(
    code: .conflict,
    sentence: "You exchanged this recovery key: it means nothing any more.",
    hint: "Use the one that you got then.")
