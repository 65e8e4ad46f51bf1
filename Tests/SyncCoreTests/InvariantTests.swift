import Foundation
import SyncCore
import Testing

/// Each rule bites: a process that breaks one ends there.
@Suite("Invariants")
struct InvariantTests {
    @Test("A commit that does not follow its log is not recorded")
    func follows() async {
        await #expect(processExitsWith: .trap) {
            let family = Family(TestDevice(1, person: 1))
            var ledger = try #require(family.ledger)
            let next = TestCommit.next(
                in: family.founder.log, of: ledger, under: family.root, clock: 20, TestDraft())
            _ = ledger.record(next)
            _ = ledger.record(next)
        }
    }

    @Test("A commit does not name its own log as seen")
    func ownLog() async {
        await #expect(processExitsWith: .trap) {
            let family = Family(TestDevice(1, person: 1))
            var ledger = try #require(family.ledger)
            let next = TestCommit.next(
                in: family.founder.log, of: ledger, under: family.root, clock: 20, TestDraft())
            var header = next.header
            header.seen = [
                LogPosition(
                    log: header.log, head: LogHead(sequence: 1, commit: family.root.commit))
            ]
            _ = ledger.record(TestCommit.sealed(header, ClearPart(), [], facts: []))
        }
    }

    @Test("A key is exchanged only from the one that its person has")
    func exchangedKey() async {
        await #expect(processExitsWith: .trap) {
            var keys = ExchangedKeys()
            keys.add(
                KeyExchange(
                    personKey: sha256([1]), oldKey: sha256([2]), newKey: sha256([3]), upholds: [],
                    keeps: []))
        }
    }

    @Test("A space has one genesis")
    func oneGenesis() async {
        await #expect(processExitsWith: .trap) {
            var ledger = try #require(Family(TestDevice(1, person: 1)).ledger)
            _ = ledger.record(TestCommit.genesis(TestDevice(2, person: 2)))
        }
    }

    @Test("A log that forked ends right before its fork")
    func endsBeforeFork() async {
        await #expect(processExitsWith: .trap) {
            var family = Family(TestDevice(1, person: 1))
            for _ in 0..<3 { family.write(family.founder.log, under: family.root) }
            var ledger = try #require(family.ledger)
            let end = ledger.watermark.heads[family.founder.log]
            _ = ledger.fork(family.founder.log, at: 2, base: end, branches: [])
        }
    }

    @Test("A branch stands beyond a fork")
    func branchBeyondFork() async {
        await #expect(processExitsWith: .trap) {
            let family = Family(TestDevice(1, person: 1))
            var ledger = try #require(family.ledger)
            let next = TestCommit.next(
                in: family.founder.log, of: ledger, under: family.root, clock: 20, TestDraft())
            _ = ledger.recordBranch(next, seen: [:])
        }
    }

    @Test("No log forks before its first commit")
    func forkAtZero() async {
        await #expect(processExitsWith: .trap) {
            var membership = Membership()
            _ = membership.fork(TestDevice(1, person: 1).log, at: 0)
        }
    }

    @Test("Nothing waits for the ack of an empty batch")
    func emptyBatch() async {
        await #expect(processExitsWith: .trap) {
            var sending = CommitSending()
            sending.send([])
        }
    }

    @Test("More batches than the window are never on their way")
    func window() async {
        await #expect(processExitsWith: .trap) {
            let commit = TestCommit.genesis(TestDevice(1, person: 1)).commit
            var sending = CommitSending()
            for _ in 0...max(Limits.commitBatchesInFlight, Limits.pushesInFlight) {
                sending.send([commit])
            }
        }
    }

    @Test("An ack is told as what changed since an earlier one")
    func difference() async {
        await #expect(processExitsWith: .trap) {
            let genesis = TestCommit.genesis(TestDevice(1, person: 1))
            let ack = Ack(
                space: genesis.space, device: TestDevice(1, person: 1).card.device, counter: 7,
                watermark: Watermark())
            let said = UnverifiedAck(ack, bytes: [], signature: [])
            _ = AckDifference(said, since: ack, device: nil)
        }
    }

    @Test("Dear rules are looked at where all are, and nowhere else")
    func dear() async {
        await #expect(processExitsWith: .success) {
            Invariants.check(false, "this is not looked at")
        }
        await #expect(processExitsWith: .trap) {
            Invariants.checkAll()
            Invariants.check(false, "this is")
        }
    }
}

extension ExitTest.Condition {
    /// As a broken `precondition` ends a process; an error that a test throws is another end.
    fileprivate static var trap: Self {
        #if arch(x86_64)
            .signal(SIGILL)
        #else
            .signal(SIGTRAP)
        #endif
    }
}
