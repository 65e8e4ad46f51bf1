/// An author log: one device in one incarnation; the space is known from where the value stands.
package struct LogID: Hashable, Comparable, Sendable {
    package let device: DeviceID
    package let incarnation: Incarnation

    package init(device: DeviceID, incarnation: Incarnation) {
        (self.device, self.incarnation) = (device, incarnation)
    }

    package static func < (left: LogID, right: LogID) -> Bool {
        (left.device, left.incarnation) < (right.device, right.incarnation)
    }
}

/// How far a log is known, with the commit id found there.
package struct LogHead: Hashable, Sendable {
    package let sequence: UInt64
    package let commit: CommitID

    package init(sequence: UInt64, commit: CommitID) {
        (self.sequence, self.commit) = (sequence, commit)
    }
}

/// A position in a log as a commit header or a message carries it.
package struct LogPosition: Hashable, Sendable {
    package let log: LogID
    package let head: LogHead

    package init(log: LogID, head: LogHead) { (self.log, self.head) = (log, head) }
}

/// For one space: how far each author log is known.
package struct Watermark: Hashable, Sendable {
    package private(set) var heads: [LogID: LogHead]

    package init(_ heads: [LogID: LogHead] = [:]) { self.heads = heads }

    package init(_ positions: some Sequence<LogPosition>) {
        heads = [:]
        for position in positions {
            advance(position.log, to: position.head)
        }
    }

    package var isEmpty: Bool { heads.isEmpty }

    /// The last known sequence of a log, 0 for a log not known.
    package func sequence(of log: LogID) -> UInt64 { heads[log]?.sequence ?? 0 }

    package func covers(_ log: LogID, _ sequence: UInt64) -> Bool {
        self.sequence(of: log) >= sequence
    }

    /// Whether everything that `other` knows is known here.
    package func covers(_ other: Watermark) -> Bool {
        other.heads.allSatisfy { covers($0.key, $0.value.sequence) }
    }

    /// Moves a log forward; never backward.
    package mutating func advance(_ log: LogID, to head: LogHead) {
        if sequence(of: log) < head.sequence {
            heads[log] = head
        }
    }

    package mutating func merge(_ other: Watermark) {
        for (log, head) in other.heads {
            advance(log, to: head)
        }
        Invariants.check(covers(other), "a merged watermark lacks what went into it")
    }

    /// What both this and `other` know.
    package func limited(to other: Watermark) -> Watermark {
        let both = Watermark(
            heads.compactMap { log, head in
                other.heads[log].map { theirs in
                    LogPosition(log: log, head: head.sequence <= theirs.sequence ? head : theirs)
                }
            })
        Invariants.check(
            covers(both) && other.covers(both), "what two watermarks share goes beyond one of them")
        return both
    }

    /// What this knows of the logs of some devices.
    package func limited(to devices: Set<DeviceID>) -> Watermark {
        Watermark(heads.filter { devices.contains($0.key.device) })
    }

    /// The same, of some logs all there can be.
    func without(_ logs: Set<LogID>) -> Watermark {
        var result = self
        for log in logs {
            result.advance(log, to: LogHead(sequence: Limits.sequence, commit: .zero))
        }
        Invariants.check(
            result.covers(self) && logs.allSatisfy { result.covers($0, Limits.sequence) },
            "a log that is left out is still asked for")
        return result
    }

    /// Sets a log back, at a cut or a fork and nowhere else.
    package mutating func cut(_ log: LogID, to head: LogHead?) {
        heads[log] = head
    }

    /// Every entry in the order of log ids, the order in which they are sent and hashed.
    package var positions: [LogPosition] {
        heads.keys.sorted().compactMap { log in
            heads[log].map { LogPosition(log: log, head: $0) }
        }
    }

    /// Commits that `self` knows and `other` does not, counted; those of `author` left out, which
    /// has its own.
    package func count(beyond other: Watermark, exceptOf author: DeviceID? = nil) -> UInt64 {
        let count: UInt64 = heads.reduce(0) { total, entry in
            guard entry.key.device != author else { return total }
            let known = other.sequence(of: entry.key)
            return entry.value.sequence > known ? total + (entry.value.sequence - known) : total
        }
        Invariants.check(
            author != nil || (count == 0) == other.covers(self),
            "\(count) commits are known to one watermark alone")
        return count
    }

    /// Positions in order, each `device ‖ incarnation ‖ sequence (8 bytes, big endian) ‖ head`.
    package var positionBytes: [UInt8] {
        positions.flatMap { Watermark.bytes(of: $0.log, $0.head) }
    }

    static func bytes(of log: LogID, _ head: LogHead) -> [UInt8] {
        log.device.bytes + log.incarnation.bytes + bigEndian(head.sequence) + head.commit.bytes
    }
}

/// Eight bytes, most significant first.
package func bigEndian(_ value: UInt64) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt64($0)) }
}
