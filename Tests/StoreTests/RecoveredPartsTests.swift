import Store
import SyncCore
import Testing

/// Orphans that others recovered in part, that moved since they were listed, and what their authors had
/// seen.
@Suite struct RecoveredPartsTests {
    private let testLog = TestLog()

    private func waiting(_ peer: TestPeer, _ space: SpaceID) throws -> Int {
        try peer.store.orphans.counts(in: space).map(\.waiting).reduce(0, +)
    }

    /// Anna wrote one of two late values of Ben by hand; Cleo has heard of all of it.
    private func half() throws -> (anna: TestPeer, ben: TestPeer, cleo: TestPeer, SpaceID) {
        let (anna, ben, cleo, _, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("by hand", 1), titled("late", 2)], to: space)
            try ben.write([titled("later", 3)], to: space)
        }
        try anna.write([titled("by hand", 1)], to: space)
        try cleo.meet([anna, ben], space)
        return (anna, ben, cleo, space)
    }

    @Test("an undone recovery that was another's in part waits again, as often as it is undone")
    func undoneInPart() throws {
        // given
        let (_, _, cleo, space) = try half()
        #expect(try waiting(cleo, space) == 2)
        for _ in 0..<3 {
            // when
            try cleo.recoverFirst(in: space)
            #expect(try waiting(cleo, space) == 1)
            #expect(try cleo.titles(space, 2) == [.text("late")])
            try cleo.undoRecovery(in: space)
            // then
            #expect(try waiting(cleo, space) == 2)
            #expect(try cleo.store.orphans.all(in: space).waiting.count == 2)
            #expect(try cleo.titles(space, 1) == [.text("by hand")])
        }
    }

    @Test("a value of two late changes that somebody also typed waits nowhere once recovered")
    func saidTwice() throws {
        // given
        let (anna, ben, cleo, _, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("late", 1), titled("by hand", 2)], to: space)
            try ben.write([titled("later", 3), titled("by hand", 2)], to: space)
        }
        try cleo.pull(space, from: anna)
        try cleo.write([titled("by hand", 2)], to: space)
        try cleo.meet([anna, ben], space)
        try anna.meet([cleo, ben], space)
        #expect(try waiting(cleo, space) == 2 && waiting(anna, space) == 2)
        // when
        try cleo.recoverAll(in: space)
        try anna.meet([cleo], space)
        // then
        #expect(try waiting(cleo, space) == 0)
        #expect(try waiting(anna, space) == 0)
        // and it is taken back whole
        try cleo.undoRecovery(in: space)
        #expect(try waiting(cleo, space) == 2)
        #expect(try cleo.titles(space, 2) == [.text("by hand")])
    }

    @Test("a recovered change touches what it belongs to, also when others touched that since")
    func touched() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        let space = try anna.found()
        try anna.grant(.editor, to: cleo, in: space)
        let key = RecordKey(collection: "memory", record: record(1))
        let touch = RecordOperation(
            collection: key.collection, record: key.record, writes: [.touch])
        try anna.write([titled("owner", 1)], to: space)
        _ = try ben.beCutOff(from: space, of: anna) {
            try ben.write([titled("part", 2), touch], to: space)
        }
        try anna.write([touch], to: space)
        try cleo.meet([anna, ben], space)
        #expect(try waiting(cleo, space) == 1)
        // when
        try cleo.recoverFirst(in: space)
        // then
        #expect(try waiting(cleo, space) == 0)
        #expect(try cleo.titles(space, 2) == [.text("part")])
        let state = try #require(try cleo.store.records.record(key, of: space))
        #expect(Set(state.touches.map(\.log)).count == 2)
        try cleo.undoRecovery(in: space)
        #expect(try waiting(cleo, space) == 1)
        #expect(try cleo.titles(space, 1) == [.text("owner")])
    }

    @Test("undoing another recovery does not forget one that was another's in part and was undone")
    func notForgotten() throws {
        // given
        let (_, _, cleo, space) = try half()
        try cleo.recoverFirst(in: space)
        try cleo.undoRecovery(in: space)
        // when the other change is recovered and undone
        for _ in 0..<2 {
            let orphans = try cleo.store.orphans.all(in: space)
            let last = try #require(orphans.waiting.last)
            try cleo.recover(last, of: orphans, in: space)
            #expect(try waiting(cleo, space) == 1)
            try cleo.undoRecovery(in: space)
            // then
            #expect(try waiting(cleo, space) == 2)
        }
        #expect(try cleo.recoverAll(in: space) == 2)
        #expect(try cleo.titles(space, 2) == [.text("late")])
        #expect(try waiting(cleo, space) == 0)
    }

    @Test("a recovery that no longer counts leaves its changes waiting, also where it was made")
    func ownLostEffect() throws {
        // given: Cleo recovered what Ben wrote beyond a cut, and loses the right to that
        let (anna, ben, cleo, grant, space) = try testLog.beyondCut { ben, space in
            try ben.write([titled("late", 1)], to: space)
        }
        try cleo.meet([anna, ben], space)
        let cut = try #require(anna.store.ledger(of: space)).watermark
        try cleo.recoverAll(in: space)
        #expect(try waiting(cleo, space) == 0)
        // when
        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        try cleo.meet([anna], space)
        // then: what Ben wrote, and what Cleo did
        #expect(try cleo.titles(space, 1).isEmpty)
        #expect(try waiting(cleo, space) == 2)
    }

    @Test("a change that a fork moved since it was listed is recovered all the same")
    func movedMeanwhile() throws {
        // given: Ben's device lives twice beyond a cut, and Anna has listed what one life wrote
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let second = try TestPeer(testLog, seed: 2)
        second.log = ben.log
        let space = try anna.found()
        let grant = try anna.grant(.editor, to: ben, in: space)
        for peer in [ben, second] { try peer.pull(space, from: anna) }
        let cut = try #require(anna.store.ledger(of: space)).watermark
        try ben.write([titled("first", 1)], to: space)
        try second.write([titled("second", 2)], to: space)
        let revocation = Revocation(
            grant: grant, remaining: [], cut: cut, scope: .device, cascade: .all)
        try anna.write([], clear: ClearPart(facts: [.revocation(revocation)]), to: space)
        try anna.pull(space, from: ben)
        let listed = try anna.store.orphans.all(in: space)
        #expect(listed.waiting.map(\.reason) == [.noRight])
        let orphan = try #require(listed.waiting.first)
        // when
        for _ in 0..<3 { try anna.receive(space, from: second) }
        #expect(
            try anna.store.orphans.all(in: space).waiting.first { $0.id == orphan.id }?.reason
                == .branch)
        // then
        #expect(try anna.store.orphans.content(of: orphan).commit.id == orphan.id)
        try anna.recover(orphan, of: listed, in: space)
        #expect(try anna.titles(space, 1) == [.text("first")])
        #expect(anna.store.writeFailure == nil)
        #expect(try anna.undoRecovery(in: space)?.count == 1)
    }

    @Test("what an orphan had seen of a recovery is replaced, although it had not seen the branch")
    func sawTheRecovery() throws {
        // given: Anna recovered a branch, and Cleo, who has never heard of that, wrote over it
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let second = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        second.log = ben.log
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        for peer in [ben, second] { try peer.pull(space, from: anna) }
        try ben.write([titled("first", 1)], to: space)
        try second.write([titled("second", 2)], to: space)
        for _ in 0..<3 {
            try anna.receive(space, from: ben)
            try anna.receive(space, from: second)
        }
        #expect(try anna.recoverAll(in: space) == 2)
        _ = try cleo.beCutOff(from: space, of: anna) {
            #expect(try cleo.titles(space, 1) == [.text("first")])
            try cleo.write([titled("over it", 1)], to: space)
        }
        #expect(try waiting(anna, space) == 1)
        // when
        try anna.recoverAll(in: space)
        // then
        #expect(try anna.titles(space, 1) == [.text("over it")])
        #expect(try anna.store.records.conflicts(of: space).isEmpty)
    }

    @Test("what somebody wrote beside a late value that they typed again is not buried")
    func besideTheSame() throws {
        // given: Anna typed a late value of Ben again, and with it another one that he never saw
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        try anna.write([titled("old", 2)], to: space)
        _ = try ben.beCutOff(from: space, of: anna) {
            try ben.write([titled("late", 1)], to: space)
            try ben.write([titled("Ben's", 2)], to: space)
        }
        try anna.write([titled("late", 1), titled("Anna's", 2)], to: space)
        #expect(try waiting(anna, space) == 1)
        // when
        try anna.recoverAll(in: space)
        // then both values survive
        #expect(try anna.titles(space, 2) == [.text("Anna's"), .text("Ben's")])
        #expect(try waiting(anna, space) == 0)
    }

    @Test("values of two late changes that somebody typed again in one commit wait no more")
    func bothTyped() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        _ = try ben.beCutOff(from: space, of: anna) {
            try ben.write([titled("late", 1)], to: space)
            try ben.write([titled("also", 2)], to: space)
        }
        #expect(try waiting(anna, space) == 2)
        // when
        try anna.write([titled("late", 1), titled("also", 2)], to: space)
        // then
        #expect(try waiting(anna, space) == 0)
    }

    @Test(
        "values that were written in turn wait nowhere once somebody brought them back",
        arguments: [["a", "b", "a"], ["a", "b", "a", "b"], ["a", "a"]], [false, true])
    func inTurn(titles: [String], withAnother: Bool) throws {
        // given
        let (anna, ben, cleo, _, space) = try testLog.beyondCut { ben, space in
            // The first says something else too: two commits then bring back what it says.
            let first = withAnother ? [titled("c", 2)] : []
            try ben.write([titled(titles[0], 1)] + first, to: space)
            for title in titles.dropFirst() { try ben.write([titled(title, 1)], to: space) }
        }
        try cleo.meet([anna, ben], space)
        #expect(try waiting(cleo, space) == titles.count)
        // when one is brought back, then the rest waits
        try anna.recoverFirst(in: space)
        try cleo.meet([anna], space)
        #expect(try waiting(cleo, space) == titles.count - 1)
        // when all are
        try anna.recoverAll(in: space)
        try cleo.meet([anna], space)
        // then
        #expect(try waiting(cleo, space) == 0)
        #expect(try cleo.titles(space, 1) == titles.suffix(1).map { Value.text($0) })
    }
}
