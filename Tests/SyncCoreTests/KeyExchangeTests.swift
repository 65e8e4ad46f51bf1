import SyncCore
import Testing

/// Ann founded the space and has a laptop and a phone; Ben is an admin whom she let in. A thief has Ann's
/// recovery key and lets in devices with it, carried by Ben, who knows of nothing.
@Suite("An exchanged recovery key")
struct KeyExchangeTests {
    private let ann = TestDevice(1, person: 1)
    private let phone = TestDevice(2, person: 1)
    private let thief = TestDevice(3, person: 1)
    private let ben = TestDevice(4, person: 2)
    private let new = sha256([9])
    private let evil = sha256([6])
    private var family: Family
    private let phones: FactReference
    private let bens: FactReference

    init() {
        var family = Family(ann)
        phones = family.grant(phone, .all, by: ann, under: family.root, sibling: 1)
        bens = family.grant(ben, .all, by: ann, under: family.root)
        self.family = family
    }

    private var root: FactReference { family.root }

    private func isIn(_ device: TestDevice) -> Bool {
        family.membership.permissions(of: device.id).contains(.read)
    }

    private func exchange(
        _ person: TestDevice, to new: Bytes32, from old: Bytes32? = nil,
        upholds: [StatementID] = []
    ) -> MembershipFact {
        let first = person.card.content.personKey
        return .keyExchange(
            KeyExchange(
                personKey: first, oldKey: old ?? first, newKey: new, upholds: upholds, keeps: []))
    }

    /// What the key of Ann's gives or takes, numbered.
    private func signed(_ number: UInt8, key: Bytes32? = nil) -> StatementKey {
        StatementKey(ann.person, key: key, statement: StatementID(sha256([20, number])))
    }

    private func letsIn(_ device: TestDevice, _ signed: StatementKey) -> MembershipFact {
        .personGrant(device.grant(from: root, .all, sibling: 2), signed)
    }

    private func takes(_ grant: FactReference, _ signed: StatementKey) -> MembershipFact {
        .personRevocation(
            Revocation(
                grant: grant, remaining: [], cut: Watermark(), scope: .device, cascade: .none),
            signed)
    }

    @Test("statements of the old key count no more, before and after, but those that are upheld")
    mutating func oldKey() {
        family.write(ben.log, under: bens, [letsIn(thief, signed(1)), takes(phones, signed(2))])
        #expect(isIn(thief) && !isIn(phone))
        family.write(ann.log, under: root, [exchange(ann, to: new)])
        #expect(!isIn(thief) && isIn(phone))
        family.write(ben.log, under: bens, [letsIn(thief, signed(3)), takes(bens, signed(4))])
        #expect(!isIn(thief) && isIn(ben))
    }

    @Test("an upheld statement goes on, and the new key speaks for the person")
    mutating func upheld() {
        family.write(ben.log, under: bens, [takes(phones, signed(1))])
        family.write(
            ann.log, under: root, [exchange(ann, to: new, upholds: [signed(1).statement])])
        #expect(!isIn(phone))
        family.write(ben.log, under: bens, [letsIn(thief, signed(2, key: new))])
        #expect(isIn(thief))
        #expect(family.membership.keys.key(of: ann.person) == new)
    }

    @Test("an exchange is news, also where nobody's rights change with it")
    func isNews() throws {
        var ledger = try #require(family.ledger)
        let commit = TestCommit.next(
            in: ann.log, of: ledger, under: root, clock: 50,
            TestDraft(facts: [exchange(ann, to: new)], operations: []))
        let before = ledger.membership.standings
        let isNews = ledger.record(commit)
        #expect(isNews)
        #expect(ledger.membership.standings == before)
    }

    @Test("the new key says nothing before it was exchanged")
    mutating func early() {
        family.write(ben.log, under: bens, [letsIn(thief, signed(1, key: new))])
        #expect(!isIn(thief))
        family.write(ann.log, under: root, [exchange(ann, to: new)])
        #expect(isIn(thief))
    }

    @Test("a device that came in by the key alone cannot exchange it, and a senior grant wins")
    mutating func contested() throws {
        let thiefs = family.write(ben.log, under: bens, [letsIn(thief, signed(1))])
        family.write(thief.log, under: thiefs, [exchange(ann, to: evil)])
        #expect(family.membership.keys.key(of: ann.person) == nil)
        // Not even when the thief takes everybody else out before.
        family.write(thief.log, under: thiefs, [takes(root, signed(2)), takes(phones, signed(3))])
        family.write(phone.log, under: phones, [exchange(ann, to: new)])
        #expect(family.membership.keys.key(of: ann.person) == new)
        #expect(isIn(ann) && isIn(phone) && !isIn(thief))
        let third = sha256([10])
        family.write(ann.log, under: root, [exchange(ann, to: third)])
        #expect(family.membership.keys.key(of: ann.person) == third)
    }

    @Test("equals who say different things leave it to the next")
    mutating func equals() {
        let other = TestDevice(5, person: 1)
        let others = family.grant(other, .all, by: ann, under: root, sibling: 1)
        family.write(phone.log, under: phones, [exchange(ann, to: new)])
        family.write(other.log, under: others, [exchange(ann, to: evil)])
        #expect(family.membership.keys.isEmpty)
        family.write(other.log, under: others, [exchange(ann, to: new)])
        #expect(family.membership.keys.isEmpty, "of one log the first counts")
        family.write(ann.log, under: root, [exchange(ann, to: new)])
        #expect(family.membership.keys.key(of: ann.person) == new)
    }

    @Test("the founder's key takes no part in what becomes of it, and others are judged after it")
    mutating func founder() {
        let bensNew = sha256([11])
        family.write(ben.log, under: bens, [exchange(ben, to: bensNew)])
        family.write(ben.log, under: bens, [takes(bens, signed(1))])
        #expect(!isIn(ben))
        family.write(ann.log, under: root, [exchange(ann, to: new)])
        #expect(isIn(ben))
        #expect(family.membership.keys.key(of: ben.person) == bensNew)
    }

    @Test("one key follows the other, and none comes back")
    mutating func chain() {
        let third = sha256([12])
        let first = ann.card.content.personKey
        family.write(ann.log, under: root, [exchange(ann, to: new)])
        family.write(ann.log, under: root, [exchange(ann, to: third, from: new)])
        family.write(ann.log, under: root, [exchange(ann, to: first, from: third)])
        #expect(family.membership.keys.key(of: ann.person) == third)
        family.write(ben.log, under: bens, [letsIn(thief, signed(1)), letsIn(phone, signed(2))])
        #expect(!isIn(thief))
    }
}
