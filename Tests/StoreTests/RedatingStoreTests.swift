import Store
import SyncCore
import TestKit
import Testing

/// What a clock that was wrong does to what is shown, and what redating makes of it.
@Suite struct RedatingStoreTests {
    private let ann: TestPeer
    private let ben: TestPeer
    private let space: SpaceID
    private let day: UInt64 = 86_400_000

    init() throws {
        let testLog = TestLog()
        ann = try TestPeer(testLog, seed: 1)
        ben = try TestPeer(testLog, seed: 2)
        space = try ann.found()
        try ann.grant(.editor, to: ben, in: space)
        try ben.pull(space, from: ann)
    }

    private func exchange() throws {
        try ann.pull(space, from: ben)
        try ben.pull(space, from: ann)
    }

    private func title(on peer: TestPeer) throws -> String? {
        try peer.shown(1, in: space)?.value("title")?.text
    }

    private func redate(_ device: TestPeer, by peer: TestPeer, _ offset: Int64) throws {
        let span = peer.now.value + 1_000...peer.now.value + 9 * day
        let redating = Redating(device: device.device, span: span, offsetMilliseconds: offset)
        if device === peer { peer.settle() }
        try peer.write([], clear: ClearPart(facts: [.redating(redating)]), to: space)
    }

    /// Ann, three days ahead, writes what Ben does not see; then her clock is set right.
    private func writeAhead(_ text: String) throws {
        let right = ann.now
        ann.now = Milliseconds(right.value + 3 * day)
        try ann.write([titled(text, 1)], to: space)
        ann.now = Milliseconds(right.value + 1)
    }

    private func expectWhole() throws {
        for peer in [ann, ben] {
            #expect(try peer.store.examination.verifyLogs().faults == 0)
            #expect(try peer.store.examination.compareShown().faults == [])
        }
        #expect(try ann.states(space) == ben.states(space))
        #expect(try ann.digest(space) == ben.digest(space))
    }

    @Test("a person who saw a change dated in the future replaces it, however early they write")
    func seenIsReplaced() throws {
        try writeAhead("ahead")
        try exchange()
        try ben.write([titled("seen by commit", 1)], to: space)
        try exchange()
        #expect(try title(on: ann) == "seen by commit")

        try writeAhead("ahead again")
        try exchange()
        let shown = try #require(try ben.shown(1, in: space)).writes("title")
        try ben.write([titled("seen by write", 1, replaces: shown)], to: space)
        try exchange()

        #expect(try title(on: ann) == "seen by write" && title(on: ben) == "seen by write")
        #expect(try ann.store.records.conflicts(of: space).isEmpty)
        try expectWhole()
    }

    @Test("a change dated in the future wins until it is redated, and again when that is undone")
    func redating() throws {
        try writeAhead("ahead")
        ben.now = Milliseconds(ben.now.value + 3_600_000)
        try ben.write([titled("an hour later", 1)], to: space)
        try exchange()
        #expect(try title(on: ann) == "ahead" && title(on: ben) == "ahead")
        let ahead = try ben.store.log.changesAhead(in: space, now: ben.now)
        #expect(ahead.keys.map(\.self) == [ann.device] && ahead[ann.device]?.count == 1)

        try redate(ann, by: ann, -Int64(3 * day))
        try exchange()
        #expect(try title(on: ann) == "an hour later" && title(on: ben) == "an hour later")
        #expect(try ben.store.log.changesAhead(in: space, now: ben.now).isEmpty)
        let dates = try ben.store.log.datedCommits(of: ann.device, in: space)
        #expect(dates.count { $0.raw != $0.clock } == 1)
        #expect(
            try ann.store.log.latestClock(of: ann.device).milliseconds <= ann.now.value + 61_000)
        try expectWhole()

        try redate(ann, by: ann, 0)
        try exchange()
        #expect(try title(on: ann) == "ahead" && title(on: ben) == "ahead")
        try expectWhole()
    }

    @Test("both may redate at once: all come to the same, and say which devices it concerns")
    func atOnce() throws {
        try ann.grant(.all, to: ben, in: space)
        try exchange()
        try writeAhead("ahead")
        try ben.write([titled("other", 1)], to: space)
        try exchange()
        try redate(ann, by: ann, -Int64(day))
        try redate(ann, by: ben, -Int64(2 * day))

        let outcome = try ann.pull(space, from: ben)
        try exchange()

        #expect(outcome.redated.isSubset(of: [ann.device]))
        let dates = try ann.store.log.datedCommits(of: ann.device, in: space).map(\.clock).sorted()
        #expect(
            try dates == ben.store.log.datedCommits(of: ann.device, in: space).map(\.clock).sorted()
        )
        try expectWhole()
    }

    @Test("a redating without the right changes nothing, and its commit is kept")
    func notAllowed() throws {
        try writeAhead("ahead")
        try exchange()
        let span = 0...ann.now.value + 9 * day
        let redating = Redating(device: ann.device, span: span, offsetMilliseconds: -1)
        let outcome = try ben.write(
            [], clear: ClearPart(facts: [.redating(redating)]), to: space)
        #expect(outcome.stored.count == 1 && outcome.redated.isEmpty)
        try exchange()
        #expect(try ann.store.log.changesAhead(in: space, now: ann.now).count == 1)
        try expectWhole()
    }

    @Test(
        "counting what is dated in the future looks at nothing else, and knows clocks of any bits")
    func counting() throws {
        try writeAhead("one")
        try writeAhead("two")
        #expect(try ann.store.log.changesAhead(in: space, now: ann.now)[ann.device]?.count == 2)
        let later = Milliseconds(ann.now.value + 4 * day)
        #expect(try ann.store.log.changesAhead(in: space, now: later).isEmpty)
    }
}
