import SyncCore

/// Every commit of one space that anybody wrote, with what its author's store held at that moment:
/// the checkers' own notion of causality, made from what happened and not from what headers say.
struct SpaceHistory {
    struct Entry {
        let commit: UnverifiedCommit
        let author: Int
        /// Numbers of the commits its author had stored when it wrote this one.
        let past: CommitSet
        /// Its author must know that nobody may take it for good.
        let isForbidden: Bool
        /// When it was written, in true time.
        let writtenAt: UInt64
    }

    private(set) var entries: [Entry] = []
    private(set) var numbers: [CommitID: Int] = [:]
    private(set) var positions: [LogPlace: Int] = [:]
    /// Logs that have two commits at one position, with the first such position.
    private(set) var forks: [LogID: UInt64] = [:]
    /// Those that their author lost with a copy that was put back, and got again: others have them.
    var regained = CommitSet()
    /// Where somebody who means ill said a commit stands that not even their own store took.
    private var claimed: Set<LogPlace> = []
    let founder: Int

    struct LogPlace: Hashable {
        let log: LogID
        let sequence: UInt64
    }

    init(founder: Int) {
        self.founder = founder
    }

    /// Takes in a commit; returns its number, and whether its position was taken by another one.
    mutating func add(_ entry: Entry) -> (number: Int, isSecond: Bool) {
        let number = entries.count
        entries.append(entry)
        numbers[entry.commit.id] = number
        let header = entry.commit.header
        let place = LogPlace(log: header.log, sequence: header.sequence)
        let isSecond = positions[place] != nil || claimed.contains(place)
        if isSecond {
            forks[header.log] = min(forks[header.log] ?? .max, header.sequence)
        } else {
            positions[place] = number
        }
        return (number, isSecond)
    }

    /// A commit that is signed and in no history: another one at its position makes a fork all the same.
    mutating func claim(_ header: CommitHeader) {
        claimed.insert(LogPlace(log: header.log, sequence: header.sequence))
    }

    /// Whether a commit stands where its log forked, or beyond: it does not count once that is known.
    func isBranch(_ number: Int) -> Bool {
        let header = entries[number].commit.header
        return forks[header.log].map { header.sequence >= $0 } ?? false
    }

    /// Of each log, how much of it the author of a commit had in its store.
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
