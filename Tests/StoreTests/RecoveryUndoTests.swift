import Store
import SyncCore
import Testing

/// Orphans of both kinds are one list; what was recovered last is taken back, and comes back again.
@Suite struct RecoveryUndoTests {
    private let testLog = TestLog()

    /// Anna, who has heard of two lives of Ben's device, and of what Cleo wrote beyond a cut.
    private func scene() throws -> (anna: TestPeer, ben: TestPeer, cleo: TestPeer, SpaceID) {
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let second = try TestPeer(testLog, seed: 2)
        let cleo = try TestPeer(testLog, seed: 3)
        second.log = ben.log
        let space = try anna.found()
        try anna.grant(.editor, to: ben, in: space)
        try anna.write([titled("old", 1)], to: space)
        try ben.pull(space, from: anna)
        try ben.write([titled("begun", 4)], to: space)
        try second.pull(space, from: ben)
        try ben.write([titled("first", 1)], to: space)
        try second.write([titled("second", 2)], to: space)
        for _ in 0..<3 {
            try anna.receive(space, from: ben)
            try anna.receive(space, from: second)
        }
        _ = try cleo.beCutOff(from: space, of: anna) {
            try cleo.write([titled("late", 1), titled("late", 3)], to: space)
        }
        return (anna, ben, cleo, space)
    }

    @Test("orphans of both kinds are listed together, with their device and the reason")
    func oneList() throws {
        let (anna, ben, cleo, space) = try scene()
        let waiting = try anna.store.orphans.all(in: space).waiting
        #expect(
            Set(waiting.map { "\($0.log.device == ben.device) \($0.reason)" })
                == ["true branch", "false noRight"])
        #expect(waiting.count == 3)
        #expect(
            Set(try anna.store.orphans.counts(in: space)) == [
                OrphanCount(device: ben.device, reason: .branch, waiting: 2, untold: 2),
                OrphanCount(device: cleo.device, reason: .noRight, waiting: 1, untold: 1),
            ])
    }

    @Test("one recovery brings back both kinds, and one undo takes back both")
    func bothKinds() throws {
        let (anna, _, _, space) = try scene()
        #expect(try anna.recoverAll(in: space) == 3)
        #expect(try anna.titles(space, 1) == [.text("first"), .text("late")])
        #expect(try anna.titles(space, 2) == [.text("second")])
        #expect(try anna.undoRecovery(in: space)?.count == 3)
        #expect(try anna.titles(space, 1) == [.text("old")])
        #expect(try anna.store.orphans.all(in: space).waiting.count == 3)
        #expect(try anna.undoRecovery(in: space) == nil)
    }

    @Test("of two recoveries the last is taken back, then the one before it")
    func lastFirst() throws {
        let (anna, ben, cleo, space) = try scene()
        #expect(try anna.recoverAll(in: space, of: ben.device) == 2)
        #expect(try anna.recoverAll(in: space, of: cleo.device) == 1)
        #expect(try anna.undoRecovery(in: space)?.count == 1)
        #expect(try anna.titles(space, 1) == [.text("first")])
        #expect(try anna.titles(space, 2) == [.text("second")])
        #expect(try anna.undoRecovery(in: space)?.count == 2)
        #expect(try anna.titles(space, 1) == [.text("old")])
    }

    @Test("however often it is taken back and recovered, what is kept of it does not grow")
    func keepsLittle() throws {
        let (anna, _, _, space) = try scene()
        for _ in 0..<4 {
            #expect(try anna.recoverAll(in: space) == 3)
            #expect(try anna.titles(space, 1) == [.text("first"), .text("late")])
            let kept = try anna.store.examination.figures().counts["recovered_commits"] ?? 0
            #expect(kept <= 6)
            try anna.undoRecovery(in: space)
            #expect(try anna.titles(space, 1) == [.text("old")])
            #expect(try anna.store.examination.figures().counts["recovered_commits"] == 3)
        }
    }

    @Test("a recovery that is repeated over an older one leaves that to be taken back as before")
    func overOlder() throws {
        let (anna, ben, cleo, space) = try scene()
        try anna.recoverAll(in: space, of: ben.device)
        for _ in 0..<2 {
            try anna.recoverAll(in: space, of: cleo.device)
            #expect(try anna.titles(space, 1) == [.text("first"), .text("late")])
            #expect(try anna.undoRecovery(in: space)?.count == 1)
            #expect(try anna.titles(space, 1) == [.text("first")])
        }
        #expect(try anna.undoRecovery(in: space)?.count == 2)
        #expect(try anna.titles(space, 1) == [.text("old")])
        #expect(try anna.recoverAll(in: space) == 3)
        #expect(try anna.titles(space, 1) == [.text("first"), .text("late")])
        #expect(try anna.undoRecovery(in: space)?.count == 3)
        #expect(try anna.titles(space, 1) == [.text("old")])
    }

    @Test("a value that stood beside a recovered one stands there again after an undo, also twice")
    func beside() throws {
        let (anna, _, cleo, space) = try scene()
        try anna.write([titled("by Anna", 3)], to: space)
        for _ in 0..<2 {
            try anna.recoverAll(in: space, of: cleo.device)
            #expect(try anna.titles(space, 3) == [.text("by Anna"), .text("late")])
            try anna.undoRecovery(in: space)
            #expect(try anna.titles(space, 3) == [.text("by Anna")])
            #expect(try anna.store.records.conflicts(of: space).isEmpty)
        }
    }

    @Test("what was dismissed waits, and nobody is told of it; what comes after it is told")
    func dismissed() throws {
        let (anna, ben, cleo, space) = try scene()
        let waiting = try anna.store.orphans.all(in: space).waiting
        try anna.store.orphans.dismiss(waiting.filter { $0.log.device == cleo.device }, in: space)
        #expect(
            Set(try anna.store.orphans.counts(in: space)) == [
                OrphanCount(device: ben.device, reason: .branch, waiting: 2, untold: 2),
                OrphanCount(device: cleo.device, reason: .noRight, waiting: 1, untold: 0),
            ])
        try cleo.write([titled("later", 3)], to: space)
        try anna.pull(space, from: cleo)
        let after = try anna.store.orphans.counts(in: space)
        #expect(
            after.contains(
                OrphanCount(device: cleo.device, reason: .noRight, waiting: 2, untold: 1)))
    }
}
