import SyncSimulator
import Testing

/// Faults planted into the simulator's own parts: a checker that misses one is useless.
@Suite("Canaries", .serialized)
struct CanaryTests {
    @Test(
        "a planted fault is found",
        arguments: [
            (Canary.mergeIgnoresCausality, "survival"), (.acknowledgedTooEarly, "durability"),
            (.arrivalOrder, "convergence"), (.noSync, "durability"),
            (.forgottenElement, "convergence"), (.firstToArrive, "laws"),
            (.reusedEpoch, "keys"), (.waitsForSilent, "liveness"),
        ])
    func found(canary: Canary, check: String) throws {
        // given
        let simulation = try Simulation()
        // when
        // Not every schedule has somebody who is removed from what is encrypted, or who is silent at its end.
        let count: UInt64 = [.reusedEpoch, .waitsForSilent].contains(canary) ? 600 : 60
        let found = (1...count as ClosedRange<UInt64>).contains { seed in
            var schedule = Schedule(seed: seed)
            schedule.canary = canary
            return simulation.run(schedule).violations.contains { $0.hasPrefix(check) }
        }
        // then
        #expect(found, "\(canary) went unnoticed in \(count) schedules")
    }
}
