import SyncCore
import TestKit
import Testing

/// Ann founded the space and let Ben in, an admin; Ben let in Cleo and Mal and removed Mal again.
@Suite("What a fork can undo")
struct PinTests {
    private let ann = TestDevice(1, person: 1)
    private let phone = TestDevice(2, person: 1)
    private let ben = TestDevice(3, person: 2)
    private let cleo = TestDevice(4, person: 3)
    private let mal = TestDevice(5, person: 4)
    private var family: Family
    private let phones: FactReference
    private let bens: FactReference
    private let cleos: FactReference
    private let mals: FactReference
    /// What was known before Ben removed Mal.
    private let before: MemoryStore

    init() {
        var family = Family(ann)
        let root = family.root
        phones = family.grant(phone, .all, by: ann, under: root, sibling: 1)
        bens = family.grant(ben, .all, by: ann, under: root)
        mals = family.grant(mal, .contributor, by: ben, under: bens)
        before = family.store
        family.revoke(mals, by: ben, under: bens, scope: .person)
        cleos = family.grant(cleo, .contributor, by: ben, under: bens)
        self.family = family
    }

    private var root: FactReference { family.root }

    private func stands(_ grant: FactReference) -> Bool {
        family.current(grant)?.isEmpty == false
    }

    /// Ben's log goes on from before he removed Mal, as well.
    private mutating func benForks() {
        var copy = before
        guard let other = copy.append(in: ben.log, clock: 50, TestDraft()) else {
            Issue.record("nothing was written")
            return
        }
        let outcome = family.apply([other])
        #expect(outcome.found.newForks == [ben.log])
    }

    private func taking(_ store: MemoryStore) -> MembershipFact {
        .revocation(
            Revocation(
                grant: bens, remaining: [], cut: store.watermark, scope: .person, cascade: .none))
    }

    private mutating func removeBen() {
        family.revoke(bens, by: ann, under: root, scope: .person)
    }

    @Test("A removed member undoes nothing by a fork, whether it is proven before or after")
    mutating func removed() {
        removeBen()
        #expect(!stands(bens) && !stands(mals) && stands(cleos))
        benForks()
        #expect(!stands(bens) && !stands(mals) && stands(cleos))
    }

    @Test("Who stands undoes their own acts, and a removal by who had seen them brings them back")
    mutating func standing() {
        var other = family
        benForks()
        #expect(stands(bens) && stands(mals) && !stands(cleos))
        other.revoke(bens, by: ann, under: root, scope: .person)
        _ = family.apply(other.store.commits)
        #expect(!stands(bens) && !stands(mals) && stands(cleos))
    }

    @Test("The key of who was removed takes nothing of what the removal left, by whatever cut")
    mutating func ownKey() {
        removeBen()
        let taking = Revocation(
            grant: bens, remaining: [], cut: Watermark(), scope: .person, cascade: .none)
        family.write(cleo.log, under: cleos, [.personRevocation(taking, StatementKey(ben.person))])
        #expect(!stands(bens) && !stands(mals) && stands(cleos))
    }

    @Test("Leaving pins nothing")
    mutating func leaving() {
        family.revoke(bens, by: ben, under: bens)
        #expect(!stands(bens) && stands(cleos))
        benForks()
        #expect(stands(mals) && !stands(cleos))
    }

    @Test("A leave that somebody else says again pins the branch on which it was written")
    mutating func leavingSaidAgain() throws {
        var own = family.watermark
        let head = try #require(own.heads[ben.log])
        own.advance(ben.log, to: LogHead(sequence: head.sequence + 1, commit: head.commit))
        #expect(Leaves(family.membership).toRepeat.isEmpty)
        let leave = family.revoke(bens, by: ben, under: bens, cut: own)
        #expect(Leaves(family.membership).canRepeat(bens, from: ann.id))
        let cut = try #require(Leaves(family.membership).toRepeat[bens])
        #expect(cut.heads[ben.log]?.commit == leave.commit)
        let again = Revocation(
            grant: bens, remaining: [], cut: cut, scope: .device, cascade: .none)
        #expect(Leaves(family.membership).isRepeated(again, by: ann.person))
        #expect(!Leaves(family.membership).isRepeated(again, by: ben.person))
        family.write(ann.log, under: root, [.revocation(again)])
        #expect(Leaves(family.membership).toRepeat.isEmpty)
        benForks()
        #expect(!stands(bens) && !stands(mals) && stands(cleos))
    }

