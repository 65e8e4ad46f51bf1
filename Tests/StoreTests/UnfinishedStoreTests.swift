import Store
import SyncCore
import TestKit
import Testing
import VirtualDisk

@Suite("Records that are kept until they are finished")
struct UnfinishedStoreTests {
    private let testLog = TestLog()

    private func key(_ number: UInt64) -> RecordKey {
        RecordKey(collection: "memory", record: record(number))
    }

    private func state(_ title: String, on peer: TestPeer, over state: RecordState? = nil)
        -> RecordState
    {
        var state = state ?? RecordState()
        state.keep(
            [Write(field: "title", value: .text(title))], by: peer.log, at: peer.tick(),
            as: CommitID(sha256(Array(title.utf8))))
        return state
    }

    private func keep(
        _ number: UInt64, _ state: RecordState?, insteadOf before: RecordState? = nil,
        on peer: TestPeer, _ space: SpaceID
    ) throws {
        try peer.store.unfinished.keep(
            [key(number): state], insteadOf: before.map { [key(number): $0] } ?? [:], in: space)
    }

    private func kept(_ peer: TestPeer, _ space: SpaceID) throws -> [RecordKey: RecordState] {
        try peer.store.unfinished.all(in: space)
    }

    /// Writes it into the log, all of it.
    private func finish(
        _ number: UInt64, _ state: RecordState, on peer: TestPeer, _ space: SpaceID,
        failing isFailing: Bool = false
    ) throws {
        struct Failure: Error {}
        var draft = CommitDraft(
            operations: [
                RecordOperation(
                    collection: "memory", record: record(number), writes: state.wholeWrites)
            ])
        draft.finishes = [key(number): state]
        _ = try peer.store.log.append(
            to: space, peer.own, draft: { [draft] _, _ in draft },
            seal: { header, draft in
                if isFailing { throw Failure() }
                return peer.sealed(header, draft)
            })
    }

    @Test("one is in no log, digest, count or search, and is there again after opening")
    func apart() throws {
        // given
        let home = TestPeer.newHome()
        let anna = try TestPeer(testLog, seed: 1, home: home)
        let space = try anna.found()
        try anna.write([titled("Beach", 1)], to: space)
        let (digest, watermark) = (try anna.digest(space), anna.store.ledger(of: space)?.watermark)
        #expect(!anna.store.unfinished.mayBe(in: space))

        // when
        let state = state("Walk", on: anna)
        try keep(2, state, on: anna, space)

        // then
        #expect(try kept(anna, space) == [key(2): state])
        #expect(anna.store.ledger(of: space)?.watermark == watermark)
        #expect(try anna.digest(space) == digest)
        #expect(try anna.store.records.counts(of: space) == ["memory": 1])
        #expect(try anna.store.records.search("walk").isEmpty)
        #expect(try anna.store.records.localValues(of: space, in: "memory").isEmpty)
        try anna.store.close()
        let again = try TestPeer(testLog, seed: 1, home: home)
        #expect(try kept(again, space) == [key(2): state])
    }

    @Test("a change of what was changed or dropped meanwhile is refused, and changes nothing")
    func changedMeanwhile() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        let first = state("one", on: anna)
        try keep(1, first, on: anna, space)
        let second = state("two", on: anna, over: first)
        try keep(1, second, insteadOf: first, on: anna, space)

