import Store
import SyncCore
import Testing

@Suite("The length of a sync's transactions")
struct ApplyPaceTests {
    private let testLog = TestLog()

    @Test("they are short after a local write, for so many, and long again then")
    func pace() {
        // given
        var pace = ApplyPace()
        #expect(pace.nextWrites() == Limits.writesPerTurn)
        // when
        pace.noteOwnWrite()
        // then
        for _ in 0..<Limits.turnsBesideOwnWrites {
            #expect(pace.nextWrites() == Limits.writesPerShortTurn)
        }
        #expect(pace.nextWrites() == Limits.writesPerTurn)
    }

    @Test("after a local write the same commits take more transactions, and show the same")
    func turns() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let space = try anna.found()
        for number in 0..<UInt64(Limits.writesPerTurn / 5 * 2) {
            try anna.write([titled("Duomo", number)], to: space)
        }
        var turns: [UInt64] = []
        for isWriting in [false, true] {
            let ben = try TestPeer(testLog, seed: 2)
            // when
            if isWriting {
                let own = try ben.found()
                try ben.write([titled("Siena", 1)], to: own)
            }
            let before = ben.store.version
            try ben.pull(space, from: anna)
            turns.append(ben.store.version - before)
            // then
            #expect(try ben.digest(space) == anna.digest(space))
        }
        #expect(turns[1] > 2 * turns[0], "\(turns)")
    }
}
