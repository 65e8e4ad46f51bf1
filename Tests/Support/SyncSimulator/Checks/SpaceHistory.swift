import SyncCore

/// Every commit written in one space, with the contents of its author's store at that moment: the
/// checkers' own causality, derived from events and not from headers.
struct SpaceHistory {
    struct Entry {
        let commit: UnverifiedCommit
        let author: Int
        /// Numbers of the commits its author had stored when it wrote this one.
        let past: CommitSet
        /// Its author must know that nobody may ever accept it.
        let isForbidden: Bool
        /// When it was written, in true time.
        let writtenAt: UInt64
    }

    private(set) var entries: [Entry] = []
    private(set) var numbers: [CommitID: Int] = [:]
    /// By place the commits there: of a forked log several.
    private(set) var positions: [LogPlace: [Int]] = [:]
    /// The commits that have others of their group after them.
    private(set) var grouped: [Int] = []
    /// Logs that have two commits at one position, with the first such position.
    private(set) var forks: [LogID: UInt64] = [:]
    /// Commits that their author lost by a restored copy, and received again: others have them.
    var regained = CommitSet()
    /// Positions at which a hostile device claimed a commit that not even its own store accepts.
    private var claimed: Set<LogPlace> = []
    let founder: Int

    struct LogPlace: Hashable {
        let log: LogID
        let sequence: UInt64
    }

    init(founder: Int) {
        self.founder = founder
    }

    /// Adds a commit; returns its number, and whether another one had its position.
    mutating func add(_ entry: Entry) -> (number: Int, isSecond: Bool) {
        let number = entries.count
        entries.append(entry)
        numbers[entry.commit.id] = number
        let header = entry.commit.header
        if header.following > 0 { grouped.append(number) }
        let place = LogPlace(log: header.log, sequence: header.sequence)
        let isSecond = positions[place] != nil || claimed.contains(place)
        if isSecond { forks[header.log] = min(forks[header.log] ?? .max, header.sequence) }
        positions[place, default: []].append(number)
        return (number, isSecond)
    }

    /// A signed commit that is in no history: another one at its position makes a fork
    /// nevertheless.
    mutating func claim(_ header: CommitHeader) {
        claimed.insert(LogPlace(log: header.log, sequence: header.sequence))
    }

    /// The last commit of the group of a commit, if the group is among these up to there; the commit itself without a
    /// group.
    func groupEnd(of number: Int, in held: CommitSet) -> Int? {
        let commit = entries[number].commit
        guard commit.header.following > 0 else { return number }
        let next = LogPlace(log: commit.header.log, sequence: commit.header.sequence + 1)
        let follower = positions[next]?.first { other in
            held.contains(other) && entries[other].commit.header.previous == commit.id
        }
        return follower.flatMap { groupEnd(of: $0, in: held) }
    }

    /// These without the commits of groups that are not whole among them: the author of the next commit of a log
    /// is not shown those.
    func whole(_ held: CommitSet, besides log: LogID) -> CommitSet {
        var whole = CommitSet()
        let parts = Set(
            grouped.filter { number in
                held.contains(number) && entries[number].commit.header.log != log
                    && groupEnd(of: number, in: held) == nil
            })
        guard !parts.isEmpty else { return held }
        for number in held.members where !parts.contains(number) { whole.insert(number) }
        return whole
    }

    /// Whether a commit is at its log's fork or beyond: it does not count once the fork is known.
    func isBranch(_ number: Int) -> Bool {
        let header = entries[number].commit.header
        return forks[header.log].map { header.sequence >= $0 } ?? false
    }

    /// How much of each log the author of a commit had in its store.
    func seen(by number: Int) -> [LogID: UInt64] {
        var seen: [LogID: UInt64] = [:]
        for earlier in 0..<number where precedes(earlier, number) {
            let header = entries[earlier].commit.header
            seen[header.log] = max(seen[header.log] ?? 0, header.sequence)
        }
        return seen
    }

    /// Whether the author of `later` had `earlier` in its store when it wrote.
    func precedes(_ earlier: Int, _ later: Int) -> Bool {
        entries[later].past.contains(earlier)
    }
}
