/// Two different headers, both signed by one device for one position of one log of this space: proof
/// that the log forked, no matter which peer brings it.
package struct VerifiedFork: Sendable {
    package let proof: UnverifiedFork

    /// For the code that has verified both signatures, and for nobody else.
    package init(verified proof: UnverifiedFork) { self.proof = proof }

    package var log: LogID { proof.first.header.log }
    package var sequence: UInt64 { proof.first.header.sequence }
}

extension UnverifiedFork {
    /// Whether both sides say that they stand at one position of one log of the space. What is left
    /// to check is their signatures.
    package func isCoherent(in space: SpaceID) -> Bool {
        let (one, other) = (first.header, second.header)
        return one.log == other.log && one.sequence == other.sequence && first.id != second.id
            && one.space == space && other.space == space
    }
}

extension UnverifiedFork.Side {
    package init(_ commit: EncodedCommit, _ header: CommitHeader) {
        self.init(bytes: commit.header, header: header, signature: commit.signature)
    }
}

/// A commit that stands at a fork of its log or beyond, by what it goes on from.
package struct BranchLink: Hashable, Sendable {
    package let commit: CommitID
    package let previous: CommitID
    package let sequence: UInt64

    package init(commit: CommitID, previous: CommitID, sequence: UInt64) {
        (self.commit, self.previous, self.sequence) = (commit, previous, sequence)
    }

    package init(_ commit: UnverifiedCommit) {
        self.init(
            commit: commit.id, previous: commit.header.previous, sequence: commit.header.sequence)
    }
}

/// What is known of a log that forked. It counts up to the fork; what stands there and beyond are
/// branches, which are kept: what they say of members counts where it is pinned, nothing else does.
package struct ForkedLog: Hashable, Sendable {
    /// The lowest position at which two commits are proven.
    package var sequence: UInt64
    /// The branch commits here that none goes on from.
    package var tips: Set<CommitID>
    /// Branch commits here.
    package var count: Int

    package init(sequence: UInt64, tips: Set<CommitID> = [], count: Int = 0) {
        (self.sequence, self.tips, self.count) = (sequence, tips, count)
    }

    package init(sequence: UInt64, branches: [BranchLink]) {
        self.init(
            sequence: sequence,
            tips: Set(branches.map(\.commit)).subtracting(branches.map(\.previous)),
            count: branches.count)
        precondition(
            tips.count <= count && tips.isEmpty == (count == 0),
            "\(count) branch commits have \(tips.count) ends")
    }

    /// Which of two states of one log is the later one: forks only become lower, branches only more.
    func isOlder(than other: ForkedLog) -> Bool {
        sequence == other.sequence ? count < other.count : sequence > other.sequence
    }
}

/// A forked log as a device tells of it.
package struct ForkPoint: Hashable, Sendable {
    package let log: LogID
    package let sequence: UInt64
    /// The ends of the branches it holds.
    package let tips: [CommitID]

    package init(log: LogID, sequence: UInt64, tips: [CommitID]) {
        (self.log, self.sequence, self.tips) = (log, sequence, tips)
    }
}

/// A place among the branch commits of a space: by log, sequence and id, so that each comes after the
/// one it goes on from.
package struct BranchPlace: Hashable, Comparable, Sendable {
    package let log: LogID
    package let sequence: UInt64
    package let commit: CommitID

    package init(log: LogID, sequence: UInt64, commit: CommitID) {
        (self.log, self.sequence, self.commit) = (log, sequence, commit)
    }

    package init(_ commit: UnverifiedCommit) {
        self.init(log: commit.header.log, sequence: commit.header.sequence, commit: commit.id)
    }

    package static func < (left: BranchPlace, right: BranchPlace) -> Bool {
        (left.log, left.sequence, left.commit) < (right.log, right.sequence, right.commit)
    }
}

/// A log that a device wants again from a position on, because it may have forked.
package struct LogAgain: Hashable, Sendable {
    package let log: LogID
    /// 0: from the start.
    package let after: UInt64

    package init(log: LogID, after: UInt64) { (self.log, self.after) = (log, after) }
}

