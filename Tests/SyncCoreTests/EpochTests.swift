import SyncCore
import Testing

@Suite("Epochs")
struct EpochTests {
    private let ann = TestDevice(1, person: 1)
    private let ben = TestDevice(2, person: 2)
    private let cleo = TestDevice(3, person: 3)

    private func epoch(
        _ name: String, for devices: [TestDevice], isFromNow: Bool = false
    ) -> MembershipFact {
        .epoch(EpochFact(recipient: name, keys: keys(devices), isFromNow: isFromNow))
    }

    private func added(
        _ devices: [TestDevice], to epochs: [FactReference], isFromNow: Bool = false
    ) -> MembershipFact {
        .epoch(
            EpochFact(
                recipient: "", keys: keys(devices), addedTo: epochs.map(\.commit),
                isFromNow: isFromNow))
    }

    private func keys(_ devices: [TestDevice]) -> [WrappedKey] {
        devices.map { WrappedKey(device: $0.id, ageFile: []) }
    }

    private let write = RecordOperation(
        collection: "memory", record: RecordID(1),
        writes: [Write(field: "title", value: .text("Hut"))])

    private func writing(_ family: Family) -> CommitID? {
        family.membership.writingEpoch(avoiding: []) { _ in true }
    }

    @Test("only an admin makes one, and who reads may add others to it")
    func made() {
        var family = Family(ann)
        let grant = family.grant(ben, .editor, by: ann, under: family.root)
        #expect(!family.membership.isEncrypted)
        family.write(ben.log, under: grant, [epoch("b", for: [ann, ben])])
        #expect(!family.membership.isEncrypted)
        let first = family.write(ann.log, under: family.root, [epoch("a", for: [ann])])
        #expect(family.membership.epochs.keys.elementsEqual([first.commit]))
        #expect(family.membership.missingEpochs == [ben.id: [first.commit]])
        // A stranger is no reader: nothing comes of what they say.
        family.write(cleo.log, under: grant, [added([ben], to: [first])])
        #expect(family.membership.missingEpochs == [ben.id: [first.commit]])
        family.write(ann.log, under: family.root, [added([ben], to: [first])])
        #expect(family.membership.missingEpochs.isEmpty)
        #expect(writing(family) == first.commit)
    }

    @Test(
        "where its log forked one counts no more, and writing waits for another, sealed as before")
    func forked() {
        var family = Family(ann)
        family.write(ann.log, under: family.root, [epoch("a", for: [ann])])
        var membership = family.membership
        #expect(membership.isEncrypted && membership.isToBeSealed)
        let isChanged = membership.fork(ann.log, at: 2)
        #expect(isChanged)
        #expect(!membership.isEncrypted && membership.isToBeSealed)
        #expect(membership.writingEpoch(avoiding: []) { _ in true } == nil)
    }

    @Test("nothing is written under one that a former reader knows")
    func revoked() {
        var family = Family(ann)
        let grant = family.grant(ben, .editor, by: ann, under: family.root)
        let first = family.write(ann.log, under: family.root, [epoch("a", for: [ann, ben])])
        #expect(writing(family) == first.commit)
        family.revoke(grant, by: ann, under: family.root)
        #expect(writing(family) == nil)
        let second = family.write(ann.log, under: family.root, [epoch("b", for: [ann])])
        #expect(writing(family) == second.commit)
        // The old one stays one: what was written under it counts.
        #expect(family.membership.epochs.count == 2)
        // Nor under one that a former admin made, whoever has its key.
        let again = family.grant(ben, .all, by: ann, under: family.root)
        let third = family.write(ben.log, under: again, [epoch("c", for: [ann])])
        #expect(writing(family) == third.commit)
        family.revoke(again, by: ann, under: family.root)
        #expect(family.membership.epochs.count == 3 && writing(family) == second.commit)
    }

    @Test("of two made at once all choose the same, and of one that knew the other the later")
    func concurrent() throws {
        var family = Family(ann)
        let grant = family.grant(ben, .all, by: ann, under: family.root)
        let before = family.ledger
        let one = family.write(ann.log, under: family.root, [epoch("a", for: [ann, ben])])
        let other = family.write(
            ben.log, under: grant, [epoch("b", for: [ann, ben])], seeing: before)
        #expect([one.commit, other.commit].contains(writing(family)))
        let later = family.write(ann.log, under: family.root, [epoch("c", for: [ann, ben])])
        #expect(writing(family) == later.commit)
        #expect(family.membership.writingEpoch(avoiding: []) { $0 == other.commit } == other.commit)
    }

