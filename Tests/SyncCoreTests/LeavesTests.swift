import SyncCore
import Testing

/// Ann founded the space and let in Ben's laptop and phone, which are equal; the laptop let in his tablet.
@Suite("What a leave means for the other devices of its person")
struct LeavesTests {
    private let ann = TestDevice(1, person: 1)
    private let laptop = TestDevice(2, person: 2)
    private let phone = TestDevice(3, person: 2)
    private let tablet = TestDevice(4, person: 2)
    private var family: Family
    private let laptops: FactReference
    private let phones: FactReference
    private let tablets: FactReference

    init() {
        var family = Family(ann)
        laptops = family.grant(laptop, .all, by: ann, under: family.root)
        phones = family.grant(phone, .all, by: ann, under: family.root)
        tablets = family.grant(tablet, .all, by: laptop, under: laptops, sibling: 1)
        self.family = family
    }

    /// As the program does it: the grants of all devices of the person are named.
    @discardableResult
    private mutating func leave(
        _ device: TestDevice, _ own: FactReference, naming others: [FactReference] = []
    ) -> FactReference {
        var cut = family.watermark
        let head = cut.heads[device.log]
        cut.advance(
            device.log,
            to: LogHead(sequence: (head?.sequence ?? 0) + 1, commit: head?.commit ?? .zero))
        let facts = ([own] + others).map { grant in
            MembershipFact.revocation(
                Revocation(
                    grant: grant, remaining: [], cut: cut, scope: .device, cascade: .none))
        }
        return family.write(device.log, under: own, facts)
    }

    private func hasLeft(
        _ device: TestDevice, without lost: Set<DeviceID> = [], mayStay: Bool = false
    ) -> Bool {
        family.ledger?.hasLeft(device.id, without: lost, mayStay: mayStay) ?? false
    }

    private var leaves: Leaves { Leaves(family.membership) }

    @Test("A device follows an equal one that left, unless that one is lost")
    mutating func equals() {
        // given
        #expect(!hasLeft(laptop))
        #expect(leaves.staying(without: phone.id).isEmpty)
        // when
        leave(phone, phones, naming: [laptops, tablets])
        // then
        #expect(family.current(laptops) == .all)
        #expect(family.current(tablets) == [])
        #expect(hasLeft(laptop))
        #expect(hasLeft(laptop, mayStay: true))
        #expect(!hasLeft(laptop, without: [phone.id]))
        #expect(!hasLeft(ann))
    }

    @Test("A leave that is not among the commits that are asked about does not count")
    mutating func among() throws {
        // when
        let leave = leave(phone, phones, naming: [laptops])
        // then
        let ledger = try #require(family.ledger)
        #expect(!ledger.hasLeft(laptop.id, without: [], mayStay: true, among: [laptops.commit]))
        #expect(ledger.hasLeft(laptop.id, without: [], mayStay: true, among: [leave.commit]))
    }

    @Test("A device that leaves under a later role speaks with the seniority of its first one")
    mutating func raised() {
        // given Ben let in Cleo, who let in his phone once more
        let cleo = TestDevice(5, person: 3)
        let cleos = family.grant(cleo, .all, by: laptop, under: laptops)
        let later = family.grant(phone, .all, by: cleo, under: cleos)
        #expect(leaves.staying(without: phone.id).isEmpty)
        // when
        leave(phone, phones)
        leave(phone, later, naming: [laptops])
        // then
        #expect(hasLeft(laptop))
    }

    @Test("An elder device stays when a younger one leaves")
    mutating func elder() {
        // given
        #expect(leaves.staying(without: tablet.id) == [laptop.id, phone.id])
        // when
        leave(tablet, tablets, naming: [laptops, phones])
        // then
        #expect(!hasLeft(laptop))
        #expect(leaves.isSingledOut(tablet.id, against: laptop.id))
    }

    @Test("A device that gave up its own grant alone speaks for no other one")
    mutating func alone() {
        // when
        leave(phone, phones)
        // then
        #expect(family.current(phones) == [])
        #expect(!hasLeft(laptop))
        #expect(leaves.isSingledOut(phone.id, against: laptop.id))
    }