/// What a Watermark message says of forked logs.
package struct ForkReport: Hashable, Sendable {
    /// Logs known to have forked.
    package var points: [ForkPoint]
    /// Logs wanted again.
    package var again: [LogAgain]
    /// The last branch commit that came: wants those after it.
    package var branchesAfter: BranchPlace?
    /// Logs of which nothing more is taken now.
    package var later: [LogID]
    /// Branch commits whose headers are wanted, and of those before each.
    package var wanted: [BranchPlace]

    package init(
        points: [ForkPoint] = [], again: [LogAgain] = [], branchesAfter: BranchPlace? = nil,
        later: [LogID] = [], wanted: [BranchPlace] = []
    ) {
        (self.points, self.again, self.branchesAfter) = (points, again, branchesAfter)
        (self.later, self.wanted) = (later, wanted)
    }

    package static let nothing = ForkReport()
}

extension [LogID: ForkedLog] {
    /// In the order of log ids, each with its tips in the order of ids.
    package var points: [ForkPoint] {
        keys.sorted().compactMap { log in
            self[log].map {
                ForkPoint(
                    log: log, sequence: $0.sequence,
                    tips: Array($0.tips.sorted().prefix(Limits.listedTips)))
            }
        }
    }

    /// Whether nothing counts at this position because the log forked there or before.
    package func cuts(_ log: LogID, _ sequence: UInt64) -> Bool {
        self[log].map { sequence >= $0.sequence } ?? false
    }

    /// Takes in what another report of the same space says, in whatever order they come.
    mutating func merge(_ other: [LogID: ForkedLog]) {
        let before = self
        merge(other) { mine, theirs in mine.isOlder(than: theirs) ? theirs : mine }
        Invariants.check(
            other.allSatisfy { cuts($0.key, $0.value.sequence) }, "a fork became higher")
        Invariants.check(
            before.isIn(self) && other.isIn(self), "less of a forked log is known than before")
    }

    /// Whether another state says as much of each log, or more.
    private func isIn(_ later: [LogID: ForkedLog]) -> Bool {
        allSatisfy { log, fork in
            guard let known = later[log] else { return false }
            return known.sequence < fork.sequence
                || known.sequence == fork.sequence && known.count >= fork.count
        }
    }

    /// Branch commits of all logs.
    var branchCount: Int { values.reduce(0) { $0 + $1.count } }
}

extension Watermark {
    /// What is left of a watermark whose author may not know of these forks yet: a forked log ends
    /// before its fork, where nobody looks at the id.
    package func limited(by forks: [LogID: ForkedLog]) -> Watermark {
        guard !forks.isEmpty else { return self }
        var result = self
        for (log, fork) in forks { result.rewind(log, to: fork.sequence - 1) }
        Invariants.check(
            forks.allSatisfy { !result.covers($0.key, $0.value.sequence) } && covers(result),
            "a log is known beyond its fork")
        return result
    }

    /// Sets a log back to a position, without its id.
    mutating func rewind(_ log: LogID, to sequence: UInt64) {
        guard covers(log, sequence + 1) else { return }
        cut(log, to: sequence == 0 ? nil : LogHead(sequence: sequence, commit: .zero))
    }

    /// Equal digests mean equal watermarks and forks: SHA-256, label ``Label/spaceDigest``, over the positions in
    /// order. Entries of the same form follow for logs that forked, with the fork's sequence and a head of zeros, which
    /// no position has.
    package func digest(_ forks: [LogID: ForkedLog] = [:]) -> Bytes32 {
        Label.spaceDigest.hash(
            positionBytes
                + forks.points.flatMap { point in
                    Watermark.bytes(of: point.log, LogHead(sequence: point.sequence, commit: .zero))
                })
    }
}

extension Limits {
    // MARK: Forks

    /// Branch commits of one log that are taken from others: years of honest writing on a copy.
    package static let branchCommits = 65_536
    /// Branches of one log that are taken from others. A restored copy makes one more; who makes
    /// many is up to no good.
    package static let branchTips = 16
    /// Branches whose headers are asked for in one message.
    package static let wantedBranches = 16
    /// Commits of branches of one space that are known by their headers before they come.
    package static let branchHeaders = 1_048_576
    /// Ends of branches that are named in a message: those taken, and own ones that were cut.
    package static let listedTips = 64
    /// Bytes of a commit's header: two of them prove a fork, and the proof has to fit one frame.
    package static let headerBytes = 512 * 1024
    /// How far back a log is asked for when it may have forked: most forks are found within.
    package static let forkSearch: UInt64 = 64
}
