import SyncCore
import TestKit
import Testing

@Suite("Who carries a space")
struct VaultTests {
    private let ann = TestDevice(1, person: 1)
    private let ben = TestDevice(2, person: 2)
    private let cleo = TestDevice(3, person: 3)

    @Test("only an admin has a space carried, and needs no such right")
    func given() {
        var family = Family(ann)
        let editor = family.grant(ben, .editor, by: ann, under: family.root)
        let refused = family.grant(cleo, .vault, by: ben, under: editor)
        #expect(family.membership.standings[refused] == nil)
        let vault = family.grant(cleo, .vault, by: ann, under: family.root)
        #expect(family.membership.standings[vault] != nil)
        #expect(family.membership.vaults == [cleo.id])
        #expect(family.membership.readers == [ann.id, ben.id])
        #expect(family.membership.holders == [ann.id, ben.id, cleo.id])
        #expect(family.membership.hasOnlyCarried(cleo.id))
        let other = TestDevice(4, person: 4)
        let further = family.grant(other, .vault, by: cleo, under: vault)
        #expect(family.membership.standings[further] == nil)
        family.grant(cleo, .read, by: ann, under: family.root)
        #expect(family.membership.vaults.isEmpty)
        #expect(!family.membership.hasOnlyCarried(cleo.id))
        #expect(family.membership.carriers == [cleo.id])
    }

    @Test("an offer names the giver of the space, whichever peer brings it, and a vault no title")
    func offered() {
        var family = Family(ann)
        let editor = family.grant(ben, .all, by: ann, under: family.root)
        family.grant(cleo, .editor, by: ben, under: editor)
        let vault = TestDevice(4, person: 4)
        family.grant(vault, .vault, by: ann, under: family.root)
        #expect(family.membership.givers == [ann.person, ben.person])
        let offered = OfferedSpace(
            Offer(title: "Crete", from: "", flags: .all, bytes: 7),
            givers: [ann.person: "Ann", ben.person: "Ben"])
        func offer(to device: TestDevice) -> Offer {
            offered.offer(to: device.id, family.membership)
        }
        func granted(_ title: String, by giver: String, _ flags: Permissions) -> Offer {
            Offer(title: title, from: giver, flags: flags, bytes: 7, grants: GrantCount(1))
        }
        #expect(offer(to: ben) == granted("Crete", by: "Ann", .all))
        #expect(offer(to: cleo) == granted("Crete", by: "Ben", .editor))
        #expect(offer(to: vault) == granted("", by: "Ann", .vault))
        let unknown = OfferedSpace(offer(to: cleo), givers: [:])
        #expect(unknown.offer(to: cleo.id, family.membership).from.isEmpty)
    }

    @Test("a device that only carries a space keeps no words in the clear that others send")
    func kept() throws {
        // given words, and words beside a grant
        var family = Family(ann)
        family.grant(ben, .editor, by: ann, under: family.root)
        family.grant(cleo, .vault, by: ann, under: family.root)
        let words = [RecordOperation(1, [title("words")])]
        let grant = MembershipFact.grant(TestDevice(4, person: 4).grant(from: family.root, .read))
        family.write(ann.log, under: family.root, [], words)
        family.write(ann.log, under: family.root, [grant], words)
        let ledger = try #require(family.ledger)
        var (carrier, reader) = (CarriedCommits(on: cleo.id), CarriedCommits(on: ben.id))
        for commit in family.store.commits.suffix(2) {
            #expect(!commit.commit.operations.isEmpty)
            // when
            let kept = carrier.kept(commit, in: ledger).commit
            // then
            #expect(kept.id == commit.id && kept.isWithheld && kept.operations.isEmpty)
            #expect(reader.kept(commit, in: ledger).commit.operations.count == 1)
        }
    }

    @Test("a person whose key brings them back gets no more keys than they had")
    func fromNow() {
        var family = Family(ann)
        func epoch(_ name: String) -> MembershipFact {
            .epoch(
                EpochFact(
                    recipient: name, keys: [WrappedKey(device: ann.id, ageFile: [])]))
        }
        let first = family.write(ann.log, under: family.root, [epoch("a")])
        let grant = MembershipFact.grant(ben.grant(from: family.root, .editor))
        let second = MembershipFact.epoch(
            EpochFact(
                recipient: "b",
                keys: [ann, ben].map { WrappedKey(device: $0.id, ageFile: []) }, isFromNow: true))
        let own = family.write(ann.log, under: family.root, [grant, second])
        #expect(family.membership.missingEpochs.isEmpty)
        let further = TestDevice(5, person: 2)
        family.write(
            ann.log, under: family.root,
            [.personGrant(further.grant(from: own, .editor), StatementKey(ben.person))])
        #expect(family.membership.permissions(of: further.id).contains(.read))
        #expect(family.membership.epochFacts.isFromNow(further.id))
        #expect(family.membership.missingEpochs == [further.id: [own.commit]])
        #expect(family.membership.epochs[first.commit] != nil)
    }
}
