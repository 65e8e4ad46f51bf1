import Store
import SyncCore
import TestKit
import Testing

/// Which of the stored commits count: forks, groups, revocations.
extension StoreContractTests {
    @Test(
        "Two commits at one place prove a fork: both are kept, and neither counts",
        arguments: TestedStore.allCases)
    func forking(_ kind: TestedStore) throws {
        // given
        let store = try make(kind)
        let (one, other) = try rivals()
        _ = try store.apply(try start())
        let before = store.watermark
        #expect(try store.apply([one]).stored.map(\.id) == [one.id])
        #expect(try store.titles(1) == [.text("links")])
        // when
        let report = try store.apply([other])
        // then
        #expect(report.found.newForks == [anna.log] && report.found.branched == 1)
        #expect(report.refusals.isEmpty && report.stored.isEmpty)
        #expect(store.watermark == before && report.view?.watermark == before)
        #expect(try store.records().isEmpty && store.commits().count == 2)
        #expect(store.ledger?.forks[anna.log]?.count == 2)
        // when the other comes again
        let again = try store.apply([other])
        // then
        #expect(again.found.newForks.isEmpty && again.found.branched == 0)
    }

    @Test(
        "A fork is asked for its proof first, then for its commits, each after the one before it",
        arguments: TestedStore.allCases)
    func branches(_ kind: TestedStore) throws {
        // given a log that went on after its fork
        let store = try make(kind)
        let receiver = try TestedStore.allCases.map { try $0.make(testLog, seed: 8, for: space) }
        let other = try rivals().1
        let annas = try changes(byAnna: 0..<4).annas
        for each in receiver { _ = try each.apply(try start()) }
        _ = try store.apply(try start() + annas + [other])
        // when both kinds of store learn of it, page by page
        for each in receiver {
            var (pages, place) = (0, BranchPlace?.none)
            while pages < 20 {
                let listed = each.ledger?.forks.points ?? []
                let page = try store.forks(for: ForkQuestion(listed: listed, after: place))
                #expect(page.proofs.count == (pages == 0 ? 1 : 0))
                guard !page.proofs.isEmpty || !page.1.isEmpty else { break }
                #expect(page.1.count == (pages == 0 ? 0 : 1))
                for proof in page.proofs {
                    #expect(try each.apply(proof).found.newForks == [anna.log])
                    #expect(try each.apply(proof).found.newForks.isEmpty)
                }
                let report = try each.apply(page.1.map(testLog.verified))
                #expect(report.refusals.isEmpty && report.found.branched == page.1.count)
                place = page.1.last.map(BranchPlace.init) ?? place
                pages += 1
            }
            // then
            #expect(pages == 6)
            #expect(each.ledger?.forks == store.ledger?.forks)
            #expect(each.ledger?.forks[anna.log]?.tips.count == 2)
        }
    }

    @Test(
        "Nobody fills a store with proofs of logs that are no member's, nor of the genesis",
        arguments: TestedStore.allCases)
    func strangersProofs(_ kind: TestedStore) throws {
        // given
        let store = try make(kind)
        let stranger = try TestPeer(testLog, seed: 8)
        try stranger.pull(space, from: anna)
        _ = try store.apply(try start())
        var header = try stranger.nextHeader(in: space, under: bensGrant)
        func proof() -> UnverifiedFork {
            let sides = ["a", "b"].map { testLog.commit(header, ClearPart(), [titled($0, 1)]) }
            return self.proof(sides[0], sides[1])
        }
        // when
        let foreign = try store.apply(proof())
        (header.log, header.sequence) = (anna.log, 1)
        let genesis = try store.apply(proof())
        header.sequence = 2
        let members = try store.apply(proof())
        // then
        #expect(foreign.found.newForks.isEmpty && genesis.found.newForks.isEmpty)
        #expect(members.found.newForks == [anna.log])
        #expect(store.ledger?.forks.keys.sorted() == [anna.log])
    }

