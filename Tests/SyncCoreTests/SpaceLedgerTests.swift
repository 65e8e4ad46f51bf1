import SyncCore
import TestKit
import Testing

@Suite struct SpaceLedgerTests {
    private let founder = TestDevice(1, person: 1)
    private let guest = TestDevice(2, person: 2)
    private let genesis: VerifiedCommit
    private var store = MemoryStore()
    private let root: FactReference

    init() {
        genesis = TestCommit.genesis(founder)
        root = FactReference(commit: genesis.id, index: 0)
        _ = store.apply([genesis])
    }

    /// A commit as the ledger wants it, changed in one respect.
    private func commit(
        _ device: TestDevice, log: LogID? = nil, _ change: (inout CommitHeader) -> Void = { _ in }
    ) throws -> VerifiedCommit {
        let ledger = try #require(store.ledger)
        let good = TestCommit.next(
            in: log ?? device.log, of: ledger, under: root, clock: 2,
            TestDraft(operations: [RecordOperation(1, [title("x")])]))
        var header = good.header
        change(&header)
        return TestCommit.sealed(header, good.commit.clear, good.commit.operations, facts: [])
    }

    @Test("The next commit of a member is taken")
    mutating func taken() throws {
        let next = try commit(founder)
        #expect(store.check(next) == nil)
        #expect(store.apply([next]).stored.count == 1)
        #expect(store.watermark.sequence(of: founder.log) == 2)
    }

    @Test("A commit that is here already is known")
    mutating func known() throws {
        let next = try commit(founder)
        _ = store.apply([next])
        #expect(store.check(next) == .known)
        #expect(store.check(genesis) == .known)
    }

    @Test("Another commit at a taken position is a fork")
    mutating func forked() throws {
        let next = try commit(founder)
        let other = try commit(founder) { $0.clock = HybridTime(raw: 77) }
        _ = store.apply([next])
        #expect(store.check(other) == .forked(next.id))
    }

