import SyncSimulator
import Testing

/// A device that has only a part of what it wrote at once.
@Suite("Own groups", .serialized)
struct OwnGroupTests {
    @Test("a device that was given back a part of its own group goes on writing, in another log")
    func goesOn() throws {
        let written = try OwnGroupTrial(seed: Wanted.firstSeed).run()
        #expect(written.logs == 2)
        #expect(written.counting == 1)
    }
}
