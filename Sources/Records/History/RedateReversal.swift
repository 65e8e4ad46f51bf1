import LocalAPI
import Store
import SyncCore

/// Reverts redatings: the changes get the dates that they had without them, by further redatings.
struct RedateReversal {
    /// The part in one space.
    struct Part {
        let space: ReadableSpace
        let reverted: [CommitID]
        let redatings: [Redating]
    }

    let device: DeviceID
    let parts: [Part]
    /// Changes that get other dates.
    let changes: Int

    /// Nil if the commits are no redatings, or not only. `left` is without effect once they are reverted. Throws
    /// ``APIError`` where this person may not redate.
    init?(_ replica: any Replica, _ commits: [StoredCommit], leavingOut left: LeftOut) throws {
        guard let device = commits.first?.redating?.device,
            commits.allSatisfy({ $0.redating?.device == device })
        else { return nil }
        let without = left.undone.union(left.reversers).union(left.reversed.keys)
        let spaces = Dictionary(
            try SpaceDirectory(replica).readable(.withDeleted).map { ($0.id, $0) },
            uniquingKeysWith: { $1 })
        var parts: [Part] = []
        var changes = 0
        for (id, reverted) in Dictionary(grouping: commits, by: \.space)
            .sorted(by: { $0.key < $1.key })
        {
            guard let membership = replica.membership(of: id), let space = spaces[id] else {
                continue
            }
            let spans = reverted.compactMap(\.redating?.span)
            let dated = try replica.store.log.datedCommits(of: device, in: id)
                .filter { commit in spans.contains { $0.contains(commit.raw.milliseconds) } }
                .map { commit in
                    (
                        commit: commit,
                        wanted: membership.redatings.clock(of: commit, without: without)
                    )
                }
            let redatings = RedateReversal.redatings(of: device, dated)
            guard !redatings.isEmpty else { continue }
            guard membership.mayRedate(device, from: replica.local.device) else {
                throw RedateService(replica).notAllowed(device, in: space)
            }
            changes += dated.count { $0.commit.clock != $0.wanted }
            parts.append(
                Part(space: space, reverted: reverted.map(\.commit.id), redatings: redatings))
        }
        (self.device, self.parts, self.changes) = (device, parts, changes)
    }

    /// One redating for each run of changes that get other dates by the same offset.
    private static func redatings(
        of device: DeviceID, _ dated: [(commit: DatedCommit, wanted: HybridTime)]
    ) -> [Redating] {
        var runs: [(redating: Redating, isNeeded: Bool)] = []
        for (commit, wanted) in dated.sorted(by: { $0.commit.raw < $1.commit.raw }) {
            let time = commit.raw.milliseconds
            let offset =
                Int64(clamping: wanted.milliseconds) - Int64(clamping: time)
            let isNeeded = commit.clock != wanted
            if let last = runs.last, last.redating.offsetMilliseconds == offset {
                let span = last.redating.span.lowerBound...time
                runs[runs.count - 1] = (
                    Redating(device: device, span: span, offsetMilliseconds: offset),
                    last.isNeeded || isNeeded
                )
            } else {
                let redating = Redating(
                    device: device, span: time...time, offsetMilliseconds: offset)
                runs.append((redating, isNeeded))
            }
        }
        return runs.filter(\.isNeeded).map(\.redating)
    }
}

extension Redatings {
    fileprivate func clock(of commit: DatedCommit, without: Set<CommitID>) -> HybridTime {
        clock(at: commit.log, commit.sequence, raw: commit.raw, without: without)
    }
}
