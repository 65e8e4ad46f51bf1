/// The way from the end of a pinned branch down to the fork, known by its headers before its commits
/// come: each header names the commit before it by its hash, so nobody can make up another way. What leads
/// to a pin is taken however many branches of its log are here.
struct BranchPath: Hashable, Sendable {
    private let log: LogID
    private var commits: Set<CommitID> = []
    /// The commit whose header is wanted next; before the fork none is.
    private var next: LogHead

    init(to end: BranchPlace) {
        log = end.log
        next = LogHead(sequence: end.sequence, commit: end.commit)
    }

    var count: Int { commits.count }

    func contains(_ commit: CommitID) -> Bool { commits.contains(commit) }

    /// The place whose header is wanted next; nil when the way is known down to the fork.
    func wanted(from fork: UInt64) -> BranchPlace? {
        next.sequence >= fork
            ? BranchPlace(log: log, sequence: next.sequence, commit: next.commit) : nil
    }

    /// Whether as many headers are known as there are positions from the end down to the next one.
    func isCoherent(to end: BranchPlace) -> Bool {
        log == end.log && next.sequence + UInt64(commits.count) == end.sequence
    }

    /// Takes headers in as far as they go on from what is known; returns whether any did.
    mutating func extend(
        by headers: [UnverifiedHeader], from fork: UInt64, atMost room: Int
    ) -> Bool {
        let before = commits.count
        for header in headers {
            guard let wanted = wanted(from: fork), commits.count < before + room,
                header.header.log == log, header.header.sequence == wanted.sequence,
                header.id == wanted.commit
            else { break }
            commits.insert(wanted.commit)
            next = LogHead(sequence: wanted.sequence - 1, commit: header.header.previous)
        }
        return commits.count > before
    }
}

/// The ways to the pinned branches of one space that are not here.
struct BranchPaths: Sendable {
    private var paths: [BranchPlace: BranchPath] = [:]

    var isEmpty: Bool { paths.isEmpty }

    /// The ends of pinned branches that are not here; returns whether one is new.
    mutating func set(_ missing: Set<BranchPlace>) -> Bool {
        let before = paths
        paths = missing.reduce(into: [:]) { $0[$1] = before[$1] ?? BranchPath(to: $1) }
        return paths.keys.contains { before[$0] == nil }
    }

    func contains(_ commit: UnverifiedCommit) -> Bool {
        paths.contains { $0.key.log == commit.header.log && $0.value.contains(commit.id) }
    }

    /// The headers that are wanted next, those of branches that count for sure before others.
    func wanted(
        _ forks: [LogID: ForkedLog], first sure: Set<BranchPlace>
    ) -> [BranchPlace] {
        let ends = paths.keys.sorted()
        return Array(
            (ends.filter(sure.contains) + ends.filter { !sure.contains($0) }).compactMap { end in
                forks[end.log].flatMap { paths[end]?.wanted(from: $0.sequence) }
            }.prefix(Limits.wantedBranches))
    }

    /// Takes headers in; returns whether any was wanted.
    mutating func extend(
        by headers: [UnverifiedHeader], _ forks: [LogID: ForkedLog]
    ) -> Bool {
        guard let log = headers.first?.header.log, let fork = forks[log] else { return false }
        var isNews = false
        for end in paths.keys where end.log == log {
            let room = Limits.branchHeaders - paths.values.reduce(0) { $0 + $1.count }
            let extends = paths[end]?.extend(by: headers, from: fork.sequence, atMost: room)
            isNews = extends == true || isNews
        }
        Invariants.check(
            paths.values.reduce(0) { $0 + $1.count } <= Limits.branchHeaders,
            "too many headers of branches are kept")
        Invariants.check(
            paths.allSatisfy { $0.value.isCoherent(to: $0.key) }, "the way to a branch has a gap")
        return isNews
    }
}
