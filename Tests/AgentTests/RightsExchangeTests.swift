import Agent
import Identity
import LocalAPI
import Records
import Store
import SyncCore
import Synchronization
import Testing

@Suite("What is said of rights beside commits")
struct RightsExchangeTests {
    /// Two devices that hear each other's words on rights at once.
    private final class Wire: Sendable {
        private let ends = Mutex<[DeviceID: RightsExchange]>([:])
        /// What was said.
        let said = Mutex<[PeerMessage]>([])
        let session = SessionID(1)

        init(_ one: TestAgent, _ other: TestAgent) {
            connect(one, to: other)
            connect(other, to: one)
        }

        private func connect(_ agent: TestAgent, to other: TestAgent) {
            let (own, far) = (agent.node.identity.deviceID, other.node.identity.deviceID)
            let end = RightsExchange(agent.node) { message, session in
                self.said.withLock { $0.append(message) }
                self[far]?.received(message, from: own, on: session)
            }
            ends.withLock { $0[own] = end }
        }

        private subscript(device: DeviceID) -> RightsExchange? { ends.withLock { $0[device] } }

        func recover(
            _ agent: TestAgent, through other: TestAgent, with key: PersonKey
        ) async -> [RightsExchange.Recovered] {
            await self[agent.node.identity.deviceID]?
                .recover(with: key, on: [other.node.identity.deviceID: session]) ?? []
        }

        /// Lists a space to the other as a session does.
        func list(_ space: SpaceID, from agent: TestAgent, to other: TestAgent) throws {
            let (own, far) = (agent.node.identity.deviceID, other.node.identity.deviceID)
            let ledger = try #require(agent.node.store.ledger(of: space))
            let view = SpaceView(
                space: space, role: ledger.role, watermark: ledger.watermark,
                membership: ledger.membership)
            let summary = SpaceSummary(
                space: space, digest: ledger.watermark.digest, proof: view.proof(by: own, to: far))
            self[far]?.received(.spaces([summary], answer: false), from: own, on: session)
        }
    }

    /// Writing down what a key gives does not hold up a session.
    private func soon(_ what: () throws -> Bool) async throws {
        for _ in 0..<200 {
            if try what() { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        Issue.record("not within five seconds")
    }

    // MARK: Taken

    @Test("Who is no member any more is told by whom, and writes no more until given again")
    func taken() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.take(space, from: ann)
            try await ben.add("Before")
            try ann.take(space, from: ben)
            let wire = Wire(ann, ben)
            try wire.list(space, from: ben, to: ann)
            #expect(wire.said.withLock { $0 }.isEmpty)
            _ = try await ann.service.call(
                \.trips.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            try wire.list(space, from: ben, to: ann)
            try wire.list(space, from: ben, to: ann)
            #expect(wire.said.withLock { $0 }.count == 1)

            let status = try await ben.service.call(\.agent.status)
            let problem = try #require(status.problems.first { $0.kind == .taken })
            #expect(problem.sentence.contains("was taken from you by Ann"))
            let trip = try await ben.service.call(\.trips.show, id: "Arezzo")
            #expect(trip.role == nil && trip.problems.map(\.kind) == [.taken])
            #expect(try await ben.titles() == ["Before", "Duomo"])
            await #expect(throws: APIError.roleLost(trip: "Arezzo")) {
                try await ben.add("After")
            }
            // What nobody wants from him waits for nobody.
            #expect(status.devices.allSatisfy { $0.waiting == .nothing })

            _ = try await ann.service.call(
                \.trips.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            try ben.take(space, from: ann)
            let again = try await ben.service.call(\.trips.show, id: "Arezzo")
            #expect(again.role == .viewer && again.problems.isEmpty)
        }
    }

    @Test("Who is connected when a trip is taken from them hears at once, each time and once")
    func connected() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.take(space, from: ann)
            let said = Mutex(0)
            let exchange = RightsExchange(ann.node) { _, _ in said.withLock { $0 += 1 } }
            let sessions = [SessionID(1): ben.node.identity.deviceID]
            for count in 1...2 {
                exchange.changed(in: space, for: sessions)
                _ = try await ann.service.call(
                    \.trips.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
                exchange.changed(in: space, for: sessions)
                exchange.changed(in: space, for: sessions)
                #expect(said.withLock { $0 } == count)
                _ = try await ann.service.call(
                    \.trips.grant, id: "Arezzo", GrantDraft(person: "Ben"))
            }
        }
    }

