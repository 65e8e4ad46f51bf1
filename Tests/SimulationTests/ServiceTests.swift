import SyncSimulator
import Testing

/// People's requests to the program's services while others write: undo, the bin, data sets, full
/// resets.
@Suite("Simulated services", .serialized)
struct ServiceTests {
    private static let kinds: [Step.Kind] = [.undo, .bin, .apply, .reset]
    private static let backupKinds: [Step.Kind] = [.backUp, .backUp, .putBack]
    private static let freeingKinds: [Step.Kind] = [.photo, .free, .bin, .free]

    @Test("any undoing, restoring and loading by busy people keeps the laws of the services")
    func busy() throws {
        // given
        let simulation = try Simulation()
        let first = Wanted.firstSeed
        for seed in first..<first + Wanted.busyTrips {
            // when
            let outcome = simulation.runTwice(.busy(seed, asking: Self.kinds))
            // then
            #expect(outcome.violations.isEmpty, "seed \(seed): \(outcome.violations)")
        }
    }

    @Test("backups and restores at any time lose nothing and fork nothing")
    func backedUp() throws {
        // given
        let simulation = try Simulation()
        let first = Wanted.firstSeed
        for seed in first..<first + Wanted.busyTrips {
            // when
            let outcome = simulation.runTwice(.busy(seed, asking: Self.backupKinds))
            // then
            #expect(outcome.violations.isEmpty, "seed \(seed): \(outcome.violations)")
        }
    }

    @Test("freed files are shown by nobody, and wanted again when what names them is restored")
    func freed() throws {
        // given
        let simulation = try Simulation()
        let first = Wanted.firstSeed
        let wanted: Set<Deed> = [.freeing, .wanting]
        var deeds: Set<Deed> = []
        // Few seeds may not have all that this is about.
        for seed in first..<first + 20 * Wanted.busyTrips
        where seed < first + Wanted.busyTrips || !deeds.isSuperset(of: wanted) {
            // when
            let outcome = simulation.runTwice(.busy(seed, asking: Self.freeingKinds))
            deeds.formUnion(outcome.deeds)
            // then
            #expect(outcome.violations.isEmpty, "seed \(seed): \(outcome.violations)")
        }
        #expect(deeds.isSuperset(of: wanted))
    }

    @Test(
        "a device that stops during a move leaves the memory somewhere and tells people")
    func moved() throws {
        // given
        let simulation = try Simulation()
        let first = Wanted.firstSeed
        for seed in first..<first + Wanted.busyTrips {
            // when
            let outcome = simulation.runTwice(
                .busy(seed, asking: [.photo, .move, .undo], trips: 3))
            // then
            #expect(outcome.violations.isEmpty, "seed \(seed): \(outcome.violations)")
        }
    }

    @Test(
        "seeds whose undos and redos once failed to restore the exact state end well",
        arguments: [30, 39, 41] as [UInt64])
    func foundSeeds(seed: UInt64) throws {
        // given
        let simulation = try Simulation()
        // when
        let outcome = simulation.run(.busy(seed, asking: Self.kinds))
        // then
        #expect(outcome.violations.isEmpty)
    }

    @Test(
        "a service that does more than it should is detected",
        arguments: [
            (Canary.undoesOver, "undo", [Step.Kind.undo]), (.servesMore, "redo", [.undo]),
            (.servesMore, "bin", [.bin]), (.servesMore, "data set", [.apply]),
            (.servesLess, "reset", [.reset]), (.copiesFileAlone, "backup", Self.backupKinds),
            (.listsFilesFirst, "backup", Self.backupKinds + [.photo]),
            (.restoresInPlace, "sequence", Self.backupKinds),
            (.freesUnheard, "bin files", Self.freeingKinds),
            (.servesLess, "move", [.move]), (.servesMore, "move", [.move]),
        ])
    func found(canary: Canary, check: String, kinds: [Step.Kind]) throws {
        // given
        let simulation = try Simulation()
        // when
        let found = (1...40 as ClosedRange<UInt64>).contains { seed in
            var schedule = Schedule.busy(
                seed, asking: kinds, trips: kinds.contains(.move) ? 3 : 1)
            schedule.canary = canary
            return simulation.run(schedule).violations.contains { $0.hasPrefix(check) }
        }
        // then
        #expect(found, "\(canary) went unnoticed")
    }
}