    @Test("What a person takes from a device of theirs is said again by others alone")
    mutating func takenFromOwnDevice() {
        family.revoke(bens, by: phone, under: phones, scope: .person)
        family.revoke(phones, by: ann, under: root, scope: .device)
        let leaves = Leaves(family.membership)
        #expect(leaves.toRepeat[phones] != nil)
        #expect(family.membership.canRestrict(phones, from: ann.id))
        #expect(!leaves.canRepeat(phones, from: ann.id))
    }

    @Test("A leave of somebody who decided nothing about others is not said again")
    mutating func leavingOfGuests() {
        var own = family.watermark
        own.advance(cleo.log, to: LogHead(sequence: 1, commit: .zero))
        family.revoke(cleos, by: cleo, under: cleos, cut: own)
        #expect(!stands(cleos) && Leaves(family.membership).toRepeat.isEmpty)
    }

    @Test("The branch that the most senior saw counts, also when another one saw more")
    mutating func twoBranches() {
        // Ann saw the branch in which Mal is in, her phone the other one; both remove Ben.
        var copy = before
        let other = copy.append(in: ben.log, clock: 50, TestDraft())
        let byAnn = copy.append(
            in: ann.log, clock: 60, under: root, TestDraft(facts: [taking(copy)]))
        family.write(phone.log, under: phones, [taking(family.store)])
        #expect(!stands(bens) && !stands(mals) && stands(cleos))
        _ = family.apply([other, byAnn].compactMap(\.self))
        #expect(!stands(bens) && stands(mals) && !stands(cleos))
    }

    @Test("What is pinned counts once its commits are here, whichever came first")
    mutating func late() {
        // A device that had the other branch, and hears of the removal before the commits of the true one.
        var late = before
        guard let other = late.append(in: ben.log, clock: 50, TestDraft()) else { return }
        _ = late.apply([other])
        removeBen()
        let commits = family.store.commits.filter { commit in
            !late.commits.contains { $0.id == commit.id }
        }
        for commit in commits.reversed() + commits { _ = late.apply([commit]) }
        let standings = late.ledger?.membership.standings
        #expect(standings?[cleos]?.current.isEmpty == false)
        #expect(standings?[mals]?.current.isEmpty == true)
        #expect(standings?[bens]?.current.isEmpty == true)
        // A commit that is written then says that it had seen the pinned branch.
        let heard = late.ledger?.heard.heads[ben.log]
        #expect(heard == family.watermark.heads[ben.log])
    }

    @Test("The end of a pinned branch changes who stands, also where it says nothing of members")
    mutating func endWithoutFacts() {
        // given
        family.write(ben.log, under: bens)
        let end = family.watermark.heads[ben.log]?.commit
        removeBen()
        var late = before
        guard let other = late.append(in: ben.log, clock: 50, TestDraft()) else { return }
        _ = late.apply([other])
        let commits = family.store.commits.filter { commit in
            !late.commits.contains { $0.id == commit.id }
        }
        for commit in commits.reversed() + commits where commit.id != end {
            _ = late.apply([commit])
        }
        let known = late.ledger?.membership
        // when
        let outcome = late.apply(commits.filter { $0.id == end })
        // then
        let now = late.ledger?.membership
        #expect(outcome.found.branched == 1)
        #expect(now?.standings != known?.standings)
        #expect(now?.revision ?? 0 > known?.revision ?? 0)
    }
}
