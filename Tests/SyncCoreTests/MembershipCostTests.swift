import SyncCore
import TestKit
import Testing

/// What a member can make others compute: a commit of a mebibyte carries thousands of facts.
@Suite struct MembershipCostTests {
    private static let grants = 200
    private static let revocations: UInt64 = 10_000

    private let founder = TestDevice(1, person: 1)
    private let anna = TestDevice(2, person: 2)
    private var family: Family

    init() {
        family = Family(founder)
    }

    /// Many members, half of them let in by Anna when she may; then `author` writes ten thousand
    /// revocations of her or of the founder, a tenth in each of ten logs.
    private func membership(
        annas flags: Permissions, revoked isAnna: Bool, by author: TestDevice
    ) throws -> Membership {
        var family = family
        let annas = family.grant(anna, flags, by: founder, under: family.root)
        for number in 0..<Self.grants {
            let guest = TestDevice(100 + UInt64(number), person: 100 + UInt64(number))
            let isAnnas = number.isMultiple(of: 2) && flags.contains(.admin)
            _ = family.grant(
                guest, [.read], by: isAnnas ? anna : founder, under: isAnnas ? annas : family.root)
        }
        var membership = family.membership
        let ledger = try #require(family.ledger)
        let facts = revocations(of: isAnna ? annas : family.root)
        let own = author.id == anna.id ? annas : family.root
        for number in 0..<10 {
            let log = author.restored(10 + UInt64(number))
            let piece = facts.dropFirst(number * facts.count / 10).prefix(facts.count / 10)
            let draft = TestDraft(facts: Array(piece))
            _ = membership.add(
                TestCommit.next(in: log, of: ledger, under: own, clock: 50, draft))
        }
        return membership
    }

    private func revocations(of grant: FactReference) -> [MembershipFact] {
        (0..<Self.revocations).map { number in
            // Beyond what either has written: whom they let in was let in by right.
            let head = LogHead(sequence: 1000 + number, commit: .zero)
            let cut = [founder, anna].map { LogPosition(log: $0.log, head: head) }
            return .revocation(
                Revocation(
                    grant: grant, remaining: Permissions(rawValue: UInt32(number) << 5),
                    cut: Watermark(cut), scope: .person, cascade: .all))
        }
    }

    @Test("Ten thousand revocations by somebody without the right cost little and do nothing")
    func powerless() throws {
        var judged: Membership?
        let taken = try ProcessorTime.seconds {
            judged = try membership(annas: [.read], revoked: false, by: anna)
        }
        #expect(judged?.members.count == Self.grants + 2)
        #expect(taken < 20)
    }

    @Test("Ten thousand revocations with the right are one for all that they reach")
    func powerful() throws {
        var judged: Membership?
        let taken = try ProcessorTime.seconds {
            judged = try membership(annas: .all, revoked: true, by: founder)
        }
        let standings = try #require(judged?.standings.values)
        #expect(standings.allSatisfy { $0.restrictions.count <= 1 })
        #expect(standings.count { $0.current.isEmpty } == 1 + Self.grants / 2)
        #expect(taken < 20)
    }

    @Test("Facts that change nobody's standing are no change of membership")
    func unchanged() throws {
        var family = family
        let annas = family.grant(anna, [.read], by: founder, under: family.root)
        var membership = family.membership
        let ledger = try #require(family.ledger)
        let facts: [MembershipFact] = [
            .void, .grant(TestDevice(3, person: 3).grant(from: annas, [.read])),
            revocations(of: family.root)[0],
        ]
        let powerless = TestCommit.next(
            in: anna.log, of: ledger, under: annas, clock: 50, TestDraft(facts: facts))
        let isChanged = membership.add(powerless)
        #expect(!isChanged)
        let leave = TestCommit.next(
            in: anna.restored(3), of: ledger, under: annas, clock: 51,
            TestDraft(facts: [revocations(of: annas)[0]]))
        let hasLeft = membership.add(leave)
        #expect(hasLeft)
    }

    @Test("A log takes as many facts as its limit says, the last of them for rights alone")
    mutating func factsPerLog() throws {
        // The founder's own grant is the first of them.
        let others = Limits.factsPerLog - Limits.factsForRights - 1
        let voids = [MembershipFact](repeating: .void, count: others)
        #expect(family.write(founder.log, under: family.root, voids) != .none)
        #expect(family.write(founder.log, under: family.root, [.void]) == .none)
        let annas = family.grant(anna, .all, by: founder, under: family.root)
        #expect(annas != .none)
        let takings = revocations(of: annas).prefix(1).map { $0 }
        let many = [MembershipFact](
            repeating: try #require(takings.first), count: Limits.factsForRights - 1)
        #expect(family.write(founder.log, under: family.root, many) != .none)
        #expect(family.write(founder.log, under: family.root, takings) == .none)
        #expect(family.write(founder.log, under: family.root) != .none)
    }

    @Test("A log of a member who may not write has room for a megabyte of facts")
    mutating func readersBytes() throws {
        let annas = family.grant(anna, .read, by: founder, under: family.root)
        var ledger = try #require(family.ledger)
        var stored = 0
        let size = 15_000
        for number in 0..<200 {
            let plain = TestCommit.next(
                in: anna.log, of: ledger, under: annas, clock: UInt64(1_000 + number),
                TestDraft(facts: [.void]))
            let encoded = EncodedCommit(
                header: plain.encoded.header, signature: [],
                clear: [UInt8](repeating: 7, count: size), operations: [])
            let commit = UnverifiedCommit(
                id: plain.id, header: plain.header, clear: ClearPart(), operations: [],
                encoded: encoded)
            let verified = VerifiedCommit(verified: commit, facts: [.void])
            guard try ledger.check(verified, commitAt: { _, _ in nil }) == nil else { break }
            _ = ledger.record(verified)
            stored += 1
        }
        #expect(stored == Limits.readerFactBytes / size)
    }
}
