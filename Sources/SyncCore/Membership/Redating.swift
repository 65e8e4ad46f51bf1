/// A redating with where it stands.
struct PlacedRedating: Sendable {
    let redating: Redating
    let id: FactReference
    let origin: Membership.Origin
}

/// The redatings of one space, and what those that count do to the dates of commits.
package struct Redatings: Sendable {
    private var placed: [PlacedRedating] = []
    /// By device, how the dates of its commits are moved; those that go before others first.
    package private(set) var shifts: [DeviceID: [ClockShift]] = [:]

    mutating func collect(_ redating: PlacedRedating) { placed.append(redating) }

    /// The same, judged by who stands in the space.
    func judged(in membership: Membership) -> Redatings {
        var judged = self
        judged.shifts = placed.isEmpty ? [:] : ClockShift.counting(placed, in: membership)
        return judged
    }

    /// When a commit counts as written: what its own clock said, unless its log was redated. Redatings by the
    /// commits in `without` do not count.
    package func clock(
        at log: LogID, _ sequence: UInt64, raw: HybridTime, without: Set<CommitID> = []
    ) -> HybridTime {
        guard let shifts = shifts[log.device] else { return raw }
        let shift = shifts.first {
            $0.covers(log, sequence, raw) && !without.contains($0.commit)
        }
        return shift.map { raw.moved(by: $0.offsetMilliseconds) } ?? raw
    }
}

/// A redating that counts, as it is applied.
package struct ClockShift: Hashable, Sendable {
    /// By the clocks in the headers, in milliseconds since 1970.
    package let span: ClosedRange<UInt64>
    package let offsetMilliseconds: Int64
    /// The commit with the redating.
    fileprivate let commit: CommitID
    /// Of each log of the device, up to where it reaches.
    private let reach: [LogID: UInt64]

    /// Whether it applies to the commit at a position.
    package func covers(_ log: LogID, _ sequence: UInt64, _ raw: HybridTime) -> Bool {
        span.contains(raw.milliseconds) && sequence <= reach[log] ?? 0
    }

    /// All that count in a space, by device. A pure function of the facts: of two that reach one
    /// commit the one that had seen more comes first, so that a later author can replace one they knew; of
    /// two that had seen as much, the one with the greater id.
    static func counting(
        _ redatings: [PlacedRedating], in membership: Membership
    ) -> [DeviceID: [ClockShift]] {
        var counts: [LogID: Int] = [:]
        var found: [DeviceID: [(past: UInt64, id: FactReference, shift: ClockShift)]] = [:]
        let ordered = redatings.sorted {
            ($0.origin.sequence, $0.id) < ($1.origin.sequence, $1.id)
        }
        for placed in ordered {
            let origin = placed.origin
            counts[origin.log, default: 0] += 1
            guard counts[origin.log, default: 0] <= Limits.redatingsPerLog,
                placed.isAllowed(in: membership)
            else { continue }
            let device = placed.redating.device
            var reach = origin.seen.filter { $0.key.device == device }
            if origin.log.device == device { reach[origin.log] = origin.sequence - 1 }
            let shift = ClockShift(
                span: placed.redating.span,
                offsetMilliseconds: placed.redating.offsetMilliseconds,
                commit: placed.id.commit, reach: reach)
            found[device, default: []].append((origin.past(in: membership), placed.id, shift))
        }
        return found.mapValues { entries in
            entries.sorted { ($1.past, $1.id) < ($0.past, $0.id) }.map(\.shift)
        }
    }
}

extension PlacedRedating {
    /// Whether its commit may redate that device: by itself, by another one of its person, or by
    /// an admin of the space.
    fileprivate func isAllowed(in membership: Membership) -> Bool {
        guard let grant = origin.grant, let standing = membership.standings[grant] else {
            return false
        }
        let allowed = membership.permissions(under: grant, at: origin.log, origin.sequence)
        return !allowed.isEmpty
            && membership.mayRedate(
                redating.device, from: origin.log.device, standing.card.person, allowed)
    }
}

extension Membership.Origin {
    /// How many commits this one had seen, itself included: more than any that it had seen. Of a log
    /// that forked only those before and what is pinned, since anything can be said of branches.
    func past(in membership: Membership) -> UInt64 {
        seen.reduce(sequence) { sum, entry in
            guard let fork = membership.forks[entry.key] else { return sum &+ entry.value }
            let pinned = membership.pinnedHeads[entry.key]?.sequence ?? 0
            return sum &+ min(entry.value, max(fork - 1, pinned))
        }
    }
}

extension Membership {
    /// Whether a device may redate another one by what it writes now.
    package func mayRedate(_ device: DeviceID, from author: DeviceID) -> Bool {
        guard let grant = writingGrant(of: author), let standing = standings[grant] else {
            return false
        }
        return mayRedate(device, from: author, standing.card.person, standing.current)
    }

    fileprivate func mayRedate(
        _ device: DeviceID, from author: DeviceID, _ person: PersonID, _ allowed: Permissions
    ) -> Bool {
        author == device || allowed.contains(.admin)
            || standings.values.contains {
                $0.card.device == device && $0.card.person == person
            }
    }
}

extension HybridTime {
    /// The same time so much later, or earlier when negative; the counter stays.
    package func moved(by offset: Int64) -> HybridTime {
        let greatest = Int64(1) << 48 - 1
        let moved = Int64(milliseconds).addingReportingOverflow(offset)
        let bound = moved.overflow ? (offset < 0 ? 0 : greatest) : moved.partialValue
        return HybridTime(milliseconds: UInt64(min(max(bound, 0), greatest)), counter: counter)
    }
}

extension Limits {
    /// Redatings in one author log that count, the first ones: a clock is wrong a few times in its
    /// life, and each redating rebuilds the records that it concerns on every device.
    package static let redatingsPerLog = 128
}
