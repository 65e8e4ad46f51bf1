package import Store
package import SyncCore
internal import Synchronization

/// This device's wall clock and the hybrid clock it drives, for all who write and all who receive.
package final class DeviceClock: Sendable {
    private let wallClock: @Sendable () -> Milliseconds
    private let hybrid: Mutex<HybridClock>

    /// Goes on after the greatest clock among the device's own commits. If they were redated, it stays near the
    /// wall clock: a member could date them far ahead, and later ones would follow.
    package init(
        of device: DeviceID, in store: SyncStore, wall: @escaping @Sendable () -> Milliseconds
    ) throws {
        wallClock = wall
        var clock = HybridClock(latest: try store.log.latestClock(of: device))
        if store.ledgers.values.contains(where: { $0.membership.redatings.shifts[device] != nil }) {
            clock.settle(now: wall())
        }
        hybrid = Mutex(clock)
    }

    package var wall: Milliseconds { wallClock() }

    /// The time that ``tick()`` would return now.
    package var next: HybridTime {
        hybrid.withLock { clock in
            var copy = clock
            return copy.tick(now: wall)
        }
    }

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
