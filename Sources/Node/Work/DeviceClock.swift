package import SyncCore
internal import Synchronization

/// This device's wall clock and the hybrid clock it drives, for all who write and all who receive.
package final class DeviceClock: Sendable {
    private let wallClock: @Sendable () -> Milliseconds
    private let hybrid: Mutex<HybridClock>

    /// Goes on after `latest`, the greatest clock among this device's own commits.
    package init(latest: HybridTime, wall: @escaping @Sendable () -> Milliseconds) {
        wallClock = wall
        hybrid = Mutex(HybridClock(latest: latest))
    }

    package var wall: Milliseconds { wallClock() }

    /// The time of this device's next commit.
    package func tick() -> HybridTime {
        hybrid.withLock { $0.tick(now: wall) }
    }

    /// For when this device's own commits were redated.
    package func settle() {
        hybrid.withLock { $0.settle(now: wall) }
    }

    package func observe(_ time: HybridTime) {
        hybrid.withLock { $0.observe(time, now: wall) }
    }
}
