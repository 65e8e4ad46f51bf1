/// What a peer has of forked logs, as far as it said so, and what it wants of them.
package struct ForkQuestion: Hashable, Sendable {
    package let listed: [ForkPoint]
    /// The last branch commit that it had; nil: from the start.
    package let after: BranchPlace?
    /// Where it wants headers first, down to the fork.
    package let wanted: [BranchPlace]

    package init(listed: [ForkPoint], after: BranchPlace? = nil, wanted: [BranchPlace] = []) {
        (self.listed, self.after, self.wanted) = (listed, after, wanted)
    }
}

/// What a peer lacks of forked logs: proofs, and headers where it wants any and they are here, else
/// branch commits.
package struct LoadedForks: Sendable {
    package var proofs: [UnverifiedFork]
    /// Branch commits, in the order of their places.
    package var commits: [UnverifiedCommit]
    /// Of one branch, each followed by the one before it in the log.
    package var headers: [UnverifiedHeader]

    package init(
        proofs: [UnverifiedFork], commits: [UnverifiedCommit], headers: [UnverifiedHeader] = []
    ) {
        (self.proofs, self.commits, self.headers) = (proofs, commits, headers)
    }
}

package struct LoadedCommits: Sendable {
    package var commits: [UnverifiedCommit]
    /// Where to go on in storing order.
    package var cursor: Int64
    package var isLast: Bool

    package init(commits: [UnverifiedCommit], cursor: Int64, isLast: Bool) {
        (self.commits, self.cursor, self.isLast) = (commits, cursor, isLast)
    }
}
