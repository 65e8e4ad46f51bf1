import Agent
import SyncCore

extension Canary {
    /// The action as a faulty replica carries it out.
    func spoil(_ action: EngineAction, _ replica: Replica) -> EngineAction {
        guard case .apply(let space, let commits, let session) = action else { return action }
        switch self {
        case .mergeIgnoresCausality:
            return .apply(
                space, commits.map { $0.changed { header in header.seen = [] } }, from: session)
        case .arrivalOrder:
            let count = UInt64(replica.watermark(of: space).positions.count)
            let now = replica.clock.wall.value
            return .apply(
                space,
                commits.map { commit in
                    commit.changed { header in
                        header.clock = HybridTime(
                            milliseconds: now, counter: UInt16(truncatingIfNeeded: count))
                    }
                }, from: session)
        case .acknowledgedTooEarly, .noSync: return action
        }
    }
}

extension VerifiedCommit {
    fileprivate func changed(_ change: (inout CommitHeader) -> Void) -> VerifiedCommit {
        var header = header
        change(&header)
        return VerifiedCommit(
            verified: UnverifiedCommit(
                id: id, header: header, clear: commit.clear, operations: commit.operations,
                encoded: encoded), facts: facts)
    }
}

extension World {
    /// Says that commits are here while they wait to be stored.
    func acknowledgeEarly(_ action: EngineAction, _ replica: Replica) {
        guard case .apply(let space, let commits, _) = action,
            replica.ledger(of: space) != nil
        else { return }
        var claimed = replica.watermark(of: space)
        for commit in commits {
            claimed.advance(
                commit.header.log,
                to: LogHead(sequence: commit.header.sequence, commit: commit.id))
        }
        guard let done = replica.work?.perform(.acknowledge(space, claimed)) else { return }
        finish(done, replica)
    }
}
