import SyncCore

/// What comes in fits what is there, at the moment when it is stored: later both could look right again.
struct ArrivalCheck {
    let world: World

    /// What the author of a commit says it had seen is there, that very commit; only of logs known as forked it need
    /// not be.
    func checkPast(of commit: UnverifiedCommit, _ replica: Replica, in space: SpaceID) {
        guard !replica.seen.isSpoiled, let history = world.observer.histories[space],
            let ledger = replica.ledger(of: space),
            !ledger.forks.cuts(commit.header.log, commit.header.sequence)
        else { return }
        for position in commit.header.seen
        where !ledger.forks.cuts(position.log, position.head.sequence) {
            let number = history.numbers[position.head.commit]
            let isHere = number.map { replica.seen.held[space]?.contains($0) == true } ?? false
            if !isHere {
                world.report.fail(
                    "past",
                    "\(replica.index) stored \(commit.summary), and has not what it had seen: "
                        + "\(position.log.summary):\(position.head.sequence)")
            }
        }
    }

    /// Of a group nothing counts before its last commit is there.
    func checkGroups(_ report: ApplyReport, _ replica: Replica) {
        guard let history = world.observer.histories[report.space], let store = replica.store,
            let held = replica.seen.held[report.space]
        else { return }
        let parts = report.stored.filter { commit in
            history.numbers[commit.id].map { history.groupEnd(of: $0, in: held) == nil } ?? false
        }
        guard !parts.isEmpty,
            let counting = try? world.convergence.judgedCommits(of: report.space, store)
        else { return }
        for part in parts where counting.contains(part.id) {
            world.report.fail(
                "past", "\(replica.index) lets \(part.summary) count, a part of a group")
        }
    }

    /// By what honest authors had seen only a log that forked is under suspicion, and asked for once more.
    func checkSuspicions(_ report: ApplyReport, _ replica: Replica) {
        guard !replica.seen.isSpoiled else { return }
        for case .suspected(let log, _) in report.refusals
            .filter({ world.replica(of: $0.log.device)?.isHonest == true }).map(\.reason)
        where world.observer.histories[report.space]?.forks[log] == nil {
            world.report.fail(
                "suspicion", "\(replica.index) suspects \(log.summary), which did not fork")
        }
    }
}

extension World {
    var arrivalCheck: ArrivalCheck { ArrivalCheck(world: self) }
}