    @Test("A commit of another space is refused")
    func wrongSpace() throws {
        let other = try commit(founder) { $0.space = SpaceID(sha256([9])) }
        #expect(store.check(other) == .misbehaved(.wrongSpace))
        #expect(
            store.check(TestCommit.genesis(founder, nonce: 5)) == .misbehaved(.wrongSpace))
    }

    @Test("A gap in a log means that something is missing")
    func gap() throws {
        #expect(store.check(try commit(founder) { $0.sequence += 1 }) == .causalPastMissing)
        let huge = try commit(founder) { $0.sequence = .max }
        #expect(store.check(huge) == .causalPastMissing)
    }

    @Test("A commit that goes on from another than the head puts its log under suspicion")
    func brokenChain() throws {
        let wrong = try commit(founder) { $0.previous = CommitID(number: 3) }
        #expect(store.check(wrong) == .suspected(founder.log, 1))
        let start = try commit(founder, log: founder.restored(2)) {
            $0.previous = CommitID(number: 3)
        }
        #expect(store.check(start) == .misbehaved(.brokenChain))
    }

    @Test("Having seen what is not here means that something is missing")
    func seenMissing() throws {
        let ahead = try commit(founder) {
            $0.seen = [
                LogPosition(
                    log: guest.log, head: LogHead(sequence: 1, commit: CommitID(number: 1)))
            ]
        }
        #expect(store.check(ahead) == .causalPastMissing)
    }

    @Test("Having seen the own log, or nothing new, is false; another commit is a suspicion")
    mutating func falseSeen() throws {
        let other = LogPosition(
            log: founder.log, head: LogHead(sequence: 1, commit: CommitID(number: 1)))
        let second = founder.restored(2)
        let wrong = try commit(founder, log: second) { $0.seen = [other] }
        #expect(store.check(wrong) == .suspected(founder.log, 1))
        let own = try commit(founder) { $0.seen = [other] }
        #expect(store.check(own) == .misbehaved(.falseSeen))
        let first = try commit(founder, log: second)
        _ = store.apply([first])
        let again = try commit(founder, log: second) { header in
            header.seen = first.header.seen
        }
        #expect(!first.header.seen.isEmpty)
        #expect(store.check(again) == .misbehaved(.falseSeen))
        let twice = try commit(founder, log: founder.restored(3)) { header in
            header.seen += header.seen
        }
        #expect(store.check(twice) == .misbehaved(.falseSeen))
    }

    @Test("A grant that is not here, or is to another device, is refused")
    func grantUnknown() throws {
        let unknown = try commit(founder) { $0.grant = FactReference(commit: genesis.id, index: 1) }
        #expect(store.check(unknown) == .misbehaved(.grantUnknown))
        #expect(store.check(try commit(guest)) == .misbehaved(.grantUnknown))
    }

    @Test("A grant that the commit had not seen is refused, whenever it comes")
    mutating func grantUnseen() throws {
        let ledger = try #require(store.ledger)
        let granting = TestCommit.next(
            in: founder.log, of: ledger, under: root, clock: 20,
            TestDraft(facts: [.grant(guest.grant(from: root, .editor))]))
        #expect(store.apply([granting]).refusal == nil)
        let grant = FactReference(commit: granting.id, index: 0)
        let blind = try commit(guest) { ($0.grant, $0.seen) = (grant, []) }
        #expect(store.check(blind) == .misbehaved(.grantUnknown))
        let seeing = try commit(guest) { $0.grant = grant }
        #expect(store.check(seeing) == nil)
    }

    @Test("A device may have so many logs and no more")
    mutating func tooManyLogs() throws {
        for number in 1..<UInt64(Limits.logsPerDevice) {
            let next = try commit(founder, log: founder.restored(100 + number))
            #expect(store.apply([next]).refusal == nil)
        }
        let next = try commit(founder, log: founder.restored(999))
        #expect(store.check(next) == .surplus)
        #expect(store.check(try commit(founder)) == nil)
    }

    @Test("Only the first commit of a space is a genesis")
    func secondGenesis() throws {
        let good = try commit(founder)
        var header = good.header
        header.sequence = 2
        header.space = .zero
        let second = TestCommit.sealed(header, genesis.commit.clear, [], facts: [])
        // Its own id would be its space, so it is never of this one.
        #expect(store.check(second) == .misbehaved(.wrongSpace))
    }

    @Test("What a next commit has seen is what came since the last one, its own log left out")
    mutating func unseen() throws {
        let second = founder.restored(2)
        _ = store.apply([try commit(founder), try commit(founder, log: second)])
        let ledger = try #require(store.ledger)
        #expect(ledger.unseen(by: founder.log).map(\.log) == [second])
        _ = store.apply([try commit(founder)])
        #expect(try #require(store.ledger).unseen(by: founder.log).isEmpty)
        #expect(try #require(store.ledger).unseen(by: second).map(\.head.sequence) == [3])
    }

    @Test("A commit counts when its grant covers all of its operations and their precedence")
    mutating func effective() throws {
        let facts: [MembershipFact] = [
            .grant(guest.grant(from: root, [.read, .write]))
        ]
        let appended = store.append(in: founder.log, clock: 2, TestDraft(facts: facts))
        let granting = try #require(appended)
        let grant = FactReference(commit: granting.id, index: 0)
        func claim(_ operations: [RecordOperation], schema: SchemaPin? = nil) -> CommitClaim {
            let header = TestCommit.next(
                in: guest.log, of: store.ledger ?? emptyLedger, under: grant, clock: 3, TestDraft()
            ).header
            return CommitClaim(
                header: header, clear: ClearPart(schema: schema), operations: operations,
                by: guest.card.person)
        }
        let ledger = try #require(store.ledger)
        #expect(ledger.isEffective(claim([RecordOperation(1, [title("a")])])))
        #expect(!ledger.isEffective(claim([RecordOperation(1, [.deletion(true)])])))
        #expect(
            !ledger.isEffective(
                claim([RecordOperation(1, [title("a")]), RecordOperation(2, [.deletion(true)])])))
        #expect(!ledger.isEffective(claim([], schema: TestCommit.schema)))
        var official = title("a")
        official.precedence = Precedence.authority.rawValue
        #expect(!ledger.isEffective(claim([RecordOperation(1, [official])])))
    }

    @Test(
        "A commit that its grant can never cover is stored by nobody, nor what a reader fills it with"
    )
    mutating func beyondGrant() throws {
        // given a reader and a contributor
        let reader = TestDevice(7, person: 7)
        let facts: [MembershipFact] = [
            .grant(guest.grant(from: root, .contributor)),
            .grant(reader.grant(from: root, [.read])),
        ]
        let appended = store.append(in: founder.log, clock: 2, TestDraft(facts: facts))
        let granting = try #require(appended)
        let grants = (0...1).map { FactReference(commit: granting.id, index: $0) }
        let ledger = try #require(store.ledger)
        func refusal(
            _ author: TestDevice, _ grant: Int, _ draft: TestDraft
        ) throws -> SpaceLedger.Refusal? {
            let commit = TestCommit.next(
                in: author.log, of: ledger, under: grants[grant], clock: 3, draft)
            return try ledger.check(commit) { _, _ in nil }
        }
        let beyond = SpaceLedger.Refusal.misbehaved(.beyondGrant)
        // then
        let writing = TestDraft(operations: [RecordOperation(1, [title("a")])])
        let deleting = TestDraft(operations: [RecordOperation(1, [.deletion(true)])])
        #expect(try refusal(guest, 0, writing) == nil)
        #expect(try refusal(guest, 0, deleting) == beyond)
        #expect(try refusal(reader, 1, writing) == beyond)
        #expect(try refusal(reader, 1, TestDraft()) == beyond)
        #expect(try refusal(reader, 1, TestDraft(facts: [.void])) == nil)
        // and a revocation changes nothing: what was written before it counts within the cut
        let revocation = Revocation(
            grant: grants[0], remaining: [], cut: Watermark(), scope: .device, cascade: .all)
        let draft = TestDraft(facts: [.revocation(revocation)])
        _ = store.append(in: founder.log, clock: 4, draft)
        let later = try #require(store.ledger)
        let commit = TestCommit.next(
            in: guest.log, of: later, under: grants[0], clock: 5, writing)
        #expect(try later.check(commit) { _, _ in nil } == nil)
    }

    private var emptyLedger: SpaceLedger {
        SpaceLedger(space: genesis.space, role: .shared, schema: TestCommit.schema)
    }
}
