import SyncSimulator
import Testing

/// Power cuts while spaces are made.
@Suite("Founding", .serialized)
struct FoundingTests {
    @Test("a space that is to be encrypted is so from the start, or is not there")
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
