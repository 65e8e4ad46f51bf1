import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("What people answer to invitations stands in the list of changes")
struct AnswerTests {
    private func lines(
        _ agent: OfflineDevice, _ filter: ChangeFilter = ChangeFilter()
    ) async throws -> [String] {
        try await agent.service.call(\.changes.list, filter).entries.map(Sentence.Changes.line)
    }

    /// What one device has of a space is told to another one.
    private func tell(_ agent: OfflineDevice, of space: SpaceID, by other: OfflineDevice) {
        let watermark = other.node.watermark(of: space)
        let done = other.node.work.perform(.acknowledge(space, watermark))
        for case .ackSigned(let ack) in done?.events ?? [] {
            _ = agent.node.work.perform(.verifyAck(ack, from: SessionID(1)))
        }
    }

    @Test("A no is told once, and a yes after it once")
    func answered() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            let no = EngineAction.declined(space, by: ben.node.identity.deviceID)
            _ = ann.node.work.perform(no)
            _ = ann.node.work.perform(no)
            let declined = "Ben declined the invitation to “Arezzo”"
            #expect(try await lines(ann) == [declined])
            try ben.receive(space, from: ann)
            tell(ann, of: space, by: ben)
            tell(ann, of: space, by: ben)
            #expect(try await lines(ann) == [declined, "Ben joined “Arezzo”"])
            // Neither is told of oneself.
            tell(ben, of: space, by: ann)
            let all = try await lines(ben, ChangeFilter(since: Moment(milliseconds: 0)))
            #expect(!all.contains { $0.contains("joined") || $0.contains("declined") })
        }
    }

    @Test("A person who accepted a trip and left it later has not declined it")
    func left() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            tell(ann, of: space, by: ben)
            _ = ann.node.work.perform(.declined(space, by: ben.node.identity.deviceID))
            #expect(try await lines(ann) == ["Ben joined “Arezzo”"])
        }
    }

    @Test("An answer is new until somebody looks, and is found among the changes of its time")
    func looked() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            tell(ann, of: space, by: ben)
            let log = try await ann.service.call(\.changes.list, ChangeFilter())
            #expect(log.entries.map(\.author.name) == ["Ben"])
            // when somebody looks at nothing but the trip, in which no commit is new
            _ = try await ann.service.call(
                \.changes.look, ChangeLook(trip: "Arezzo", place: log.place))
            // then
            #expect(try await lines(ann).isEmpty)
            try await Task.sleep(for: .milliseconds(20))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Hut"
            _ = try await ben.service.call(\.memories.add, draft)
            try ann.receive(space, from: ben)
            let all = try await lines(ann, ChangeFilter(since: Moment(milliseconds: 0)))
            #expect(all.suffix(2) == ["Ben joined “Arezzo”", "Ben added the memory “Hut”"])
            let last = try await lines(ann, ChangeFilter(since: Moment(milliseconds: 0), limit: 2))
            #expect(last == Array(all.suffix(2)))
            var bens = ChangeFilter(since: Moment(milliseconds: 0))
            bens.person = "Ann"
            #expect(try await !lines(ann, bens).contains("Ben joined “Arezzo”"))
        }
    }

    @Test("An answer that came while the clock was ahead is new until somebody looks")
    func cameAhead() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given a look, and then an answer while the clock was three years ahead
            let before = try await ann.service.call(\.changes.list, ChangeFilter())
            _ = try await ann.service.call(
                \.changes.look, ChangeLook(trip: nil, place: before.place))
            let now = ann.node.clock.wall.value
            try Answers(ann.node.store).keep(
                false, by: ben.node.identity.deviceID, in: space,
                at: Milliseconds(now + 94_608_000_000))
            // when the clock is right again
            let log = try await ann.service.call(\.changes.list, ChangeFilter())
            // then
            #expect(
                log.entries.map(Sentence.Changes.line) == [
                    "Ben declined the invitation to “Arezzo”"
                ])
            // when
            _ = try await ann.service.call(\.changes.look, ChangeLook(trip: nil, place: log.place))
            // then
            #expect(try await lines(ann).isEmpty)
            let kept = try Answers(ann.node.store).all(in: space)
            #expect(kept.count == 1 && kept.allSatisfy { $0.time.value < now + 3_600_000 })
        }
    }
}
