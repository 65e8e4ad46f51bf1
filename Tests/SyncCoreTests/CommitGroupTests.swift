import SyncCore
import TestKit
import Testing

/// Commits of one group count together or not at all.
@Suite struct CommitGroupTests {
    private let founder = TestDevice(1, person: 1)
    private let guest = TestDevice(2, person: 2)
    private var (own, other) = (MemoryStore(), MemoryStore())
    private let root: FactReference
    private let grant: FactReference

    init() throws {
        let genesis = TestCommit.genesis(founder)
        root = FactReference(commit: genesis.id, index: 0)
        _ = own.apply([genesis])
        let granting = own.append(
            in: founder.log, clock: 2, TestDraft(facts: [.grant(guest.grant(from: root, .editor))]))
        grant = FactReference(commit: try #require(granting).id, index: 0)
        _ = other.apply(own.commits)
    }

    private func made(_ commit: VerifiedCommit?) throws -> VerifiedCommit { try #require(commit) }

    private mutating func part(
        _ text: String, _ following: UInt32, of record: UInt64 = 1
    ) throws -> VerifiedCommit {
        try made(
            own.append(
                in: founder.log, clock: 10 + UInt64(text.utf8.count),
                TestDraft(
                    operations: [RecordOperation(record, [title(text)])], following: following)))
    }

    @Test("A device that has part of a group does not write over it")
    mutating func unseen() throws {
        // given
        let parts = [try part("a", 1), try part("bb", 0)]
        _ = other.apply([parts[0]])
        // when
        let answer = try made(
            other.append(
                in: guest.log, clock: 50,
                TestDraft(operations: [RecordOperation(1, [title("mine")])])))
        // then
        let before = own.commits[1]
        #expect(
            answer.header.seen.map(\.head) == [LogHead(sequence: 2, commit: before.id)])
        _ = own.apply([answer])
        _ = other.apply([parts[1]])
        let titles = other.records[RecordID(1)]?.fields["title"]?.writes.map(\.value)
        #expect(titles.map(Set.init) == [.text("bb"), .text("mine")])
        #expect(other.records == own.records)
    }

    @Test("What had seen a whole group has seen its end")
    mutating func seen() throws {
        let parts = [try part("a", 1), try part("bb", 0)]
        _ = other.apply(parts)
        let answer = try made(other.append(in: guest.log, clock: 50, note(1, "mine")))
        #expect(
            answer.header.seen.map(\.head) == [LogHead(sequence: 4, commit: parts[1].id)])
    }

    private enum Fault: CaseIterable {
        case shorter, longer, ended, otherGrant, seeing, withFacts
    }

    @Test("A commit that breaks the group of its log is refused", arguments: Fault.allCases)
    private mutating func broken(_ fault: Fault) throws {
        // given
        let first = try part("a", 3)
        _ = other.apply([first])
        let ledger = try #require(other.ledger)
        let good = TestCommit.next(
            in: founder.log, of: ledger, under: root, clock: 20,
            TestDraft(operations: [RecordOperation(1, [title("x")])], following: 2))
        #expect(other.check(good) == nil)
        // when
        var (header, clear) = (good.header, good.commit.clear)
        switch fault {
        case .shorter: header.following = 1
        case .longer: header.following = 3
        case .ended: header.following = 0
        case .otherGrant: header.grant = grant
        case .seeing:
            header.seen = [
                LogPosition(
                    log: guest.log, head: LogHead(sequence: 1, commit: CommitID(number: 1)))
            ]
        case .withFacts: clear.schema = TestCommit.schema
        }
        let bad = TestCommit.sealed(header, clear, good.commit.operations, facts: [])
        // then
        #expect(other.check(bad) == .misbehaved(.brokenGroup))
    }

    @Test("A group does not begin with what decides who may do what")
    mutating func withFacts() throws {
        let ledger = try #require(own.ledger)
        let bad = TestCommit.next(
            in: founder.log, of: ledger, under: root, clock: 20,
            TestDraft(schema: TestCommit.schema, following: 1))
        #expect(own.check(bad) == .misbehaved(.brokenGroup))
    }

    @Test("A group that a revocation cuts in the middle does not count at all")
    mutating func cut() throws {
        // given
        let first = try made(
            other.append(
                in: guest.log, clock: 20,
                TestDraft(operations: [RecordOperation(1, [title("a")])], following: 1)))
        let second = try made(other.append(in: guest.log, clock: 21, note(2, "b")))
        _ = own.apply([first])
        // when
        let revocation = Revocation(
            grant: grant, remaining: [], cut: own.watermark, scope: .device, cascade: .all)
        let revoking = try made(
            own.append(
                in: founder.log, clock: 30, TestDraft(facts: [.revocation(revocation)])))
        _ = own.apply([second])
        _ = other.apply([revoking])
        // then
        for store in [own, other] {
            #expect(store.ledger?.isEffective(first) == false)
            #expect(store.ledger?.isEffective(second) == false)
        }
    }

    @Test(
        "A group goes on in a log of which a fork behind it is known already",
        arguments: [9, 6] as [UInt64])
    mutating func forkedLater(at sequence: UInt64) throws {
        // given
        let parts = [try part("a", 2), try part("bb", 1, of: 2), try part("ccc", 0, of: 3)]
        _ = other.apply([parts[0]])
        let alone = TestCommit.next(
            in: founder.log, of: try #require(other.ledger), under: root, clock: 20, note(1, "x"))
        // when
        let isNews = other.fork(founder.log, at: sequence)
        #expect(isNews)
        // then
        #expect(other.check(alone) == .misbehaved(.brokenGroup))
        #expect(other.ledger?.unseen(by: guest.log).map(\.head.sequence) == [2])
        #expect(other.apply(Array(parts.dropFirst())).refusal == nil)
        #expect(parts.allSatisfy { other.ledger?.isEffective($0) == true })
        #expect(other.ledger?.openGroups.isEmpty == true)
        #expect(other.records == own.records)
    }

    @Test("A group that a fork cuts in the middle does not count at all")
    mutating func forked() throws {
        // given
        let parts = [try part("a", 1), try part("bb", 0)]
        let rival = TestCommit.next(
            in: founder.log, of: try #require(other.ledger), under: root, clock: 99,
            TestDraft(operations: [RecordOperation(1, [title("x")])], following: 1))
        _ = other.apply([rival])
        let end = TestCommit.next(
            in: founder.log, of: try #require(other.ledger), under: root, clock: 100,
            TestDraft(operations: [RecordOperation(1, [title("y")])]))
        // when
        _ = own.apply([rival, end])
        _ = other.apply(parts)
        // then
        for store in [own, other] {
            #expect(store.ledger?.forks[founder.log]?.sequence == 3)
            #expect((parts + [rival, end]).allSatisfy { store.ledger?.isEffective($0) == false })
            #expect(store.records.isEmpty)
        }
    }
}
