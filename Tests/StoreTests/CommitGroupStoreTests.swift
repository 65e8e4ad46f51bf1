import Store
import SyncCore
import Testing

/// Groups of commits in a store: written together, shown together.
@Suite struct CommitGroupStoreTests {
    private let testLog = TestLog()
    private let anna: TestPeer
    private let space: SpaceID

    init() throws {
        anna = try TestPeer(testLog, seed: 1)
        space = try anna.found()
    }

    private static let parts = [
        [titled("eins", 1), titled("zwei", 2)], [titled("drei", 3)], [tagged("Meer", 1)],
    ]

    private func isSound(_ peer: TestPeer) throws {
        #expect(try peer.store.examination.verifyLogs().faults == 0)
        #expect(try peer.store.examination.compareShown().faults == [])
    }

    @Test("a group is shown when its last commit came, also by a store that was opened between")
    func arriving() throws {
        // given
        let home = TestPeer.newHome()
        var ben = try TestPeer(testLog, seed: 2, home: home)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        let written = try anna.write(group: CommitGroupStoreTests.parts, to: space)
        #expect(written.stored.count == 3)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        for (index, commit) in coming.enumerated() {
            // when
            let outcome = try ben.store.log.apply([commit], to: space, now: ben.now)
            try ben.store.close()
            ben = try TestPeer(testLog, seed: 2, home: home)
            // then
            let isWhole = index == 2
            #expect(outcome.refusal == nil && outcome.effective == (isWhole ? 1 : 0))
            #expect(try ben.store.records.counts(of: space) == (isWhole ? ["memory": 3] : [:]))
            #expect((ben.store.ledger(of: space)?.openGroups.isEmpty == true) == isWhole)
            #expect(
                try ben.store.orphans.counts(in: space).map(\.reason)
                    == (isWhole ? [] : [.incomplete]))
            try isSound(ben)
        }
        #expect(try ben.digest(space) == anna.digest(space))
        #expect(try ben.states(space) == anna.states(space))
    }

    @Test("a record that others changed before the group came is found by all that wrote to it")
    func among() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        try anna.write([titled("alt", 1)], to: space)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        _ = try ben.store.log.apply(Array(coming.prefix(2)), to: space, now: ben.now)
        // when
        try ben.write([titled("Bens", 1), titled("Bens", 3)], to: space)
        _ = try ben.store.log.apply(Array(coming.suffix(1)), to: space, now: ben.now)
        try anna.pull(space, from: ben)
        // then
        #expect(try ben.titles(space, 1) == [.text("Bens"), .text("eins")])
        #expect(try ben.titles(space, 3) == [.text("Bens"), .text("drei")])
        #expect(try ben.digest(space) == anna.digest(space))
        try isSound(ben)
        let states = try ben.states(space)
        try ben.store.records.rebuild(space)
        #expect(try ben.states(space) == states)
    }

    @Test("when one commit of a group cannot be written, none is")
    func none() throws {
        struct Failure: Error {}
        try anna.write([titled("alt", 1)], to: space)
        let before = (anna.store.ledger(of: space)?.watermark, try anna.digest(space))
        #expect(throws: Failure.self) {
            try anna.write(group: CommitGroupStoreTests.parts, to: space) { header, draft in
                guard header.following > 0 else { throw Failure() }
                return anna.sealed(header, draft)
            }
        }
        #expect(anna.store.ledger(of: space)?.watermark == before.0)
        #expect(try anna.digest(space) == before.1)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        #expect(try anna.store.records.counts(of: space) == ["memory": 3])
    }

    @Test("what came of a group that never becomes whole can be brought back")
    func recovered() throws {
        // given
        let ben = try TestPeer(testLog, seed: 2)
        try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
        try anna.write(group: CommitGroupStoreTests.parts, to: space)
        let coming = try anna.commits(
            of: space, beyond: ben.store.ledger(of: space)?.watermark ?? Watermark())
        _ = try ben.store.log.apply(Array(coming.prefix(1)), to: space, now: ben.now)
        // when
        #expect(try ben.recoverAll(in: space) == 1)
        // then
        #expect(try ben.titles(space, 1) == [.text("eins")])
        #expect(try ben.store.orphans.all(in: space).waiting == [])
        // when the rest comes after all
        _ = try ben.store.log.apply(Array(coming.suffix(2)), to: space, now: ben.now)
        try anna.pull(space, from: ben)
        #expect(try ben.digest(space) == anna.digest(space))
        #expect(try ben.titles(space, 1) == [.text("eins")])
    }
}
