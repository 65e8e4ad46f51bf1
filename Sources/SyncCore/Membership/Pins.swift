/// The branch of a forked log that counts for a grant: the one that the author
/// of a revocation had seen. A person whose rights were revoked cannot choose the other one later.
package struct PinnedBranch: Hashable, Sendable {
    package let head: LogHead
    fileprivate let commits: Set<CommitID>

    func contains(_ commit: CommitID) -> Bool { commits.contains(commit) }
}

/// The branches of forked logs that are here.
struct LogBranches: Sendable {
    private var links: [LogID: [CommitID: BranchLink]] = [:]
    /// By log, the end of the longest one that counts for a grant.
    private(set) var pinnedHeads: [LogID: LogHead] = [:]
    /// The ends of branches that count for a grant and are not here.
    private(set) var missingPins: Set<BranchPlace> = []

    mutating func set(_ all: some Sequence<BranchLink>, of log: LogID) {
        links[log] = Dictionary(all.map { ($0.commit, $0) }) { first, _ in first }
    }

    mutating func insert(_ link: BranchLink, of log: LogID) {
        links[log, default: [:]][link.commit] = link
    }

    mutating func pin(
        _ standings: some Sequence<GrantStanding>, missing: Set<BranchPlace>
    ) {
        missingPins = missing
        pinnedHeads = standings.reduce(into: [:]) { heads, standing in
            heads.merge(standing.pinned.mapValues(\.head)) { max($0, $1) }
        }
        Invariants.check(
            pinnedHeads.allSatisfy { links[$0.key]?[$0.value.commit] != nil },
            "a branch counts that is not here")
    }

    func holds(_ place: BranchPlace) -> Bool { links[place.log]?[place.commit] != nil }

    /// The branch that ends with a commit, from the fork on; nil when that commit is not here.
    func branch(to head: LogHead, of log: LogID, from fork: UInt64) -> PinnedBranch? {
        guard let links = links[log], links[head.commit]?.sequence == head.sequence else {
            return nil
        }
        var commits: Set<CommitID> = []
        var next = links[head.commit]
        while let link = next, link.sequence >= fork, commits.insert(link.commit).inserted {
            next = links[link.previous]
        }
        precondition(
            commits.contains(head.commit), "a branch of \(log) ends before the fork at \(fork)")
        return PinnedBranch(head: head, commits: commits)
    }
}

/// All that counts against one grant, each with whose word it is.
struct CountedRevocations {
    /// Whose word goes before others when several pin a branch, the first before the next.
    struct Authority: Comparable {
        enum Kind: Int {
            case founderKey
            case otherPerson
            case ownKey
            case ownDevice
        }

        let kind: Kind
        let order: GrantStanding.Order

        static func < (left: Authority, right: Authority) -> Bool {
            (left.kind.rawValue, left.order) < (right.kind.rawValue, right.order)
        }
    }

    private struct Counted {
        let authority: Authority
        let isOwn: Bool
        let restriction: GrantStanding.Restriction
    }

    /// To whom the grant is.
    private let person: PersonID
    private let founder: PersonID?
    private var counted: [Counted] = []

    init(against person: PersonID, founder: PersonID?) {
        (self.person, self.founder) = (person, founder)
    }

    mutating func add(
        _ revocations: [RevocationIndex.Found], by right: RevocationIndex.Right
    ) {
        for found in revocations {
            counted.append(
                Counted(
                    authority: authority(of: found.author, by: right),
                    isOwn: isOwn(found.author, by: right), restriction: found.restriction))
        }
    }

    private func authority(
        of author: RevocationIndex.Author?, by right: RevocationIndex.Right
    ) -> Authority {
        guard let author else {
            let isFounder = right == founder.map { .person($0) }
            return Authority(
                kind: isFounder ? .founderKey : .ownKey,
                order: GrantStanding.Order(rank: 0, siblingIndex: 0))
        }
        return Authority(
            kind: author.person == person ? .ownDevice : .otherPerson, order: author.order)
    }

    private func isOwn(
        _ author: RevocationIndex.Author?, by right: RevocationIndex.Right
    ) -> Bool {
        author.map { $0.person == person } ?? (right == .person(person))
    }

    /// What is left of the grant beyond which cuts. The person's own side takes nothing of what the first of
    /// others left them.
    var restrictions: [GrantStanding.Restriction] {
        let kept = keptByOthers
        return counted.map { $0.isOwn ? $0.restriction.raised(to: kept) : $0.restriction }
    }

    /// What the holder says of the own grant, after all others.
    func ofHolder(_ revocation: Revocation) -> GrantStanding.Restriction {
        GrantStanding.Restriction(
            cut: LogCut(revocation.cut), remaining: revocation.remaining
        ).raised(to: keptByOthers)
    }

    /// Up to where the first of others left the holder's rights; of several of one order the lowest cut.
    private var keptByOthers: LogCut? {
        let others = counted.filter { !$0.isOwn }
        guard let first = others.map(\.authority).min() else { return nil }
        let cuts = others.filter { !(first < $0.authority) }.map(\.restriction.cut)
        return cuts.dropFirst().reduce(cuts.first) { $0?.lowered(to: $1) }
    }

    /// By forked log of a device, the end of the branch that the first of all pins.
    func pins(of device: DeviceID) -> [LogID: LogHead] {
        var first: [LogID: (authority: Authority, head: LogHead)] = [:]
        for entry in counted {
            for (log, head) in entry.restriction.cut.pins where log.device == device {
                if let known = first[log] {
                    if known.authority < entry.authority { continue }
                    if !(entry.authority < known.authority), !(head < known.head) { continue }
                }
                first[log] = (entry.authority, head)
            }
        }
        return first.mapValues(\.head)
    }
}

extension LogHead: Comparable {
    /// The lower position first, of one the smaller id.
    package static func < (left: LogHead, right: LogHead) -> Bool {
        (left.sequence, left.commit) < (right.sequence, right.commit)
    }
}

extension Membership.Origin {
    /// Whether a position is before any fork of its log, or is pinned for the grant under which it was
    /// written.
    func counts(in membership: Membership) -> Bool {
        guard let fork = membership.forks[log], sequence >= fork else { return true }
        return grant.flatMap { membership.standings[$0] }?.hasPinned(self) ?? false
    }
}

extension MembershipFact {
    /// Whether it takes rights after this very commit.
    func cuts(after commit: VerifiedCommit) -> Bool {
        switch self {
        case .revocation(let revocation), .personRevocation(let revocation, _):
            revocation.cut.heads[commit.header.log]?.commit == commit.id
        default: false
        }
    }
}
