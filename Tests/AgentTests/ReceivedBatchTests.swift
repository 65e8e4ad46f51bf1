import Agent
import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing
import Wire

/// What becomes of a batch of commits that a peer sent, from its signatures to the report for the engine.
@Suite struct ReceivedBatchTests {
    private let session = SessionID(1)

    @Test("the valid commits of a batch are stored, and its report tells of the broken one")
    func broken() async throws {
        // given
        let (space, commits) = try await written(3)
        let forged = try forging(commits[2])
        try await TestAgent.with("Ben") { ben in
            // when
            let work = ben.node.work
            let batch = Array(commits.prefix(2)) + [forged]
            let verified = try #require(work.perform(.verify(session, space, batch, pinned: [])))
            let next = try #require(verified.next)
            let stored = try #require(work.perform(next))

            // then
            #expect(verified.events.isEmpty)
            let report = try #require(self.report(in: stored))
            #expect(report.verdict == .broken)
            #expect(report.stored.map(\.id) == commits.prefix(2).map(\.id))
            #expect(ben.node.store.ledger(of: space)?.watermark == report.watermark)
        }
    }

    @Test("a batch of which nothing holds is reported behind the batches before it")
    func nothingHolds() async throws {
        // given
        let (space, commits) = try await written(2)
        let forged = try forging(commits[1])
        try await TestAgent.with("Ben") { ben in
            // when
            let work = ben.node.work
            let reports = try [[commits[0]], [forged]].map { batch in
                let verified = work.perform(.verify(session, space, batch, pinned: []))
                let next = try #require(verified?.next)
                let stored = work.perform(next)
                return try #require(stored.flatMap(report))
            }

            // then
            #expect(reports.map(\.verdict) == [.sound, .broken])
            #expect(reports.map(\.stored.count) == [1, 0])
            #expect(reports.map(\.watermark) == [reports[0].watermark, reports[0].watermark])
        }
    }

    @Test("a peer that has the newest commit is no sign of an older store, but one with more is")
    func ownLogAhead() async throws {
        try await TestAgent.with("Ann") { ann in
            // given
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Crete"))
            let space = try #require(SpaceID(hexadecimal: trip.id))
            let store = ann.node.store
            let before = try store.incarnation()
            let (log, head) = try #require(store.ledger(of: space)?.watermark.heads.first)
            #expect(log.incarnation == before)
            // when
            _ = ann.node.work.perform(.ownLogAhead(space, log, head.sequence))
            #expect(try store.incarnation() == before)
            _ = ann.node.work.perform(.ownLogAhead(space, log, head.sequence + 1))
            // then
            #expect(try store.incarnation() != before)
        }
    }

    /// What the engine is told of the batch.
    private func report(in done: EngineWork.Done) -> ApplyReport? {
        for case .applied(let report, session) in done.events { return report }
        return nil
    }

    /// The same commit with another signature.
    private func forging(_ commit: UnverifiedCommit) throws -> UnverifiedCommit {
        let encoded = commit.encoded
        return try CommitCodec().decode(
            EncodedCommit(
                header: encoded.header, signature: encoded.signature.map { $0 ^ 1 },
                clear: encoded.clear, operations: encoded.operations))
    }

    /// A new space of somebody with so many commits.
    private func written(_ count: Int) async throws -> (SpaceID, [UnverifiedCommit]) {
        try await TestAgent.with("Ann") { ann in
            let card = try #require(ann.node.identity.unverifiedCard)
            let work = ann.node.work
            let (space, _) = try work.found(.shared, card)
            for number in 1..<count {
                _ = try work.append(to: space) { _ in
                    CommitDraft(operations: [
                        RecordOperation(
                            collection: "trip", record: RecordID(Bytes16.zero),
                            writes: [Write(field: "name", value: .text("Arezzo \(number)"))])
                    ])
                }
            }
            let page = try ann.node.store.log.commits(
                of: space, beyond: Watermark(), byteLimit: .max)
            return (space, try page.commits.map { try CommitCodec().decode($0.commit) })
        }
    }
}