    @Test(
        "Nothing of a group is shown before its last commit, and then all of it",
        arguments: TestedStore.allCases)
    func groups(_ kind: TestedStore) throws {
        // given
        let store = try make(kind)
        let before = try #require(ben.store.ledger(of: space)?.watermark)
        try anna.write(
            group: [[titled("eins", 1)], [titled("zwei", 2)], [titled("drei", 3)]], to: space)
        let parts = try anna.commits(of: space, beyond: before)
        _ = try store.apply(try start())
        for part in parts.dropLast() {
            // when
            let report = try store.apply([part])
            // then
            #expect(report.stored.map(\.id) == [part.id] && report.effective == 0)
            #expect(try store.records().isEmpty)
            #expect(parts.dropLast().allSatisfy { store.ledger?.isEffective($0) == false })
        }
        #expect(try store.apply([parts[2]]).effective == 1)
        #expect(parts.allSatisfy { store.ledger?.isEffective($0) == true })
        #expect(try store.records().count == 3)
        #expect(store.ledger?.openGroups.isEmpty == true)
    }

    @Test(
        "Commits beyond a cut do not count, in either order of arrival",
        arguments: TestedStore.allCases, [true, false])
    func revoking(_ kind: TestedStore, cutComesLast: Bool) throws {
        // given
        let store = try make(kind)
        let before = try #require(anna.store.ledger(of: space)?.watermark)
        try ben.write([titled("gilt", 1)], to: space)
        let cut = try #require(ben.store.ledger(of: space)?.watermark)
        try ben.write([titled("gilt nicht", 1), titled("auch nicht", 2)], to: space)
        let revocation = Revocation(
            grant: bensGrant, remaining: [], cut: cut, scope: .device, cascade: .all)
        let bens = try ben.commits(of: space, beyond: before)
        try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        let cutting = try anna.commits(of: space, beyond: before)
        _ = try store.apply(try start())
        // when
        _ = try store.apply(cutComesLast ? bens : cutting)
        #expect(try store.records().count == (cutComesLast ? 2 : 0))
        _ = try store.apply(cutComesLast ? cutting : bens)
        // then
        #expect(try store.titles(1) == [.text("gilt")])
        #expect(try store.records().count == 1)
        #expect(store.watermark.sequence(of: ben.log) == 2)
    }

    @Test(
        "A removed member's commits are kept to so many bytes at once, and more of them each hour",
        arguments: TestedStore.allCases)
    func pace(_ kind: TestedStore) throws {
        // given much that Ben wrote before he heard that he was removed
        let store = try make(kind)
        let before = try #require(anna.store.ledger(of: space)?.watermark)
        try writeMuch()
        let bens = try ben.commits(of: space, beyond: before)
        let revocation = Revocation(
            grant: bensGrant, remaining: [], cut: before, scope: .device, cascade: .none)
        try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        _ = try store.apply(try anna.commits(of: space))
        func people() -> Set<PersonID>? { store.ledger?.pacedPeople(at: store.owner.now) }
        // when
        let report = try store.apply(bens)
        // then it is so much, and its sender did nothing wrong
        #expect(report.refusals.map(\.reason) == [.paced])
        #expect((65..<70).contains(report.stored.count) && report.effective == 0)
        #expect(people() == [try #require(ben.card.links.last?.content.person)])
        // and no more comes, but with the time
        #expect(try store.apply(bens).stored.isEmpty)
        store.owner.now = Milliseconds(store.owner.now.value + 3_600_000)
        #expect(people() == [])
        #expect((16..<19).contains(try store.apply(bens).stored.count))
        // and all of it once he may write again
        let known = try #require(anna.store.ledger(of: space)?.watermark)
        try anna.grant(.editor, to: ben, in: space)
        _ = try store.apply(try anna.commits(of: space, beyond: known))
        #expect(try store.apply(bens).refusals.isEmpty)
        #expect(store.watermark.sequence(of: ben.log) == 100)
    }

    @Test(
        "A member's commits are all stored at once, however many bytes they are",
        arguments: TestedStore.allCases)
    func membersPace(_ kind: TestedStore) throws {
        let store = try make(kind)
        try writeMuch()
        #expect(try store.apply(try ben.commits(of: space)).stored.count == 102)
    }

    /// 100 commits by Ben, of some 6 MB in all.
    private func writeMuch() throws {
        for number in 0..<100 as Range<UInt64> {
            try ben.write([written(String(repeating: "x", count: 60_000), number)], to: space)
        }
    }
}
