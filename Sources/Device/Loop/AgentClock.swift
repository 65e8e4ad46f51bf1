import Foundation
package import SyncCore

/// The two clocks of this computer.
package struct AgentClock: Sendable {
    private let start = ContinuousClock.now

    package init() {}

    /// The wall clock, and a clock that never jumps and continues during sleep.
    package var now: Instant {
        let passed = ContinuousClock.now - start
        let (seconds, attoseconds) = passed.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return Instant(monotonic: UInt64(max(0, milliseconds)), wall: wall)
    }

    /// The wall clock of the system, as it is set now.
    package var wall: Milliseconds {
        Milliseconds(UInt64(max(0, Date().timeIntervalSince1970 * 1000)))
    }
}
