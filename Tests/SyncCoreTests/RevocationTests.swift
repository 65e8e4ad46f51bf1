import SyncCore
import Testing

@Suite struct RevocationTests {
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

    private func allows(_ grant: FactReference, _ log: LogID, _ sequence: UInt64) -> Permissions {
        family.membership.permissions(under: grant, at: log, sequence)
    }

    @Test("Commits within a revocation's cut count, those beyond do not, unlisted logs not at all")
    mutating func cut() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        family.write(anna.log, under: annas)
        let cut = family.watermark
        family.write(anna.log, under: annas)
        family.revoke(annas, by: founder, under: root, cut: cut)
        #expect(family.current(annas) == [])
        #expect(allows(annas, anna.log, 1) == .all)
        #expect(allows(annas, anna.log, 2) == [])
        #expect(allows(annas, anna.restored(7), 1) == [])
        #expect(!family.membership.readers.contains(anna.id))
    }

    @Test("Of several cuts the lowest counts")
    mutating func lowestCut() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        family.write(anna.log, under: annas)
        let low = family.watermark
        family.write(anna.log, under: annas)
        family.revoke(annas, by: founder, under: root)
        family.revoke(annas, by: founder, under: root, cut: low)
        #expect(allows(annas, anna.log, 1) == .all)
        #expect(allows(annas, anna.log, 2) == [])
    }

    @Test("A downgrade leaves what it says, beyond its cut")
    mutating func downgrade() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        family.write(anna.log, under: annas)
        family.revoke(annas, by: founder, under: root, remaining: [.read])
        #expect(family.current(annas) == [.read])
        #expect(allows(annas, anna.log, 1) == .all)
        #expect(allows(annas, anna.log, 2) == [.read])
    }

    @Test("A revocation cannot give what the grant never had")
    mutating func noUpgrade() {
        let annas = family.grant(anna, [.read], by: founder, under: root)
        family.revoke(annas, by: founder, under: root, remaining: .all)
        #expect(family.current(annas) == [.read])
    }

    @Test(
        "What a cascade reaches below",
        arguments: [
            (Revocation.Cascade.none, [true, true]), (.samePerson, [false, true]),
            (.all, [false, false]),
        ])
    mutating func cascade(kind: Revocation.Cascade, stands: [Bool]) {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let sibling = family.grant(annaTablet, .all, by: anna, under: annas, sibling: 1)
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        family.revoke(annas, by: founder, under: root, cascade: kind)
        #expect(family.current(annas) == [])
        #expect([sibling, bens].map { family.current($0) != [] } == stands)
    }

    @Test("A person-wide revocation reaches every device of that person, no other")
    mutating func personScope() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let other = family.grant(annaTablet, [.read], by: founder, under: root)
        let bens = family.grant(ben, .all, by: founder, under: root)
        let before = family.ledger
        family.revoke(annas, by: founder, under: root, scope: .person)
        let meanwhile = family.grant(
            TestDevice(8, person: 2), [.read], by: ben, under: bens, seeing: before)
        #expect(family.current(annas) == [])
        #expect(family.current(other) == [])
        #expect(family.current(meanwhile) == [])
        #expect(family.current(bens) == .all)
    }

    @Test("A grant by a person key that was taken is not had again by carrying it once more")
    mutating func carriedAgain() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let statement = MembershipFact.personGrant(
            annaTablet.grant(from: annas, .all, sibling: 1), StatementKey(anna.person))
        let first = family.write(founder.log, under: root, [statement])
        #expect(family.current(first) == .all)
        family.revoke(first, by: founder, under: root)
        // The thief itself carries it, in a commit that counts for nothing.
        let again = family.write(annaTablet.log, under: first, [statement])
        #expect(again != .none)
        #expect(family.current(again) == [])
        #expect(!family.membership.readers.contains(annaTablet.id))
    }

    @Test("The people whom a device let in are known as long as they stay")
    mutating func letIn() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        family.grant(annaTablet, .all, by: anna, under: annas, sibling: 1)
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        #expect(family.membership.letIn(by: anna.id) == [annaTablet.id, ben.id])
        #expect(family.membership.letIn(by: founder.id) == [anna.id])
        // Without the device that let them in they stay, unless somebody takes it from them too.
        family.revoke(annas, by: founder, under: root)
        family.revoke(bens, by: founder, under: root)
        #expect(family.membership.letIn(by: anna.id) == [annaTablet.id])
    }

    @Test("Who knew of a person-wide revocation, and is no junior of who wrote it, lets in again")
    mutating func grantedAgain() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, .all, by: founder, under: root)
        let tablets = family.grant(tablet, .all, by: founder, under: root, sibling: 1)
        let before = family.ledger
        family.revoke(annas, by: founder, under: root, scope: .person)
        let statement = MembershipFact.personGrant(
            annaTablet.grant(from: annas, [.read]), StatementKey(annaTablet.card.person))
        let byKey = family.write(ben.log, under: bens, [statement])
        #expect(family.current(byKey) == [])
        let byJunior = family.grant(anna, [.read, .write], by: ben, under: bens)
        #expect(family.current(byJunior) == [])
        let again = family.grant(anna, [.read, .write], by: tablet, under: tablets)
        #expect(family.current(again) == [.read, .write])
        // A second revocation that the tablet had not seen reaches it.
        family.write(
            founder.restored(9), under: root,
            [
                .revocation(
                    Revocation(
                        grant: annas, remaining: [.read], cut: Watermark(), scope: .person,
                        cascade: .none))
            ], seeing: before)
        #expect(family.current(again) == [.read])
    }

    @Test("Equal ranks of different persons cannot remove each other, nor anybody above them")
    mutating func equalRanks() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, .all, by: founder, under: root)
        family.revoke(bens, by: anna, under: annas)
        family.revoke(annas, by: ben, under: bens)
        family.revoke(root, by: ben, under: bens)
        #expect(family.current(annas) == .all)
        #expect(family.current(bens) == .all)
        #expect(family.current(root) == .all)
    }

    @Test("A senior without admin removes nobody of another person")
    mutating func seniorWithoutAdmin() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        family.revoke(annas, by: founder, under: root, remaining: [.read, .write])
        family.revoke(bens, by: anna, under: annas)
        #expect(family.current(bens) == [.read])
    }

    @Test("Of two devices of one person that revoke each other the elder stays")
    mutating func seniority() {
        let sibling = family.grant(tablet, .all, by: founder, under: root, sibling: 1)
        let before = family.watermark
        // The younger one's comes first and cuts the elder at what was there.
        family.revoke(root, by: tablet, under: sibling, cut: before)
        family.revoke(sibling, by: founder, under: root, cut: before)
        #expect(family.current(root) == .all)
        #expect(family.current(sibling) == [])
    }

    @Test("Two admins whose revocations would undo each other: the senior's counts alone")
    mutating func undoing() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, .all, by: anna, under: annas)
        let cut = family.watermark
        family.revoke(annas, by: ben, under: bens, cut: cut)
        family.revoke(bens, by: anna, under: annas, cut: cut)
        #expect(family.current(annas) == .all)
        #expect(family.current(bens) == [])
    }

    @Test("Anybody leaves by revoking the own grant, and the commit that says so still counts")
    mutating func leave() throws {
        let annas = family.grant(anna, [.read], by: founder, under: root)
        var cut = family.watermark
        cut.advance(anna.log, to: LogHead(sequence: 1, commit: .zero))
        family.revoke(annas, by: anna, under: annas, cut: cut)
        #expect(family.current(annas) == [])
        #expect(allows(annas, anna.log, 1) == [.read])
        #expect(allows(annas, anna.log, 2) == [])
    }

    @Test("A revocation written beyond its author's own cut counts for nothing")
    mutating func revokedAuthor() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        family.revoke(annas, by: founder, under: root)
        family.revoke(bens, by: anna, under: annas)
        let late = family.grant(TestDevice(9, person: 4), [.read], by: anna, under: annas)
        #expect(family.current(bens) == [.read])
        #expect(family.current(late) == nil)
    }

    @Test("A person key removes its own devices, the founder's removes anybody, another's nobody")
    mutating func personRevocation() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, [.read], by: founder, under: root)
        func revocation(_ grant: FactReference) -> Revocation {
            Revocation(
                grant: grant, remaining: [], cut: family.watermark, scope: .device,
                cascade: .none)
        }
        family.write(
            ben.log, under: bens, [.personRevocation(revocation(annas), StatementKey(ben.person))])
        #expect(family.current(annas) == .all)
        family.write(
            ben.log, under: bens, [.personRevocation(revocation(annas), StatementKey(anna.person))])
        #expect(family.current(annas) == [])
        family.write(
            anna.log, under: annas,
            [.personRevocation(revocation(bens), StatementKey(founder.person))])
        #expect(family.current(bens) == [])
    }

    @Test("A forked log counts up to the fork; the device goes on in another log")
    mutating func fork() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        family.write(anna.log, under: annas)
        family.write(founder.log, under: root, [.fork(anna.log, sequence: 2)])
        family.write(founder.log, under: root, [.fork(anna.log, sequence: 5)])
        #expect(allows(annas, anna.log, 1) == .all)
        #expect(allows(annas, anna.log, 2) == [])
        #expect(allows(annas, anna.log, 5) == [])
        #expect(allows(annas, anna.restored(4), 1) == .all)
    }

    @Test("What a device gave is known, also when it counts for nothing, but not beyond a fork")
    mutating func given() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        func hasGiven(_ device: TestDevice) -> Bool {
            family.membership.hasGiven([.read], to: device.id, under: annas)
        }
        #expect(!hasGiven(ben))
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        #expect(hasGiven(ben) && !family.membership.hasGiven([.read], to: ben.id, under: root))
        #expect(!family.membership.hasGiven(.editor, to: ben.id, under: annas))
        family.revoke(bens, by: founder, under: root)
        #expect(family.current(bens) == [] && hasGiven(ben))
        family.write(founder.log, under: root, [.fork(anna.log, sequence: 1)])
        #expect(!hasGiven(ben))
    }

    @Test("A grant that was given beyond a fork is gone with it")
    mutating func grantBeyondFork() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, [.read], by: anna, under: annas)
        #expect(family.current(bens) == [.read])
        family.write(founder.log, under: root, [.fork(anna.log, sequence: 1)])
        #expect(family.current(bens) == nil)
    }
}
