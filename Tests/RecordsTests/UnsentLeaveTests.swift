import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("A leave of which nobody else knows yet")
struct UnsentLeaveTests {
    private let session = SessionID(1)

    @Test("Changes that only this device has are told before a leave, and until a member knows it")
    func untilKnown() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            try await ben.add("Campanile")
            let before = try #require(
                try await ben.service.call(\.trips.show, id: "Arezzo").unsent)
            #expect(before > 0)
            #expect(try ben.node.sync.unsentLeaves().isEmpty)
            // when
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            // then
            #expect(try ben.node.sync.unsentLeaves() == [UnsentLeave(space, changes: before)])
            // when
            try ann.receive(space, from: ben)
            let answer = try #require(try answers(of: ann, to: ben, in: space).first)
            try tell(ben, of: answer, from: ann)
            // then
            #expect(try ben.node.sync.unsentLeaves().isEmpty)
        }
    }

    @Test("An unsent leave waits, with its remedy, and asks for no decision")
    func words() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            try await ben.add("Campanile")
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            var facts = StatusFacts()
            facts.leaves = try ben.node.sync.unsentLeaves()
            facts.here.isSyncOn = false
            // when
            let waiting = try WaitingService(ben.node, facts).waiting(WhyScope())
            // then
            let told = try #require(waiting.decisions.first)
            #expect(told.kind == .unsentLeave)
            #expect(told.sentence.hasPrefix("You left “Arezzo”: nobody else knows it yet"))
            #expect(told.remedy?.hasSuffix("peersync sync on") == true)
            #expect(StatusVerdict(facts).isWaiting)
        }
    }

    @Test("Commits that come back without the leave end nothing")
    func otherCommits() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            // when
            try tell(ben, of: .taken(space, []), from: ann)
            // then
            #expect(try ben.node.sync.unsentLeaves() == [UnsentLeave(space, changes: 0)])
        }
    }

    @Test(
        "Nobody has to hear of a leave by a person from whom the trip was taken",
        arguments: [true, false])
    func taken(isTakenFirst: Bool) async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            try await ben.add("Campanile")
            _ = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            // when
            let taking = try #require(try answers(of: ann, to: ben, in: space).first)
            if isTakenFirst {
                try tell(ben, of: taking, from: ann)
                #expect(try await ben.service.call(\.trips.show, id: "Arezzo").unsent == nil)
            }
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            if !isTakenFirst {
                #expect(try ben.node.sync.unsentLeaves().count == 1)
                try tell(ben, of: taking, from: ann)
            }
            // then
            #expect(try ben.node.sync.unsentLeaves().isEmpty)
        }
    }

    /// The answers of a member's device to one that may no longer have the space.
    private func answers(
        of member: OfflineDevice, to other: OfflineDevice, in space: SpaceID
    ) throws -> [PeerMessage] {
        var node = Node(member.node.work)
        let now = Instant(monotonic: 0, wall: member.node.clock.wall)
        _ = node.handle(.sessionOpened(session, other.node.identity.deviceID), at: now)
        return node.handle(.membershipChanged(space), at: now).compactMap { action in
            guard case .send(.taken(let space, let commits), _) = action else { return nil }
            return .taken(space, commits)
        }
    }

    private func tell(
        _ device: OfflineDevice, of message: PeerMessage, from other: OfflineDevice
    ) throws {
        var node = Node(device.node.work)
        let now = Instant(monotonic: 0, wall: device.node.clock.wall)
        _ = node.handle(.sessionOpened(session, other.node.identity.deviceID), at: now)
        for case .note(.failed(_, let error)) in node.handle(.received(message, session), at: now) {
            throw error
        }
    }
}
