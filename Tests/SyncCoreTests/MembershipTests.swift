import SyncCore
import Testing

@Suite struct MembershipTests {
    private let founder = TestDevice(1, person: 1)
    private let tablet = TestDevice(2, person: 1)
    private let anna = TestDevice(3, person: 2)
    private let annaTablet = TestDevice(4, person: 2)
    private let ben = TestDevice(5, person: 3)
    private var family: Family

    init() {
        family = Family(founder)
    }

    private var root: FactReference { family.root }

    /// Rank and sibling index.
    private func place(_ grant: FactReference) -> [UInt32]? {
        family.order(grant).map { [$0.rank, $0.siblingIndex] }
    }

    @Test("The founder has rank 1 and everything")
    func founderStands() {
        #expect(place(root) == [1, 0])
        #expect(family.current(root) == .all)
        #expect(family.membership.writingGrant(of: founder.id) == root)
        #expect(family.membership.readers == [founder.id])
    }

    @Test("A grant is one rank below its parent; a sibling keeps rank and flags")
    mutating func ranks() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let sibling = family.grant(tablet, .all, by: founder, under: root, sibling: 1)
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        #expect(place(annas) == [2, 0])
        #expect(place(sibling) == [1, 1])
        #expect(place(bens) == [3, 0])
        #expect(family.membership.members.map(\.grant) == [root, sibling, annas, bens])
    }

    @Test("A grant that exceeds its parent counts for nothing, nor does what hangs below it")
    mutating func exceedingParent() {
        let annas = family.grant(anna, [.read, .admin], by: founder, under: root)
        let bens = family.grant(ben, [.read, .write], by: anna, under: annas)
        #expect(family.current(annas) == [.read, .admin])
        #expect(family.current(bens) == nil)
    }

    @Test("Without admin only own devices are granted")
    mutating func withoutAdmin() {
        let annas = family.grant(anna, [.read, .write], by: founder, under: root)
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        let sibling = family.grant(annaTablet, [.read, .write], by: anna, under: annas, sibling: 1)
        let excess = family.grant(annaTablet, .all, by: anna, under: annas, sibling: 2)
        #expect(family.current(bens) == nil)
        #expect(family.current(sibling) == [.read, .write])
        #expect(family.current(excess) == nil)
    }

    @Test("A grant is written by the holder of its parent and under that grant")
    mutating func writtenUnderParent() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        // Anna names the founder's grant as parent, to get the founder's rank.
        let stolen = family.write(
            anna.log, under: annas, [.grant(annaTablet.grant(from: root, .all))])
        #expect(stolen != .none)
        #expect(family.current(stolen) == nil)
    }

    @Test(
        "A sibling index out of any bounds is no way past anybody",
        arguments: [UInt32.max, 1 << 20])
    mutating func hugeSiblingIndex(index: UInt32) {
        let first = family.grant(tablet, .all, by: founder, under: root, sibling: index)
        let second = family.grant(
            TestDevice(9, person: 1), .all, by: tablet, under: first, sibling: 1)
        let indexes = family.membership.standings.values.map(\.order.siblingIndex)
        // A next index can be made from the greatest one.
        #expect(indexes.allSatisfy { $0 < UInt32.max / 2 })
        if let order = family.order(second), let parent = family.order(first) {
            #expect(parent < order)
        }
    }

    @Test("Two grants of one device: it writes under the more able one")
    mutating func writingGrant() {
        _ = family.grant(anna, [.read], by: founder, under: root)
        let better = family.grant(anna, [.read, .write], by: founder, under: root)
        #expect(family.membership.writingGrant(of: anna.id) == better)
        #expect(family.membership.permissions(of: anna.id) == [.read, .write])
    }

    @Test("The founder's grant passes authority on, and has it only once it was given to itself")
    mutating func authority() {
        let rank = Precedence.authority.rawValue
        let bens = family.write(
            founder.log, under: root,
            [.grant(ben.grant(from: root, [.read, .write], precedence: rank))])
        let plain = family.grant(anna, .all, by: founder, under: root)
        #expect(family.membership.hasAuthority(ben.id))
        #expect(family.membership.precedence(of: ben.id, under: bens) == rank)
        #expect(!family.membership.hasAuthority(founder.id))
        #expect(family.membership.canGiveAuthority(founder.id))
        #expect(
            family.membership.precedence(of: founder.id, under: root) == Precedence.user.rawValue)
        // Anna is admin and has none to give.
        #expect(!family.membership.canGiveAuthority(anna.id))
        let stolen = family.write(
            anna.log, under: plain,
            [.grant(annaTablet.grant(from: plain, [.read, .write], precedence: rank))])
        #expect(family.current(stolen) == nil)
        // To the founder itself: it goes on under its first grant, which is senior.
        let own = family.write(
            founder.log, under: root,
            [.grant(founder.grant(from: root, .all, sibling: 1, precedence: rank))])
        #expect(family.current(own) == .all)
        #expect(family.membership.writingGrant(of: founder.id) == root)
        #expect(family.membership.precedence(of: founder.id, under: root) == rank)
        family.revoke(bens, by: founder, under: root)
        #expect(!family.membership.hasAuthority(ben.id))
    }

    @Test("Of two grants that are equally able a device writes under the one with authority")
    mutating func writingGrantWithAuthority() {
        let rank = Precedence.authority.rawValue
        _ = family.grant(anna, [.read, .write], by: founder, under: root)
        let better = family.write(
            founder.log, under: root,
            [.grant(anna.grant(from: root, [.read, .write], precedence: rank))])
        _ = family.grant(anna, [.read, .write], by: founder, under: root)
        #expect(family.membership.writingGrant(of: anna.id) == better)
    }

    @Test("Facts that do not hold keep their index and count for nothing")
    mutating func voidFacts() {
        let first = family.write(
            founder.log, under: root, [.void, .grant(anna.grant(from: root, [.read]))])
        #expect(family.current(first) == nil)
        #expect(family.current(FactReference(commit: first.commit, index: 1)) == [.read])
    }

    @Test("A person key grants its own devices its parent's rank and at most its flags")
    mutating func personGrant() {
        let annas = family.grant(anna, [.read, .write], by: founder, under: root)
        let fact = annaTablet.grant(from: annas, [.read, .write])
        // Anybody may carry it, even somebody without admin.
        let bens = family.grant(ben, [.read], by: founder, under: root)
        let carried = family.write(
            ben.log, under: bens, [.personGrant(fact, StatementKey(anna.person))])
        #expect(family.current(carried) == [.read, .write])
        #expect(family.order(carried)?.rank == family.order(annas)?.rank)
        let excess = family.write(
            ben.log, under: bens,
            [.personGrant(annaTablet.grant(from: annas, .all), StatementKey(anna.person))])
        #expect(family.current(excess) == nil)
        let foreign = family.write(
            ben.log, under: bens,
            [.personGrant(ben.grant(from: annas, [.read]), StatementKey(anna.person))])
        #expect(family.current(foreign) == nil)
        let wrongKey = family.write(
            ben.log, under: bens, [.personGrant(fact, StatementKey(ben.person))])
        #expect(family.current(wrongKey) == nil)
        var above = fact
        above.precedence = Precedence.authority.rawValue
        let authority = family.write(
            ben.log, under: bens, [.personGrant(above, StatementKey(anna.person))])
        #expect(family.current(authority) == nil)
    }
}
