import Foundation

/// The seeds of this run's random tests: fresh ones in each run, since seeds that never change find
/// nothing new.
///
/// The first seed is printed, because a trap prints nothing else; PEERSYNC_TEST_SEED set to it repeats
/// the run.
package enum TestSeeds {
    /// Below 2^32, so that tests may calculate with it.
    package static let first: UInt64 = {
        let given = ProcessInfo.processInfo.environment["PEERSYNC_TEST_SEED"].flatMap(UInt64.init)
        let seed = (given ?? UInt64.random(in: .min ... .max)) & 0xFFFF_FFFF
        print("PEERSYNC_TEST_SEED=\(seed)")
        return seed
    }()

    /// So many seeds, one for each case of a test.
    package static func some(_ count: UInt64) -> Range<UInt64> {
        first..<first + count
    }
}
