import SyncCore
internal import Synchronization

/// Virtual time: milliseconds since the run began. Only the world advances it.
final class VirtualTime: Sendable {
    private let milliseconds = Atomic<UInt64>(0)

    var now: UInt64 {
        get { milliseconds.load(ordering: .relaxed) }
        set { milliseconds.store(newValue, ordering: .relaxed) }
    }
}

/// The two clocks of one replica: one that starts at boot, and one that people set.
final class ReplicaClock: Sendable {
    private let time: VirtualTime
    private let skewMilliseconds: Atomic<Int64>
    private let bootedAt = Atomic<UInt64>(0)
    /// Some moment of 2026.
    private static let epoch: Int64 = 1_770_000_000_000

    init(_ time: VirtualTime, skew: Int64) {
        self.time = time
        skewMilliseconds = Atomic(skew)
    }

    func boot() { bootedAt.store(time.now, ordering: .relaxed) }
    func set(skew: Int64) { skewMilliseconds.store(skew, ordering: .relaxed) }

    var wall: Milliseconds {
        let skew = skewMilliseconds.load(ordering: .relaxed)
        return Milliseconds(UInt64(Self.epoch + Int64(time.now) + skew))
    }

    var instant: Instant {
        Instant(monotonic: 1_000 + time.now - bootedAt.load(ordering: .relaxed), wall: wall)
    }
}
