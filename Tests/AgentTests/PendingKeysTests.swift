import Agent
import Device
import Identity
import Node
import Store
import SyncCore
import TestDevices
import Testing
import Wire

/// Keys that are verified before they are stored.
@Suite struct PendingKeysTests {
    @Test("a batch is verified while the one with its author's card is still being stored")
    func secondBatch() async throws {
        try await TestAgent.with("Ann") { ann in
            try await TestAgent.with("Ben") { ben in
                // given
                let card = try #require(ann.node.identity.unverifiedCard)
                let (space, _) = try ann.node.work.found(.shared, card)
                let rename = RecordOperation(
                    collection: "trip", record: RecordID(Bytes16.zero),
                    writes: [Write(field: "name", value: .text("Arezzo"))])
                _ = try ann.node.work.append(to: space) { _ in
                    CommitDraft(operations: [rename])
                }
                let page = try ann.node.store.log.commits(
                    of: space, beyond: Watermark(), byteLimit: .max)
                let commits = try page.commits.map { try CommitCodec().decode($0.commit) }
                let session = SessionID(1)
                // when
                let work = ben.node.work
                _ = work.perform(.verify(session, space, Array(commits.prefix(1)), pinned: []))
                let second = work.perform(
                    .verify(session, space, Array(commits.dropFirst()), pinned: []))
                // then
                guard case .apply(space, let verified, let verdict, session)? = second?.next else {
                    Issue.record("nothing follows verifying")
                    return
                }
                #expect(verdict == .sound)
                #expect(verified.map(\.id) == commits.dropFirst().map(\.id))
            }
        }
    }

    @Test("endless keys of cards are forgotten, those of the next batch are not")
    func bounded() {
        // given
        let underWay = PendingKeys()
        var random = SystemRandomNumberGenerator()
        func directory(_ count: Int) -> KeyDirectory {
            var keys = KeyDirectory()
            for _ in 0..<count {
                keys.add(sha256(Bytes16(random: &random).bytes))
            }
            return keys
        }
        // when
        underWay.keep(directory(Limits.pendingKeys + 1), beyond: KeyDirectory())
        // then
        #expect(underWay.added(to: KeyDirectory()).count == 0)
        underWay.keep(directory(3), beyond: KeyDirectory())
        #expect(underWay.added(to: KeyDirectory()).count == 3)
    }
}