    @Test("A device gets a space back only from an author who knew that it had been taken")
    mutating func returned() throws {
        // given
        let before = try #require(family.ledger)
        family.revoke(phones, by: ann, under: family.root)
        // when
        let unaware = family.grant(
            phone, .all, by: laptop, under: laptops, sibling: 2, seeing: before)
        let back = family.grant(phone, .all, by: ann, under: family.root)
        // then
        #expect(leaves.isReturn(back))
        #expect(!leaves.isReturn(unaware) && !leaves.isReturn(phones) && !leaves.isReturn(tablets))
    }

    @Test("A device of a person who left or was put out does not come back, but in again")
    mutating func inAgain() {
        // given
        leave(phone, phones, naming: [tablets])
        family.revoke(laptops, by: ann, under: family.root, scope: .person)
        // when
        let again = family.grant(laptop, .all, by: ann, under: family.root)
        let phonesAgain = family.grant(phone, .all, by: laptop, under: again, sibling: 1)
        let tabletsAgain = family.grant(tablet, .all, by: laptop, under: again, sibling: 2)
        // then
        #expect(family.current(tabletsAgain) == .all)
        #expect(![again, phonesAgain, tabletsAgain].contains { leaves.isReturn($0) })
    }

    @Test("A device that wrote something after it heard of a leave stays")
    mutating func wroteLater() {
        // given
        leave(phone, phones, naming: [laptops, tablets])
        // when
        family.write(laptop.log, under: laptops)
        // then
        #expect(!hasLeft(laptop, mayStay: true))
        #expect(hasLeft(laptop))
    }

    @Test("A role from somebody who knew of the leave lets the person in again; any other does not")
    mutating func letInAgain() throws {
        // given
        let before = try #require(family.ledger)
        leave(phone, phones, naming: [laptops, tablets])
        // when
        family.grant(phone, .contributor, by: ann, under: family.root, seeing: before)
        // then
        #expect(family.membership.permissions(of: phone.id) == .contributor)
        #expect(hasLeft(phone))
        // when
        family.grant(phone, .all, by: ann, under: family.root)
        // then
        #expect(!hasLeft(phone))
    }

    @Test("A member that others put out and let in again need not answer, one that left has to")
    mutating func answeredAgain() throws {
        // given
        let acks = [laptop.id: family.watermark, phone.id: family.watermark]
        family.revoke(laptops, by: ann, under: family.root)
        leave(phone, phones)
        // when
        family.grant(laptop, .all, by: ann, under: family.root)
        family.grant(phone, .all, by: ann, under: family.root)
        // then
        let answered = try #require(family.ledger).answered(acks)
        #expect(answered.contains(laptop.id) && !answered.contains(phone.id))
    }

    @Test("A leave that only follows another one is over once the person was let in again")
    mutating func followed() throws {
        // given
        leave(phone, phones, naming: [laptops, tablets])
        let before = try #require(family.ledger)
        leave(laptop, laptops)
        // when somebody who has not heard of the second one lets both in
        let root = family.root
        family.write(
            ann.log, under: root,
            [.grant(phone.grant(from: root, .all)), .grant(laptop.grant(from: root, .all))],
            seeing: before)
        // then
        #expect(!hasLeft(phone) && !hasLeft(laptop))
        #expect(!leaves.isSingledOut(tablet.id, against: phone.id))
    }

    @Test(
        "What was taken from one device after the person was let in again is not given back by another one"
    )
    mutating func singledOut() {
        // given both left, and were let in again
        leave(phone, phones, naming: [laptops, tablets])
        leave(laptop, laptops)
        family.grant(laptop, .all, by: ann, under: family.root)
        #expect(!leaves.isSingledOut(phone.id, against: laptop.id))
        let again = family.grant(phone, .all, by: ann, under: family.root)
        #expect(!leaves.isSingledOut(phone.id, against: laptop.id))
        // when
        family.revoke(again, by: ann, under: family.root)
        // then
        #expect(leaves.isSingledOut(phone.id, against: laptop.id))
    }
}
