import SyncCore

/// An evaluation's result for every grant: its standing, and its rights at every position of its
/// holder, now and later, and in an unknown log.
struct MembershipVerdict {
    private struct Line: Equatable {
        var place: [Int]
        var current: Permissions
        var rights: [Permissions]
    }

    private var lines: [FactReference: Line] = [:]
    /// Nil for a rule without epochs.
    private var epochs: EpochVerdict?

    var standing: Int { lines.count }
    /// The number of effective epochs.
    var epochCount: Int { epochs?.devices.count ?? 0 }
    var restricted: Int { lines.values.count { Set($0.rights).count > 1 } }

    init(_ membership: Membership, _ commits: [VerifiedCommit]) {
        for (id, standing) in membership.standings {
            lines[id] = Line(
                place: [Int(standing.order.rank), Int(standing.order.siblingIndex)],
                current: standing.current,
                rights: Self.positions(of: standing.card.device, in: commits).map {
                    membership.permissions(under: id, at: $0, $1)
                })
        }
        epochs = EpochVerdict(membership)
    }

    init(_ membership: ReferenceMembership, _ commits: [VerifiedCommit]) {
        for (id, grant) in membership.grants where membership.stands(id) {
            guard let place = membership.place(of: id) else { continue }
            lines[id] = Line(
                place: [place.rank, place.sibling], current: membership.current(id),
                rights: Self.positions(of: grant.card.device, in: commits).map {
                    membership.rights(under: id, at: $0, $1)
                })
        }
        epochs = EpochVerdict(membership)
    }

    init(_ membership: ArrivalMembership, _ commits: [VerifiedCommit]) {
        for (id, held) in membership.held {
            let positions = Self.positions(of: held.device, in: commits)
            lines[id] = Line(
                place: [held.rank, 0], current: held.flags,
                rights: positions.map { _ in held.flags })
        }
    }

    /// The positions of its commits, later ones, and one in a log that starts only now.
    private static func positions(
        of device: DeviceID, in commits: [VerifiedCommit]
    ) -> [(LogID, UInt64)] {
        let own = commits.map(\.header).filter { $0.log.device == device }
        let logs = Set(own.map(\.log)).sorted()
        let fresh = LogID(device: device, incarnation: Incarnation.zero)
        return own.map { ($0.log, $0.sequence) }.sorted { $0 < $1 }
            + logs.map { ($0, 1 << 40) } + [(fresh, 1)]
    }

    /// The first grant, or epoch, that another evaluation sees differently.
    func difference(to other: MembershipVerdict) -> String? {
        for id in Set(lines.keys).union(other.lines.keys).sorted()
        where lines[id] != other.lines[id] {
            return "grant \(id.commit) \(id.index): \(words(id)), found \(other.words(id))"
        }
        if let epochs, let found = other.epochs, epochs != found {
            return "epochs \(epochs), found \(found)"
        }
        return nil
    }

    private func words(_ id: FactReference) -> String {
        guard let line = lines[id] else { return "counts for nothing" }
        return "at \(line.place) now \(line.current.rawValue), "
            + "before \(line.rights.map(\.rawValue))"
    }
}

/// The naive rule: each fact is judged on arrival, by earlier arrivals.
struct ArrivalMembership {
    private(set) var held: [FactReference: (device: DeviceID, rank: Int, flags: Permissions)] = [:]

    init(_ commits: [VerifiedCommit], _ forks: [LogID: UInt64]) {
        for commit in commits {
            for (index, fact) in commit.facts.enumerated() {
                let id = FactReference(commit: commit.id, index: UInt32(index))
                apply(fact, id, commit.header)
            }
        }
    }

    private mutating func apply(_ fact: MembershipFact, _ id: FactReference, _ header: CommitHeader)
    {
        switch fact {
        case .grant(let grant):
            guard let parent = grant.parent else {
                held[id] = (grant.card.device, 1, grant.flags)
                return
            }
            guard let own = held[header.grant], parent == header.grant, own.flags.contains(.admin),
                own.flags.isSuperset(of: grant.flags)
            else { return }
            held[id] = (grant.card.device, own.rank + 1, grant.flags)
        case .revocation(let taking):
            guard let own = held[header.grant], let other = held[taking.grant],
                own.flags.contains(.admin), own.rank < other.rank
            else { return }
            held[taking.grant]?.flags.formIntersection(taking.remaining)
        default: return
        }
    }
}
