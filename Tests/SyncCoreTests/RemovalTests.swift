import SyncCore
import Testing

/// Ann has a laptop and a phone; Ben and Mal are admins whom she let in, Cleo writes, and Mal let in Sam.
@Suite("Who was removed stays out")
struct RemovalTests {
    private let ann = TestDevice(1, person: 1)
    private let phone = TestDevice(2, person: 1)
    private let ben = TestDevice(3, person: 2)
    private let cleo = TestDevice(4, person: 3)
    private let mal = TestDevice(5, person: 4)
    private let malSecond = TestDevice(6, person: 4)
    private let malThird = TestDevice(7, person: 4)
    private let sam = TestDevice(8, person: 5)
    private var family: Family
    private let phones: FactReference
    private let bens: FactReference
    private let cleos: FactReference
    private let mals: FactReference
    private let sams: FactReference

    init() {
        var family = Family(ann)
        let root = family.root
        phones = family.grant(phone, .all, by: ann, under: root, sibling: 1)
        bens = family.grant(ben, .all, by: ann, under: root)
        cleos = family.grant(cleo, .contributor, by: ann, under: root)
        mals = family.grant(mal, .all, by: ann, under: root)
        sams = family.grant(sam, .all, by: mal, under: mals)
        self.family = family
    }

    private var root: FactReference { family.root }

    private func stands(_ grant: FactReference) -> Bool {
        family.current(grant)?.isEmpty == false
    }

    @discardableResult
    private mutating func remove(_ cascade: Revocation.Cascade = .none) -> FactReference {
        family.revoke(mals, by: ann, under: root, scope: .person, cascade: cascade)
    }

    @Test(
        "A junior cannot let a person in again, whatever they know, nor can whom the person let in")
    mutating func juniors() {
        remove()
        let byBen = family.grant(mal, .contributor, by: ben, under: bens)
        let bySam = family.grant(malSecond, .contributor, by: sam, under: sams)
        #expect(stands(sams))
        #expect(!stands(byBen) && !stands(bySam))
    }

    @Test("Who removed somebody may let them in again, with their second device and their key")
    mutating func again() {
        let apart = family.ledger
        remove()
        let unaware = family.grant(mal, .contributor, by: phone, under: phones, seeing: apart)
        let new = family.grant(mal, .contributor, by: phone, under: phones)
        let second = family.grant(malSecond, .contributor, by: mal, under: new, sibling: 1)
        let byKey = family.write(
            ben.log, under: bens,
            [.personGrant(malThird.grant(from: new, .contributor), StatementKey(mal.person))])
        let oldByKey = family.write(
            ben.log, under: bens,
            [.personGrant(malThird.grant(from: mals, .contributor), StatementKey(mal.person))])
        #expect(!stands(unaware))
        #expect(stands(new) && stands(second) && stands(byKey))
        #expect(!stands(oldByKey))
    }

    @Test("The founder's key removes anybody, and only who stands first lets them in again")
    mutating func byKey() {
        let taking = Revocation(
            grant: mals, remaining: [], cut: family.watermark, scope: .person, cascade: .none)
        family.write(cleo.log, under: cleos, [.personRevocation(taking, StatementKey(ann.person))])
        #expect(!stands(mals))
        let byBen = family.grant(mal, .contributor, by: ben, under: bens)
        let byAnn = family.grant(malSecond, .contributor, by: ann, under: root)
        #expect(!stands(byBen) && stands(byAnn))
    }

    @Test("A cascade begins at every grant of the person, and never at the first rank")
    mutating func cascade() {
        let others = family.grant(malSecond, .all, by: ben, under: bens)
        let below = family.grant(TestDevice(20, person: 9), .read, by: malSecond, under: others)
        remove(.all)
        #expect(!stands(sams) && !stands(below))
        let taking = Revocation(
            grant: root, remaining: [], cut: family.watermark, scope: .person, cascade: .all)
        family.write(cleo.log, under: cleos, [.personRevocation(taking, StatementKey(ann.person))])
        #expect(!stands(root) && !stands(phones))
        #expect(stands(bens) && stands(cleos))
    }

    // MARK: Places

    private func device(_ number: Int) -> TestDevice { TestDevice(UInt64(100 + number), person: 3) }

    @Test("A person has places for 32 devices, and by their key for as many more")
    mutating func places() {
        let more = (0..<40).map {
            family.grant(device($0), .contributor, by: cleo, under: cleos, sibling: 1)
        }
        #expect(more.count { stands($0) } == Limits.devicesPerPerson - 1)
        #expect(stands(cleos))
        let byKey = (50..<90).map { number in
            family.write(
                ben.log, under: bens,
                [
                    .personGrant(
                        device(number).grant(from: cleos, .contributor), StatementKey(cleo.person))
                ])
        }
        #expect(byKey.count { stands($0) } == Limits.devicesPerPerson)
        // One more device lacks a place, and no rights were taken.
        #expect(family.membership.obstacle(to: [device(41).card]) == .noPlace)
        // One that is taken away leaves its place to the next.
        let (inside, outside) = (more.filter { stands($0) }, more.filter { !stands($0) })
        family.revoke(inside[0], by: cleo, under: cleos)
        #expect(inside.filter { stands($0) } == Array(inside.dropFirst()))
        #expect(outside.count { stands($0) } == 1)
    }

    @Test("What a device lets in takes no place from a device that is senior to it")
    mutating func seniors() {
        let elder = family.grant(device(0), .contributor, by: cleo, under: cleos, sibling: 1)
        let younger = (1..<60).map {
            family.grant(device($0), .contributor, by: device(0), under: elder, sibling: 1)
        }
        let late = family.grant(device(70), .contributor, by: cleo, under: cleos, sibling: 1)
        #expect(stands(elder) && stands(late))
        #expect(younger.count { stands($0) } == Limits.devicesPerPerson - 3)
    }
}
