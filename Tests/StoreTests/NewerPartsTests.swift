import Store
import SyncCore
import Testing

@Suite("Commits that say what only a newer program understands")
struct NewerPartsTests {
    private let testLog = TestLog()
    private let newer = ClearPart(facts: [.unknown])

    @Test("are counted by device and space, wherever they arrive, and as often after a new reading")
    func counted() throws {
        // given
        let anna = try TestPeer(testLog, seed: 1)
        let ben = try TestPeer(testLog, seed: 2)
        let space = try anna.found()
        try anna.grant(.all, to: ben, in: space)
        try ben.pull(space, from: anna)

        // when
        try anna.write([], clear: newer, to: space)
        try ben.write([], clear: newer, to: space)
        try ben.write([], clear: newer, to: space)
        try ben.write([], to: space)
        try anna.pull(space, from: ben)

        // then
        #expect(try anna.store.log.newerParts(of: space) == [anna.device: 1, ben.device: 2])
        #expect(try ben.store.log.newerParts(of: space) == [ben.device: 2])
        // All commits are read again when a program learns to understand more of them.
        try anna.store.records.remakeAll()
        #expect(try anna.store.log.newerParts(of: space) == [anna.device: 1, ben.device: 2])
        #expect(try anna.store.log.newerParts(of: SpaceID(sha256([1]))).isEmpty)
    }
}
