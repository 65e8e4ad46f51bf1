/// A hybrid logical time: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
///
/// It breaks ties between concurrent writes and nothing else: causality decides first.
package struct HybridTime: Hashable, Comparable, Sendable {
    package let raw: UInt64

    package init(raw: UInt64) { self.raw = raw }

    package init(milliseconds: UInt64, counter: UInt16) {
        precondition(milliseconds >> 48 == 0, "\(milliseconds) ms do not fit a hybrid time")
        raw = milliseconds << 16 | UInt64(counter)
    }

    package var milliseconds: UInt64 { raw >> 16 }
    package var counter: UInt16 { UInt16(truncatingIfNeeded: raw) }

    package static func < (left: HybridTime, right: HybridTime) -> Bool { left.raw < right.raw }
}

/// One device's hybrid clock.
package struct HybridClock: Sendable {
    package private(set) var latest: HybridTime

    package init(latest: HybridTime = HybridTime(raw: 0)) { self.latest = latest }

    /// The time for a new commit: later than every time this clock gave or saw.
    package mutating func tick(now: Milliseconds) -> HybridTime {
        let physical = HybridTime(milliseconds: now.value, counter: 0)
        let before = latest
        latest = max(physical, HybridTime(raw: latest.raw + 1))
        precondition(before < latest, "time \(latest.raw) does not come after \(before.raw)")
        return latest
    }

    /// Takes a received time into account, but never moves past now plus
    /// ``Limits/clockLeadMilliseconds``: a clock in 2099 must not drag others along.
    package mutating func observe(_ remote: HybridTime, now: Milliseconds) {
        let before = latest
        latest = max(latest, min(remote, HybridClock.ceiling(now)))
        precondition(before <= latest, "time goes from \(before.raw) back to \(latest.raw)")
    }

    /// Comes back to the wall clock, as far as no received time could have moved it past that, once
    /// the device's own commits were redated. Nothing needs a device's times to grow: what was seen
    /// says which commit comes after which, positions in logs grow by themselves, and acks have
    /// counters of their own.
    package mutating func settle(now: Milliseconds) {
        let before = latest
        latest = min(latest, HybridClock.ceiling(now))
        precondition(latest <= before, "settling moves time from \(before.raw) to \(latest.raw)")
    }

    private static func ceiling(_ now: Milliseconds) -> HybridTime {
        HybridTime(milliseconds: now.value + Limits.clockLeadMilliseconds, counter: .max)
    }
}

/// Wall-clock milliseconds since 1970, handed in from outside: the core reads no clock.
package struct Milliseconds: Hashable, Comparable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) {
        self.value = min(value, Milliseconds.greatest)
    }

    /// With a lead added the hybrid time still fits a signed 64-bit column: the year 4199.
    private static let greatest: UInt64 = 1 << 46

    package static func < (left: Milliseconds, right: Milliseconds) -> Bool {
        left.value < right.value
    }
}
