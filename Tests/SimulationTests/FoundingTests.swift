import SyncSimulator
import Testing

/// Power cuts while spaces are made.
@Suite("Founding", .serialized)
struct FoundingTests {
    @Test("a space founded as encrypted is encrypted from the start, or does not exist")
    func powerCuts() throws {
        // given
        let seed = Wanted.firstSeed
        let trial = try FoundingTrial(seed: seed)
        // when
        let report = try trial.run()
        // then
        #expect(report.plain == 0, "seed \(seed)")
        #expect(report.encrypted > 0 && report.absent > 0, "\(report)")
    }
}
