import SyncCore
import Testing

@Suite("Who can take rights, who has heard of it, and who asks")
struct RightsTests {
    private let founder = TestDevice(1, person: 1)
    private let tablet = TestDevice(2, person: 1)
    private let anna = TestDevice(3, person: 2)
    private let annaTablet = TestDevice(4, person: 2)
    private let ben = TestDevice(5, person: 3)
    private let cleo = TestDevice(6, person: 4)
    private var family: Family

    init() {
        family = Family(founder)
    }

    private var root: FactReference { family.root }
    private var membership: Membership { family.membership }

    private func person(_ device: TestDevice) -> PersonID { device.card.person }

    @Test("Admins reach lower ranks, elder devices younger ones, and everybody their own")
    mutating func taking() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let bens = family.grant(ben, .all, by: founder, under: root)
        let cleos = family.grant(cleo, .editor, by: anna, under: annas)
        let second = family.grant(annaTablet, .all, by: anna, under: annas, sibling: 1)
        #expect(membership.canRestrict(bens, from: founder.id))
        #expect(!membership.canRestrict(bens, from: anna.id))
        #expect(!membership.canRestrict(root, from: anna.id))
        #expect(membership.canRestrict(cleos, from: anna.id))
        #expect(membership.canRestrict(cleos, from: ben.id))
        #expect(!membership.canRestrict(bens, from: cleo.id))
        #expect(membership.canRestrict(cleos, from: cleo.id))
        #expect(membership.canRestrict(second, from: anna.id))
        #expect(!membership.canRestrict(annas, from: annaTablet.id))
        #expect(!membership.canRestrict(root, from: tablet.id))
        #expect(membership.people(whoCanRestrict: [annas]) == [person(founder), person(anna)])
        #expect(membership.people(whoCanRestrict: [annas, bens]) == [person(founder)])
        #expect(membership.canRestrict(annas, byKeyOf: person(founder)))
        #expect(membership.canRestrict(annas, byKeyOf: person(anna)))
        #expect(!membership.canRestrict(annas, byKeyOf: person(ben)))
        #expect(membership.founder == person(founder))
        #expect(GrantDescent(membership).giver(of: cleos) == person(anna))
        #expect(GrantDescent(membership).giver(of: second) == person(founder))
        #expect(GrantDescent(membership).giver(of: root) == nil)
    }

    @Test("A device has heard once it holds every grant and revocation, whatever else it lacks")
    mutating func hearing() {
        let annas = family.grant(anna, .all, by: founder, under: root)
        let granted = family.watermark
        #expect(membership.isHeard(by: granted))
        family.write(founder.log, under: root)
        #expect(membership.isHeard(by: granted))
        family.revoke(annas, by: founder, under: root)
        #expect(!membership.isHeard(by: granted))
        #expect(membership.isHeard(by: family.watermark))
    }

    @Test("A request stands until it is granted, taken back, or refused by an admin")
    mutating func asking() {
        let annas = family.grant(anna, [.read], by: founder, under: root)
        func ask(_ flags: Permissions, of device: TestDevice? = nil) {
            let asked = RightsRequest(person: person(device ?? anna), flags: flags)
            family.write(anna.log, under: annas, [.request(asked)])
        }
        ask(.editor)
        #expect(membership.openRequests == [person(anna): [.write, .delete]])
        // Nobody asks for somebody else, and who is no admin refuses nothing.
        ask(.all, of: ben)
        #expect(membership.openRequests.keys.sorted() == [person(anna)])
        let bens = family.grant(ben, .editor, by: founder, under: root)
        let refusal = RightsRequest(person: person(anna), flags: [])
        family.write(ben.log, under: bens, [.request(refusal)])
        #expect(membership.openRequests.count == 1)
        family.write(founder.log, under: root, [.request(refusal)])
        #expect(membership.openRequests.isEmpty)

        ask([.write])
        #expect(membership.openRequests == [person(anna): [.write]])
        ask([])
        #expect(membership.openRequests.isEmpty)

        ask([.write])
        let more = family.grant(anna, .editor, by: founder, under: root)
        #expect(membership.openRequests.isEmpty)
        // It was answered, also when the right is taken again.
        family.revoke(more, by: founder, under: root, remaining: [.read])
        #expect(membership.openRequests.isEmpty)
        ask([.write])
        #expect(membership.openRequests == [person(anna): [.write]])
    }
}
