internal import SyncCore
internal import Synchronization

/// Which orphans come after which in their logs, and what they had seen together.
///
/// Branches and gaps may hold as many commits as years bring: no question walks over all of them.
final class OrphanOrder: Sendable {
    /// What an orphan had seen by its own header and by those of orphans before it in its log.
    struct Past {
        fileprivate(set) var seen: [LogID: LogHead] = [:]
        /// Up to where the log itself, as it is stored, says what was seen besides.
        fileprivate(set) var stored: UInt64

        fileprivate mutating func include(_ orphan: Orphan) {
            for position in orphan.seen
            where position.head.sequence > seen[position.log]?.sequence ?? 0 {
                seen[position.log] = position.head
            }
        }
    }

    /// By commit, its place in a walk that visits each before those after it, and the end of those.
    private let spans: [CommitID: Range<Int>]
    /// By commit of a branch or beyond a gap, the orphan before it.
    private let before: [CommitID: Orphan]
    /// The pasts that were asked for last: that of the next orphan of a log adds to one of them.
    private let latest = Mutex<[CommitID: Past]>([:])

    init(_ all: [CommitID: Orphan]) {
        let chained = all.values.filter(\.reason.isChained)
        var after: [CommitID: [CommitID]] = [:]
        for orphan in chained { after[orphan.previous, default: []].append(orphan.id) }
        let first = chained.filter { all[$0.previous]?.reason.isChained != true }.map(\.id)
        spans = OrphanOrder.spans(from: first, after)
        before = OrphanOrder.before(chained, all)
        Invariants.check(
            chained.allSatisfy(isNested), "an orphan is not found behind the one before it")
    }

    /// Whether an orphan and all after it stand within what comes after the one before it.
    private func isNested(_ orphan: Orphan) -> Bool {
        guard let own = spans[orphan.id], let outer = spans[orphan.previous] else { return true }
        return outer.lowerBound < own.lowerBound && own.upperBound <= outer.upperBound
    }

    private static func spans(
        from first: [CommitID], _ after: [CommitID: [CommitID]]
    ) -> [CommitID: Range<Int>] {
        var begins: [CommitID: Int] = [:]
        var spans: [CommitID: Range<Int>] = [:]
        var stack = first
        // One that is met again is done, with all after it.
        while let commit = stack.popLast() {
            if let begin = begins[commit] {
                spans[commit] = begin..<begins.count
                continue
            }
            begins[commit] = begins.count
            stack.append(commit)
            stack += after[commit] ?? []
        }
        return spans
    }

    private static func before(
        _ chained: [Orphan], _ all: [CommitID: Orphan]
    ) -> [CommitID: Orphan] {
        var before: [CommitID: Orphan] = [:]
        var latest: [LogID: Orphan] = [:]
        for orphan in chained.sorted(by: { ($0.sequence, $0.id) < ($1.sequence, $1.id) }) {
            if orphan.isBranch {
                before[orphan.id] = all[orphan.previous].flatMap { $0.isBranch ? $0 : nil }
            } else {
                before[orphan.id] = latest.updateValue(orphan, forKey: orphan.log)
            }
        }
        return before
    }

    /// Whether `later` comes after another orphan in its branch, or is it.
    func goesOn(_ later: CommitID, from earlier: Orphan) -> Bool {
        guard later != earlier.id else { return true }
        guard let place = spans[later], let span = spans[earlier.id] else { return false }
        return span.contains(place.lowerBound)
    }

    func past(of orphan: Orphan) -> Past {
        guard orphan.reason.isChained else { return Past(stored: orphan.sequence) }
        return latest.withLock { latest in
            var chain: [Orphan] = []
            var next: Orphan? = orphan
            var found: Past?
            while found == nil, let current = next {
                found = latest.removeValue(forKey: current.id)
                if found == nil { chain.append(current) }
                next = before[current.id]
            }
            var past = found ?? Past(stored: chain.last?.sequence ?? orphan.sequence)
            for earlier in chain.reversed() { past.include(earlier) }
            if orphan.reason == .gap { past.stored = orphan.sequence }
            latest[orphan.id] = past
            return past
        }
    }
}
