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
            try ben.receive(space, from: first)
            try ben.receive(space, from: second)
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
        try first.receive(space, from: ben)
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
        let (anna, ben, cleo, _, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("zu spät", 1), titled("auch", 2)], to: space)
            try ben.write([titled("noch eins", 3)], to: space)
        }
        try anna.recoverFirst(in: space)
        try anna.write([titled("neu", 1)], to: space)
        for _ in 0..<2 {
            try cleo.receive(space, from: anna)
            try cleo.receive(space, from: ben)
        }
        // The rest only: what Anna brought back waits no more.
        #expect(try waiting(cleo, space) == 1)
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

    @Test("what one member brought back waits on no device, also after it was changed again")
    func waitsNowhere() throws {
        // given
        let (anna, ben, cleo, _, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("zu spät", 1), titled("auch", 2)], to: space)
            try ben.write([titled("später", 1)], to: space)
        }
        try cleo.meet([anna, ben], space)
        #expect(try waiting(cleo, space) == 2)
        #expect(try cleo.store.examination.orphanCounts().map(\.waiting) == [2])
        // when
        #expect(try anna.recoverAll(in: space) == 2)
        try anna.write([titled("neu", 2)], to: space)
        try anna.write([deleted(1)], to: space)
        try cleo.meet([anna], space)
        try ben.meet([anna], space)
        // then
        for peer in [anna, ben, cleo] {
            #expect(try waiting(peer, space) == 0)
            #expect(try peer.store.orphans.all(in: space).waiting.isEmpty)
            #expect(try peer.store.examination.orphanCounts().isEmpty)
        }
        #expect(try cleo.recoverAll(in: space) == 0)
        #expect(try cleo.titles(space, 2) == [.text("neu")])
    }

    @Test("a device that wrote in two places is one again a while after the other one stopped")
    func twoPlaces() throws {
        // given a copy of the home that writes a log of its own
        let first = try TestPeer(testLog, seed: 1)
        let copy = try TestPeer(testLog, seed: 1)
        copy.log = LogID(
            device: first.device, incarnation: try TestPeer(testLog, seed: 3).log.incarnation)
        let space = try first.found()
        try copy.pull(space, from: first)
        func writesElsewhere(since: UInt64) throws -> Bool {
            try first.store.examination.writesElsewhere(
                first.device, since: Milliseconds(first.now.value - since))
        }
        #expect(try !writesElsewhere(since: 1))
        // when
        try copy.write([titled("zwei", 2)], to: space)
        first.now = Milliseconds(first.now.value + 10)
        try first.pull(space, from: copy)
        // then
        #expect(try writesElsewhere(since: 1))
        first.now = Milliseconds(first.now.value + 1000)
        #expect(try writesElsewhere(since: 1001))
        #expect(try !writesElsewhere(since: 1000))
    }

    @Test("both lives wait nowhere once somebody brought them back")
    func livesWaitNowhere() throws {
        // given
        var space = SpaceID.zero
        let (first, ben) = try scene(&space) { first, second, _ in
            try first.write([titled("eins", 2)], to: try first.spaces()[0])
            try second.write([titled("zwei", 4)], to: try first.spaces()[0])
        }
        try first.meet([ben], space)
        #expect(try waiting(first, space) == 2)
        #expect(try first.store.examination.forkedDevices() == [first.device: 2])
        // when
        try ben.recoverAll(in: space)
        try first.meet([ben], space)
        // then
        #expect(try waiting(first, space) == 0)
        #expect(try first.store.examination.forkedDevices() == [first.device: 0])
    }

    @Test("what was brought back waits again when the commit that did so no longer counts")
    func waitsAgain() throws {
        // given: Cleo brought it back, and Anna has not received that yet
        let (anna, ben, cleo, grant, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("zu spät", 1)], to: space)
        }
        try cleo.meet([anna, ben], space)
        let cut = try #require(anna.store.ledger(of: space)).watermark
        try cleo.recoverAll(in: space)
        try anna.meet([cleo], space)
        #expect(try waiting(anna, space) == 0)
        #expect(try anna.titles(space, 1) == [.text("zu spät")])
        // when
        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        // then: what Ben wrote, and what Cleo did
        #expect(try anna.titles(space, 1).isEmpty)
        #expect(try waiting(anna, space) == 2)
    }

    @Test("an undone recovery waits again on the device that undid it, and nowhere else")
    func undoneHere() throws {
        // given
        let (anna, ben, cleo, _, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("zu spät", 1)], to: space)
        }
        try anna.recoverAll(in: space)
        // when
        try anna.undoRecovery(in: space)
        try cleo.meet([anna, ben], space)
        // then
        #expect(try waiting(anna, space) == 1)
        #expect(try waiting(cleo, space) == 0)
        #expect(try anna.recoverAll(in: space) == 1)
        #expect(try anna.titles(space, 1) == [.text("zu spät")])
    }

    @Test("a later change replaces what another member brought back of an earlier one")
    func replacesTheEarlier() throws {
        // given
        let (anna, ben, cleo, _, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("erst", 1)], to: space)
            try ben.write([titled("dann", 1)], to: space)
        }
        try anna.recoverFirst(in: space)
        try cleo.meet([anna, ben], space)
        #expect(try waiting(cleo, space) == 1)
        // when
        try cleo.recoverAll(in: space)
        // then
        #expect(try cleo.titles(space, 1) == [.text("dann")])
        #expect(try waiting(cleo, space) == 0)
        try anna.meet([cleo], space)
        #expect(try waiting(anna, space) == 0)
    }

    @Test("a value that this device wrote itself since is not written again")
    func standsAlready() throws {
        // given: Anna wrote one of the two values by hand
        let (anna, _, _, _, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("zu spät", 1), titled("auch", 2)], to: space)
            try ben.write([titled("dritte", 3)], to: space)
        }
        try anna.write([titled("zu spät", 1)], to: space)
        try anna.write([titled("dritte", 3)], to: space)
        #expect(try waiting(anna, space) == 1)
        // when
        try anna.recoverAll(in: space)
        // then
        let first = RecordKey(collection: "memory", record: record(1))
        #expect(try anna.store.records.record(first, of: space)?.fields["title"]?.writes.count == 1)
        #expect(try anna.titles(space, 2) == [.text("auch")])
        #expect(try waiting(anna, space) == 0)
        // and an undo leaves it
        try anna.undoRecovery(in: space)
        #expect(try anna.titles(space, 1) == [.text("zu spät")])
        #expect(try waiting(anna, space) == 1)
    }

    @Test("one recovery writes a value of two lives once, and its undo takes it back for both")
    func sameValueTwice() throws {
        // given
        var space = SpaceID.zero
        let (_, ben) = try scene(&space) { first, second, _ in
            try first.write([titled("gleich", 1), tagged("See", 3)], to: try first.spaces()[0])
            try second.write([titled("gleich", 1)], to: try first.spaces()[0])
            try second.write([titled("zwei", 4)], to: try first.spaces()[0])
        }
        let key = RecordKey(collection: "memory", record: record(1))
        // when
        try ben.recoverAll(in: space)
        // then
        #expect(try ben.store.records.record(key, of: space)?.fields["title"]?.writes.count == 1)
        #expect(try waiting(ben, space) == 0)
        #expect(try ben.undoRecovery(in: space)?.count == 3)
        #expect(try ben.titles(space, 1) == [.text("am Anfang")])
        #expect(try waiting(ben, space) == 3)
        // and the same as often as somebody likes
        for _ in 0..<3 {
            #expect(try ben.recoverAll(in: space) == 3)
            #expect(try ben.titles(space, 1) == [.text("gleich")])
            try ben.undoRecovery(in: space)
            #expect(try waiting(ben, space) == 3)
        }
    }

    @Test("a member who may not write recovers nothing, and nothing is noted as recovered")
    func notPermitted() throws {
        var space = SpaceID.zero
        let (_, ben) = try scene(&space) { first, second, _ in
            try first.write([titled("eins", 2)], to: try first.spaces()[0])
            try second.write([titled("zwei", 4)], to: try first.spaces()[0])
        }
        let stranger = try TestPeer(testLog, seed: 7)
        for _ in 0..<2 { try stranger.receive(space, from: ben) }
        #expect(throws: StoreError.permissionRefused(required: [])) {
            try stranger.recoverAll(in: space)
        }
        #expect(try waiting(stranger, space) == 2)
    }
}

extension TestPeer {
    fileprivate func spaces() throws -> [SpaceID] { try store.spaces.all().map(\.space) }
}
