package import SyncCore

/// When this device writes what it writes by itself; times are milliseconds of the monotonic clock.
///
/// Two devices that judge something differently could answer each other's commits without end, and fill both
/// disks. So what was written often waits longer each time, until it has rested. What makes devices safe never waits
/// longer: see ``plan(_:inSeconds:at:isUrgent:)``.
package struct WritingTimes<Duty: Hashable & Sendable>: Sendable {
    private var due: [Duty: UInt64] = [:]
    private var written: [Duty: (count: Int, last: UInt64)] = [:]

    package init() {}

    /// When the first one is due; nil while none is planned.
    package var next: UInt64? { due.values.min() }

    package func isPlanned(_ duty: Duty) -> Bool { due[duty] != nil }

    /// What is urgent waits for its seconds only, however often it was written.
    package mutating func plan(
        _ duty: Duty, inSeconds seconds: Int, at now: UInt64, isUrgent: Bool = false
    ) {
        let pause = isUrgent ? 0 : pause(before: duty, at: now)
        due[duty] = now + UInt64(seconds) * 1000 + pause
    }

    /// Those that are due now. They are not planned any more; those that are still needed count as written.
    package mutating func consumeDue(
        at now: UInt64, isNeeded: (Duty) -> Bool = { _ in true }
    ) -> Set<Duty> {
        let past = due.filter { $0.value <= now }.keys
        for duty in past { due[duty] = nil }
        let needed = Set(past.filter(isNeeded))
        for duty in needed { written[duty] = (count(of: duty, at: now) + 1, now) }
        return needed
    }

    /// What could not be written, as the disk was full, does not count.
    package mutating func forgetWritten() { written = [:] }

    private func pause(before duty: Duty, at now: UInt64) -> UInt64 {
        let surplus = count(of: duty, at: now) - Limits.writingsAtOnce
        return surplus < 0
            ? 0 : min(1000 << UInt64(min(surplus, 32)), Limits.writingPauseMilliseconds)
    }

    private func count(of duty: Duty, at now: UInt64) -> Int {
        guard let (count, last) = written[duty] else { return 0 }
        return now > last + 2 * Limits.writingPauseMilliseconds ? 0 : count
    }
}

extension Limits {
    /// How often a duty is written before it has to wait longer each time.
    package static let writingsAtOnce = 32
    /// The longest of these pauses; after two of them without a writing the count begins again.
    package static let writingPauseMilliseconds: UInt64 = 3_600_000
}
