import Agent
import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("An invitation that is taken back before it is answered")
struct TakenBackInvitationTests {
    /// What the invited device decides about messages of the devices that it has sessions with.
    private struct Invited {
        let ben: TestAgent
        let space: SpaceID
        var node: Node

        init(_ ben: TestAgent, _ space: SpaceID, from peers: [DeviceID]) throws {
            (self.ben, self.space, node) = (ben, space, Node(ben.node.work))
            for (number, device) in peers.enumerated() {
                try handle(.sessionOpened(SessionID(UInt64(number)), device))
            }
        }

        mutating func handle(_ event: Node.Event) throws {
            let now = Instant(monotonic: 0, wall: ben.node.clock.wall)
            for action in node.handle(event, at: now) {
                switch action {
                case .carryOut(let duty): _ = try duty.done(by: ben.node.work)
                case .note(.failed(_, let error)): throw error
                default: break
                }
            }
        }

        /// A peer lists the space with an offer, or no space at all.
        mutating func list(_ offer: Offer?, on session: UInt64 = 0, answer: Bool) throws {
            let summaries = offer.map {
                SpaceSummary(space: space, digest: Watermark().digest(), offer: $0)
            }
            let message = PeerMessage.spaces([summaries].compactMap(\.self), answer: answer)
            try handle(.received(message, SessionID(session)))
        }

        func invitations() async throws -> [String] {
            let listed = try await ben.service.call(\.trips.list).map(\.name)
            let told = try await ben.service.call(\.agent.status).problems
                .filter { $0.kind == .invitation }
            #expect(told.count == listed.count)
            return listed
        }
    }

    private let offer = Offer(title: "Arezzo", from: "Ann", flags: .contributor, bytes: 0)

    @Test("goes with the first list of its giver that does not name it, and can be made again")
    func notListed() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            var invited = try Invited(ben, space, from: [ann.node.identity.deviceID])
            // when
            try invited.list(nil, answer: true)
            try invited.list(offer, answer: false)
            // then
            #expect(try await invited.invitations() == ["Arezzo"])
            // when
            try invited.list(nil, answer: false)
            // then
            #expect(try await invited.invitations().isEmpty)
            await #expect(throws: APIError.self) {
                try await ben.service.call(\.trips.sharing.accept, id: "Arezzo")
            }
            // when
            try invited.list(offer, answer: true)
            // then
            #expect(try await invited.invitations() == ["Arezzo"])
        }
    }

    @Test("goes at once when the giver is connected")
    func connected() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            var invited = try Invited(ben, space, from: [ann.node.identity.deviceID])
            try invited.handle(.received(.taken(space, []), SessionID(0)))
            #expect(try await invited.invitations().isEmpty)
        }
    }

    @Test("stays when somebody else says that it is gone, and while another device offers it")
    func others() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try await TestAgent.with("Cleo") { cleo in
                let (giver, other) = (ann.node.identity.deviceID, cleo.node.identity.deviceID)
                var invited = try Invited(ben, space, from: [giver, other])
                // when
                try invited.list(nil, on: 1, answer: false)
                // then
                #expect(try await invited.invitations() == ["Arezzo"])
                // when
                try invited.list(offer, on: 1, answer: false)
                try invited.list(nil, on: 0, answer: false)
                // then
                #expect(try await invited.invitations() == ["Arezzo"])
                #expect(try ben.node.store.spaces.space(space)?.offeredBy == other)
                // when
                try invited.list(nil, on: 1, answer: false)
                // then
                #expect(try await invited.invitations().isEmpty)
            }
        }
    }

    @Test("One that is accepted stays accepted, and waits for a device that is connected")
    func accepted() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            let trip = try await ben.service.call(\.trips.sharing.accept, id: "Arezzo")
            #expect(trip.state == .offline)
            var invited = try Invited(ben, space, from: [ann.node.identity.deviceID])
            try invited.list(nil, answer: false)
            #expect(try await ben.service.call(\.trips.list).map(\.membership) == [.member])
        }
    }
}