    @Test("What does not take the space from this device is not believed, whoever says it")
    func forged() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try await TestAgent.with("Cleo") { cleo in
                try ann.meet(cleo)
                _ = try await ann.service.call(
                    \.trips.grant, id: "Arezzo", GrantDraft(person: "Cleo"))
                try ben.take(space, from: ann)
                try cleo.take(space, from: ann)
                _ = try await ann.service.call(
                    \.trips.revoke, id: "Arezzo", RevokeDraft(who: "Cleo"))
                let wire = Wire(ann, cleo)
                try wire.list(space, from: cleo, to: ann)
                let notice = try #require(wire.said.withLock { $0 }.first)
                // Ben stays a member, whatever Cleo lost.
                let exchange = RightsExchange(ben.node) { _, _ in }
                exchange.received(notice, from: cleo.node.identity.deviceID, on: wire.session)
                #expect(ben.node.takenNotice(of: space) == nil)
                #expect(cleo.node.takenNotice(of: space)?.person == ann.node.local.person)
            }
        }
    }

    // MARK: Recovery

    @Test("A key brings its person's new device back through a member who only reads")
    func recover() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann", key: key) { ann in
            try await TestAgent.with("Ben") { ben in
                let space = try await share(ann, with: ben)
                try await TestAgent.with("Ann", key: key) { new in
                    try ben.meet(new)
                    try new.meet(ben)
                    let wire = Wire(new, ben)
                    let found = await wire.recover(new, through: ben, with: key)
                    #expect(found.map(\.offer.title) == ["Arezzo"])
                    #expect(found.map(\.offer.flags) == [.all])
                    let device = new.node.identity.deviceID
                    try await soon {
                        ben.node.membership(of: space)?.permissions(of: device) == .all
                    }
                    try new.take(space, from: ben)
                    try await new.add("Again")
                    try ben.take(space, from: new)
                    #expect(try await ben.titles() == ["Again", "Duomo"])
                    #expect(await wire.recover(new, through: ben, with: key).isEmpty)

                    let lost = ann.node.reference(ann.node.identity.deviceID).id
                    let refused = try await new.service.call(
                        \.devices.lost, id: lost, LostDraft(preview: true))
                    #expect(refused.trips.map(\.outcome) == [.needsKey])
                    let view = try await new.service.call(
                        \.devices.lost, id: lost, LostDraft(recoveryKey: key.recoveryText))
                    #expect(view.trips.map(\.outcome) == [.taken])
                    try ben.take(space, from: new)
                    try await ann.add("Stolen")
                    try ben.take(space, from: ann)
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

    @Test("Who was removed does not come back by their key, nor does anybody by a false one")
    func refused() async throws {
        let key = PersonKey.generate()
        try await TestAgent.with("Ann") { ann in
            try await TestAgent.with("Ben", key: key) { ben in
                let space = try await share(ann, with: ben)
                try await TestAgent.with("Ben", key: key) { new in
                    try ann.meet(new)
                    try new.meet(ann)
                    let wire = Wire(new, ann)
                    let device = new.node.identity.deviceID
                    let exchange = RightsExchange(ann.node) { message, _ in
                        Issue.record("answered with \(message)")
                    }
                    let signed = RecoveryOffer.requestBytes(
                        by: device, to: ann.node.identity.deviceID)
                    exchange.received(
                        .recoveryRequest(PersonKey.generate().sign(.recovery, signed)),
                        from: device, on: wire.session)
                    let lost = ben.node.reference(ben.node.identity.deviceID).id
                    _ = try await ann.service.call(
                        \.trips.revoke, id: "Arezzo", RevokeDraft(who: lost))
                    #expect(await wire.recover(new, through: ann, with: key).count == 1)
                    try await soon {
                        ann.node.membership(of: space)?.permissions(of: device).isEmpty == false
                    }
                    _ = try await ann.service.call(
                        \.trips.revoke, id: "Arezzo",
                        RevokeDraft(who: new.node.local.person.description))
                    #expect(await wire.recover(new, through: ann, with: key).isEmpty)
                }
            }
        }
    }

    /// A trip of the first that the second may read and has.
    private func share(_ ann: TestAgent, with ben: TestAgent) async throws -> SpaceID {
        try ann.meet(ben)
        try ben.meet(ann)
        let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        try await ann.add("Duomo")
        _ = try await ann.service.call(
            \.trips.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
        let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
        try ben.take(space, from: ann)
        return space
    }
}
