internal import CPlatform
internal import Dispatch
internal import Glibc
import SyncCore

/// Notices that the computer slept: the clock that counts since it was started went on meanwhile, and
/// the one that only counts while it is awake did not.
package struct SleepWatch: Sendable {
    /// Both clocks at one time, in milliseconds.
    package struct Clocks: Sendable {
        package let boot: Int64
        package let awake: Int64

        package init(boot: Int64, awake: Int64) { (self.boot, self.awake) = (boot, awake) }

        /// `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC` (clock_gettime(2)).
        package static var now: Clocks {
            Clocks(boot: read(CLOCK_BOOTTIME), awake: read(CLOCK_MONOTONIC))
        }

        private static func read(_ clock: clockid_t) -> Int64 {
            peersync_clock_nanoseconds(clock) / 1_000_000
        }
    }

    private var ahead: Int64

    package init(_ clocks: Clocks) {
        ahead = clocks.boot - clocks.awake
    }

    /// How long the computer has slept since it was asked last, in milliseconds; nil when it has not.
    package mutating func slept(_ clocks: Clocks) -> Int64? {
        let before = ahead
        ahead = clocks.boot - clocks.awake
        return ahead - before >= Limits.sleepMilliseconds ? ahead - before : nil
    }
}

extension Limits {
    /// A shorter sleep breaks no connection.
    package static let sleepMilliseconds: Int64 = 2_000
    /// How often the clocks are compared: a person who opens the lid waits no longer for the sync.
    package static let sleepLookSeconds = 5
}