        // then
        #expect(throws: StoreError.unfinishedChanged) {
            try keep(1, state("three", on: anna), insteadOf: first, on: anna, space)
        }
        #expect(throws: StoreError.unfinishedChanged) {
            try keep(1, state("new", on: anna), on: anna, space)
        }
        #expect(throws: StoreError.unfinishedChanged) { try finish(1, first, on: anna, space) }
        #expect(try kept(anna, space) == [key(1): second])
        #expect(try anna.store.records.record(key(1), of: space) == nil)
        #expect(anna.store.writeFailure == nil)
        try anna.store.records.setLocalValues([key(1): ["here": .text("x")]], in: space)
        try keep(1, nil, insteadOf: second, on: anna, space)
        #expect(try kept(anna, space).isEmpty)
        #expect(try anna.store.records.localValues(of: space, in: "memory").isEmpty)
        #expect(throws: StoreError.unfinishedChanged) {
            try keep(1, second, insteadOf: second, on: anna, space)
        }
    }

    @Test("finishing one puts it into the log and ends what was kept: both or neither")
    func finishing() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        let state = state("Walk", on: anna)
        try keep(1, state, on: anna, space)
        let watermark = anna.store.ledger(of: space)?.watermark

        // when it cannot be sealed, then nothing has happened
        #expect(throws: (any Error).self) {
            try finish(1, state, on: anna, space, failing: true)
        }
        #expect(try kept(anna, space) == [key(1): state])
        #expect(anna.store.ledger(of: space)?.watermark == watermark)

        // when
        try finish(1, state, on: anna, space)

        // then
        #expect(try kept(anna, space).isEmpty)
        #expect(try anna.shown(1, in: space)?.value("title") == .text("Walk"))
        #expect(throws: StoreError.unfinishedChanged) { try keep(1, state, on: anna, space) }
        try anna.write([deleted(1)], to: space)
        #expect(try kept(anna, space).isEmpty)
    }

    @Test("what the log holds of a record goes before what a restored backup keeps of it")
    func restored() throws {
        // given a copy of a store with an unfinished record, which is finished in the first one
        let disk = VirtualDisk(seed: 1)
        let anna = try TestPeer(testLog, seed: 1, on: disk)
        let space = try anna.found()
        let state = state("Walk", on: anna)
        try keep(1, state, on: anna, space)
        let copy = try TestPeer(
            testLog, seed: 5, on: VirtualDisk(copying: disk.snapshot(), seed: 2))
        try finish(1, state, on: anna, space)
        #expect(try kept(copy, space) == [key(1): state])

        // when it comes back
        try copy.pull(space, from: anna)

        // then
        #expect(try kept(copy, space).isEmpty)
        #expect(try copy.shown(1, in: space)?.value("title") == .text("Walk"))
        #expect(throws: StoreError.unfinishedChanged) {
            try keep(1, self.state("other", on: copy), insteadOf: state, on: copy, space)
        }
    }

    @Test("power cuts leave each record once: kept or in the log, never in neither")
    func powerCuts() throws {
        var (cuts, ahead) = (0, 0)
        for seed in TestSeeds.some(10) {
            var random = SeededGenerator(seed: seed)
            let disk = VirtualDisk(seed: seed)
            var peer = try TestPeer(testLog, seed: seed, on: disk)
            let space = try peer.found()
            var number: UInt64 = 0
            for _ in 0..<10 {
                // given
                if Bool.random(using: &random) {
                    disk.losePower(after: Int.random(in: 0..<60, using: &random), of: .write)
                } else {
                    disk.losePower(after: Int.random(in: 0..<6, using: &random), of: .sync)
                }
                let answered = try writeUntilItFails(&number, on: peer, space)
                // when
                disk.mend()
                disk.powerCut(random: &random)
                cuts += 1
                peer = try TestPeer(testLog, seed: seed, on: disk)
                // then
                let unfinished = try kept(peer, space)
                for earlier in 1..<number {
                    #expect(unfinished[key(earlier)] == nil, "seed \(seed)")
                    #expect(
                        try peer.store.records.record(key(earlier), of: space) != nil,
                        "seed \(seed)")
                }
                let isLogged = try peer.store.records.record(key(number), of: space) != nil
                let isThere = unfinished[key(number)] != nil
                #expect(isThere || isLogged || answered == .nothing, "seed \(seed)")
                #expect(isLogged || answered != .finished, "seed \(seed)")
                if isLogged, answered != .finished { ahead += 1 }
                // One that is still kept can be finished now.
                if let state = unfinished[key(number)] {
                    try finish(number, state, on: peer, space)
                }
                if !isThere, !isLogged { number -= 1 }
                #expect(try peer.store.integrityCheck() == [])
            }
        }
        #expect(cuts == 100)
        // Else the cuts would all have come at moments when nothing was at work.
        #expect(ahead > 0)
    }

    private enum Answered {
        case nothing, kept, finished
    }

    /// Keeps and finishes one record after the other, and says how far it came with the last one.
    private func writeUntilItFails(
        _ number: inout UInt64, on peer: TestPeer, _ space: SpaceID
    ) throws -> Answered {
        var answered = Answered.nothing
        do {
            while true {
                number += 1
                answered = .nothing
                let state = state("\(number)", on: peer)
                try keep(number, state, on: peer, space)
                answered = .kept
                try finish(number, state, on: peer, space)
                answered = .finished
            }
        } catch is StoreError {
            return answered
        }
    }
}
