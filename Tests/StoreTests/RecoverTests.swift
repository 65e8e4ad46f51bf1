import Store
import SyncCore
import Testing

/// Changes that do not count are written anew, and bury nothing.
@Suite struct RecoverTests {
    private let testLog = TestLog()

    private func waiting(_ peer: TestPeer, _ space: SpaceID) throws -> Int {
        try peer.store.orphans.counts(in: space).map(\.waiting).reduce(0, +)
    }

    /// Two lives of one device, and Ben, who has heard of both.
    private func scene(
        _ space: inout SpaceID, _ live: (TestPeer, TestPeer, TestPeer) throws -> Void
    ) throws -> (first: TestPeer, ben: TestPeer) {
        let first = try TestPeer(testLog, seed: 1)
        let second = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        second.log = first.log
        space = try first.found()
        try first.grant(.editor, to: ben, in: space)
        try first.write([titled("am Anfang", 1)], to: space)
        for peer in [second, ben] { try peer.pull(space, from: first) }
        try live(first, second, ben)
        for _ in 0..<3 {
            try ben.take(space, from: first)
            try ben.take(space, from: second)
        }
        return (first, ben)
    }

    @Test("every value of both lives comes back, the later one of each life as the only one")
    func everyValue() throws {
        var space = SpaceID.zero
        let (first, ben) = try scene(&space) { first, second, _ in
            try first.write([titled("eins a", 2)], to: try first.spaces()[0])
            try first.write([titled("eins b", 2), tagged("See", 3)], to: try first.spaces()[0])
            try second.write([titled("zwei", 4)], to: try first.spaces()[0])
        }
        #expect(try ben.titles(space, 2).isEmpty)
        #expect(try waiting(ben, space) == 3)
        // when
        #expect(try ben.recoverAll(in: space) == 3)
        // then
        #expect(try ben.titles(space, 2) == [.text("eins b")])
        #expect(try ben.titles(space, 4) == [.text("zwei")])
        #expect(try ben.store.records.search("See").count == 1)
        #expect(try waiting(ben, space) == 0)
        #expect(try ben.recoverAll(in: space) == 0)
        // and on the device itself, once it hears of it
        try first.take(space, from: ben)
        #expect(try first.digest(space) == ben.digest(space))
    }

    @Test(
        "what others wrote since is not buried: both values survive, and a merged one stays alone")
    func buriesNothing() throws {
        var space = SpaceID.zero
        let (_, ben) = try scene(&space) { first, second, ben in
            let space = try first.spaces()[0]
            // Both lives and Ben change what stood there in the beginning.
            try first.write([titled("erstes", 1)], to: space)
            try second.write([titled("zweites", 1)], to: space)
            try second.write([titled("drittes", 1)], to: space)
            try ben.write([titled("Bens", 1)], to: space)
        }
        #expect(try ben.titles(space, 1) == [.text("Bens")])
        // when
        #expect(try ben.recoverAll(in: space) == 3)
        // then
        #expect(
            try ben.titles(space, 1) == [.text("Bens"), .text("drittes"), .text("erstes")])
    }

    @Test("commits beyond a revocation's cut come back, those of one device when it is named")
    func beyondCut() throws {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        _ = try ben.beCutOff(from: space, of: anna) {
            try ben.write([titled("zu spät", 1)], to: space)
        }
        #expect(try anna.titles(space, 1).isEmpty)
        #expect(
            try anna.store.orphans.counts(in: space) == [
                OrphanCount(device: ben.device, reason: .noRight, waiting: 1, untold: 1)
            ])
        // when
        #expect(try anna.recoverAll(in: space, of: anna.device) == 0)
        #expect(try anna.recoverAll(in: space, of: ben.device) == 1)
        // then
        #expect(try anna.titles(space, 1) == [.text("zu spät")])
    }

    @Test("what another member brought back already stays as it became since")
    func onceForAll() throws {
        // given: Anna brought back what Ben wrote beyond a cut, and wrote over half of it
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let space = try anna.found()
        try anna.grant(.editor, to: cleo, in: space)
        _ = try ben.beCutOff(from: space, of: anna) {
            try ben.write([titled("zu spät", 1), titled("auch", 2)], to: space)
            try ben.write([titled("noch eins", 3)], to: space)
        }
        try anna.recoverFirst(in: space)
        try anna.write([titled("neu", 1)], to: space)
        for _ in 0..<2 {
            try cleo.take(space, from: anna)
            try cleo.take(space, from: ben)
        }
        #expect(try waiting(cleo, space) == 2)
        // when
        try cleo.recoverAll(in: space)
        // then
        #expect(try cleo.titles(space, 1) == [.text("neu")])
        #expect(try cleo.titles(space, 2) == [.text("auch")])
        #expect(try cleo.titles(space, 3) == [.text("noch eins")])
        #expect(try waiting(cleo, space) == 0)
        // and her undo takes back what she brought back herself
        #expect(try cleo.undoRecovery(in: space)?.count == 1)
        #expect(try cleo.titles(space, 2) == [.text("auch")])
        let third = RecordKey(collection: "memory", record: record(3))
        #expect(try cleo.store.records.record(third, of: space)?.isDeleted == true)
        #expect(try cleo.undoRecovery(in: space) == nil)
    }

    @Test("a member who may not write recovers nothing, and nothing is noted as recovered")
    func notPermitted() throws {
        var space = SpaceID.zero
        let (_, ben) = try scene(&space) { first, second, _ in
            try first.write([titled("eins", 2)], to: try first.spaces()[0])
            try second.write([titled("zwei", 4)], to: try first.spaces()[0])
        }
        let stranger = try TestPeer(testLog, seed: 7)
        for _ in 0..<2 { try stranger.take(space, from: ben) }
        #expect(throws: StoreError.permissionRefused(required: [])) {
            try stranger.recoverAll(in: space)
        }
        #expect(try waiting(stranger, space) == 2)
    }
}

extension TestPeer {
    fileprivate func spaces() throws -> [SpaceID] { try store.spaces.all().map(\.space) }
}
