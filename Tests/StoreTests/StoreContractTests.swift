import Store
import SyncCore
import TestKit
import Testing

/// The laws that an engine relies on in a store. The store keeps to them, and so does its double in memory, on which the
/// tests of the engine stand.
@Suite struct StoreContractTests {
    let testLog = TestLog()
    let anna: TestPeer
    let ben: TestPeer
    let space: SpaceID
    let bensGrant: FactReference

    /// Anna's space, with Ben in it.
    init() throws {
        anna = try TestPeer(testLog, seed: 1)
        ben = try TestPeer(testLog, seed: 2)
        space = try anna.found()
        bensGrant = try anna.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: anna)
    }

    func make(_ kind: TestedStore) throws -> any SpaceStore {
        try kind.make(testLog, seed: 9, for: space)
    }

    /// The commits of Anna and Ben, each written without knowing of the other's.
    func changes(
        byAnna: Range<UInt64>, byBen: Range<UInt64> = 0..<0
    ) throws -> (annas: [VerifiedCommit], bens: [VerifiedCommit]) {
        let before = try #require(ben.store.ledger(of: space)?.watermark)
        for number in byAnna { try anna.write([titled("Anna \(number)", number)], to: space) }
        for number in byBen { try ben.write([titled("Ben \(number)", number)], to: space) }
        return (
            try anna.commits(of: space, beyond: before), try ben.commits(of: space, beyond: before)
        )
    }

    /// The commits that both had before they wrote.
    func start() throws -> [VerifiedCommit] { try Array(anna.commits(of: space).prefix(2)) }

    /// Two commits for Anna's next place.
    func rivals() throws -> (VerifiedCommit, VerifiedCommit) {
        let founder = FactReference(commit: CommitID(space.value), index: 0)
        let header = try anna.nextHeader(in: space, under: founder)
        return (
            testLog.commit(header, ClearPart(), [titled("links", 1)]),
            testLog.commit(header, ClearPart(), [titled("rechts", 1)])
        )
    }

    func proof(_ one: VerifiedCommit, _ other: VerifiedCommit) -> UnverifiedFork {
        UnverifiedFork(
            first: .init(one.encoded, one.header), second: .init(other.encoded, other.header))
    }

    // MARK: Storing and reading

    @Test(
        "Commits are read in the order in which they came, and are stored once",
        arguments: TestedStore.allCases)
    func storing(_ kind: TestedStore) throws {
        // given
        let store = try make(kind)
        let (annas, bens) = try changes(byAnna: 0..<2, byBen: 2..<4)
        let all = try start() + [annas[0], bens[0], bens[1], annas[1]]
        // when
        let report = try store.apply(all)
        // then
        #expect(report.stored.map(\.id) == all.map(\.id) && report.effective == all.count)
        #expect(report.refusals.isEmpty && report.found.newForks.isEmpty)
        #expect(report.space == space && report.view?.watermark == store.watermark)
        #expect(try store.commits().map(\.encoded) == all.map(\.encoded))
        #expect(store.watermark.sequence(of: anna.log) == 4)
        #expect(store.watermark.heads[ben.log] == LogHead(sequence: 2, commit: bens[1].id))
        for number in 0..<4 as Range<UInt64> {
            let author = number < 2 ? "Anna" : "Ben"
            #expect(try store.titles(number) == [.text("\(author) \(number)")])
        }
        // when it comes once more
        let again = try store.apply(all)
        // then
        #expect(again.stored.isEmpty && again.refusals.isEmpty && again.effective == 0)
        #expect(try store.commits().count == all.count)
    }

    @Test("Reading leaves out the commits that a watermark covers", arguments: TestedStore.allCases)
    func reading(_ kind: TestedStore) throws {
        let store = try make(kind)
        let (annas, bens) = try changes(byAnna: 0..<4, byBen: 4..<6)
        _ = try store.apply(try start() + annas + bens)
        let known = Watermark([anna.log: LogHead(sequence: 4, commit: annas[1].id)])
        #expect(try store.commits(beyond: known).map(\.id) == (annas[2...] + bens).map(\.id))
        #expect(try store.commits(beyond: store.watermark).isEmpty)
    }

    @Test(
        "Reading goes on where it was, also when a fork took away commits that were read",
        arguments: TestedStore.allCases)
    func readingOn(_ kind: TestedStore) throws {
        // given
        let store = try make(kind)
        let (one, other) = try rivals()
        let bens = try changes(byAnna: 0..<0, byBen: 0..<2).bens
        _ = try store.apply(try start() + [one] + bens)
        var place: Int64 = 0
        for _ in 0..<3 {
            place = try #require(try store.next(beyond: Watermark(), after: place)).1
        }
        // when
        #expect(try store.apply([other]).found.newForks == [anna.log])
        // then
        #expect(
            try store.commits(beyond: Watermark(), after: place).map(\.id) == bens.map(\.id))
    }

    @Test(
        "A commit whose past is missing is refused and leaves nothing",
        arguments: TestedStore.allCases)
    func pastMissing(_ kind: TestedStore) throws {
        let store = try make(kind)
        let (annas, _) = try changes(byAnna: 0..<2)
        let all = try start() + annas
        // when nothing is here
        let refused = try store.apply([all[1]])
        // then
        #expect(refused.refusals == [.init(all[1], .causalPastMissing)])
        #expect(refused.view == nil && store.ledger == nil && refused.stored.isEmpty)
        // when there is a gap
        let partly = try store.apply([all[0], all[2]])
        // then
        #expect(partly.stored.map(\.id) == [all[0].id])
        #expect(partly.refusals == [.init(all[2], .causalPastMissing)])
        #expect(store.watermark.sequence(of: anna.log) == 1)
        #expect(try store.records().isEmpty && store.commits().count == 1)
        #expect(try store.apply(all).stored.count == 3)
    }

    @Test(
        "A log that does not fit is reported once, and leaves the others of its batch alone",
        arguments: TestedStore.allCases)
    func otherLogs(_ kind: TestedStore) throws {
        let store = try make(kind)
        let (annas, bens) = try changes(byAnna: 0..<3, byBen: 3..<4)
        _ = try store.apply(try start())
        let report = try store.apply(annas[1...] + bens)
        #expect(report.refusals == [.init(annas[1], .causalPastMissing)])
        #expect(report.stored.map(\.id) == bens.map(\.id))
        #expect(try store.titles(3) == [.text("Ben 3")])
    }

    @Test(
        "Misbehaviour ends a batch, and the commits before it are kept",
        arguments: TestedStore.allCases)
    func misbehaviour(_ kind: TestedStore) throws {
        let store = try make(kind)
        let (annas, bens) = try changes(byAnna: 0..<2, byBen: 2..<3)
        let nobodys = FactReference(commit: CommitID(space.value), index: 7)
        let lie = testLog.commit(
            try ben.nextHeader(in: space, under: nobodys), ClearPart(), [titled("x", 1)])
        _ = try store.apply(try start() + bens)
        let report = try store.apply([annas[0], lie, annas[1]])
        #expect(report.stored.map(\.id) == [annas[0].id])
        #expect(report.refusal == .init(lie, .misbehaved(.grantUnknown)))
        #expect(store.watermark.sequence(of: anna.log) == 3)
        #expect(store.watermark.sequence(of: ben.log) == 1)
    }

    // MARK: Writing

    @Test(
        "An own write is read at once, and a refused one leaves nothing",
        arguments: TestedStore.allCases)
    func writing(_ kind: TestedStore) throws {
        // given a contributor
        let store = try make(kind)
        try anna.write([titled("alt", 1)], to: space)
        _ = try store.apply(try anna.commits(of: space))
        let (log, known) = (store.owner.log, store.watermark)
        // when it has no grant yet
        #expect(try store.append([titled("nein", 1)]) == nil)
        // then
        #expect(store.watermark == known)
        // when it has one
        try anna.grant(.contributor, to: store.owner, in: space)
        _ = try store.apply(try anna.commits(of: space))
        let written = try #require(try store.append([titled("neu", 1)]))
        // then
        #expect(store.watermark.heads[log] == LogHead(sequence: 1, commit: written))
        #expect(try store.commits().last?.id == written)
        #expect(try store.titles(1) == [.text("neu")])
        // when it may not delete
        #expect(try store.append([titled("leer", 1), deleted(1)]) == nil)
        // then
        #expect(store.watermark.sequence(of: log) == 1)
        #expect(try store.titles(1) == [.text("neu")])
    }
}