    @Test("what had seen one has to be sealed; what had not counts as before")
    func unsealed() throws {
        var family = Family(ann)
        let grant = family.grant(ben, .editor, by: ann, under: family.root)
        let before = try #require(family.ledger)
        family.write(ann.log, under: family.root, [epoch("a", for: [ann, ben])])
        let ledger = try #require(family.ledger)
        let early = TestCommit.next(
            in: ben.log, of: before, under: grant, clock: 50, TestDraft(operations: [write]))
        let late = TestCommit.next(
            in: ben.log, of: ledger, under: grant, clock: 51, TestDraft(operations: [write]))
        for (commit, counts) in [(early, true), (late, false)] {
            var other = ledger
            _ = other.record(commit)
            #expect(other.isEffective(commit) == counts)
        }
        let own = TestCommit.next(
            in: ann.log, of: ledger, under: family.root, clock: 52, TestDraft(operations: [write]))
        var other = ledger
        _ = other.record(own)
        #expect(!other.isEffective(own))
    }

    @Test("a member let in from now on lacks no key; let in again without limit, the earlier ones")
    func fromNow() {
        var family = Family(ann)
        let first = family.write(ann.log, under: family.root, [epoch("a", for: [ann])])
        let second = family.write(ann.log, under: family.root, [epoch("b", for: [ann])])
        let grant = ben.grant(from: family.root, .editor)
        let own = family.write(
            ann.log, under: family.root,
            [.grant(grant), epoch("c", for: [ann, ben], isFromNow: true)])
        #expect(family.membership.missingEpochs.isEmpty)
        #expect(
            family.membership.epochFacts.isFromNow(ben.id)
                && !family.membership.epochFacts.isFromNow(ann.id))
        #expect(writing(family) == own.commit)
        // What is made later is theirs like everybody's.
        let third = family.write(ann.log, under: family.root, [epoch("d", for: [ann])])
        #expect(family.membership.missingEpochs == [ben.id: [third.commit]])
        family.grant(ben, .all, by: ann, under: family.root)
        let all: Set<CommitID> = [first.commit, second.commit, third.commit]
        #expect(family.membership.missingEpochs == [ben.id: all])
    }

    @Test("a device without a key hands none on, and one that was given it does")
    func handedOnByHolders() {
        var family = Family(ann)
        let grants = [ben, cleo].map { family.grant($0, .read, by: ann, under: family.root) }
        let first = family.write(ann.log, under: family.root, [epoch("a", for: [ann])])
        // Ben has nothing to give, and keeps nobody from getting it.
        family.write(ben.log, under: grants[0], [added([cleo], to: [first])])
        #expect(family.membership.missingEpochs.keys.sorted() == [ben.id, cleo.id].sorted())
        // Nor does what he says of somebody who was removed make it useless.
        let dan = TestDevice(4, person: 4)
        let grant = family.grant(dan, .read, by: ann, under: family.root)
        family.revoke(grant, by: ann, under: family.root)
        family.write(ben.log, under: grants[0], [added([dan], to: [first])])
        #expect(writing(family) == first.commit)
        // Cleo, who is given it, hands it on, and so what Ben said is true.
        family.write(ann.log, under: family.root, [added([cleo], to: [first])])
        #expect(family.membership.missingEpochs == [ben.id: [first.commit]])
        family.write(cleo.log, under: grants[1], [added([ben], to: [first])])
        #expect(family.membership.missingEpochs.isEmpty)
        #expect(writing(family) == nil)
    }

    @Test("from now on is what the commit of an epoch says, not one that hands on what is there")
    func handedOn() {
        var family = Family(ann)
        let first = family.write(ann.log, under: family.root, [epoch("a", for: [ann])])
        let second = family.write(ann.log, under: family.root, [epoch("b", for: [ann])])
        let grant = ben.grant(from: family.root, .editor)
        family.write(
            ann.log, under: family.root,
            [.grant(grant), added([ben], to: [second], isFromNow: true)])
        #expect(!family.membership.epochFacts.isFromNow(ben.id))
        #expect(family.membership.missingEpochs == [ben.id: [first.commit]])
    }

    @Test("any writer may make the next one, once an admin has made the first")
    func byWriters() {
        var family = Family(ann)
        let bens = family.grant(ben, .editor, by: ann, under: family.root)
        let cleos = family.grant(cleo, .read, by: ann, under: family.root)
        let apart = family.ledger
        family.write(ann.log, under: family.root, [epoch("a", for: [ann, ben, cleo])])
        // Who had not seen it cannot follow it, and who only reads cannot at all.
        family.write(ben.log, under: bens, [epoch("x", for: [ben])], seeing: apart)
        family.write(cleo.log, under: cleos, [epoch("y", for: [cleo])])
        #expect(family.membership.epochs.count == 1)
        family.revoke(cleos, by: ann, under: family.root)
        #expect(writing(family) == nil)
        let next = family.write(ben.log, under: bens, [epoch("b", for: [ann, ben])])
        #expect(writing(family) == next.commit)
        // Of several in one commit the first is the one.
        #expect(family.membership.epochs[next.commit]?.recipient == "b")
    }
}
