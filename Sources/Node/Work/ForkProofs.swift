internal import Identity
internal import Store
internal import SyncCore
internal import Wire

/// Forked logs: taking proofs in, passing on what others lack, and going on in a new log.
struct ForkProofs: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }
    private var device: DeviceID { work.device }

    init(_ work: EngineWork) { self.work = work }

    func apply(
        _ fork: UnverifiedFork, to space: SpaceID, from session: SessionID
    ) -> EngineWork.Done {
        let log = fork.first.header.log
        guard store.keys[log.device] != nil,
            store.ledger(of: space)?.membership.facts.isKnown(log.device) == true
        else {
            // The commit that brings the device may be on its way.
            return EngineWork.Done(events: [.forkRefused(space, .unknownDevice, from: session)])
        }
        guard let verified = work.verifier.verify(fork, in: space, keys: store.keys) else {
            var done = EngineWork.Done(events: [.forkRefused(space, .invalid, from: session)])
            done.notes.append(.falseProof(log))
            return done
        }
        var done = work.writing("fork not stored") { done in
            var report = try store.log.apply(verified, to: space)
            report.needs = work.spaces.needs(after: report, &done)
            done.events.append(.forkApplied(report, from: session))
            done.merge(follow(report))
            guard report.membershipChanged else { return }
            done.membershipChanged = space
            done.noteStanding(of: space, by: work)
        }
        if done.events.isEmpty { done.events = [.forkRefused(space, .notStored, from: session)] }
        return done
    }

    func load(of space: SpaceID, _ question: ForkQuestion) throws -> LoadedForks {
        let found = try store.log.forks(
            of: space, for: question, byteLimit: Limits.commitBatchBytes)
        return LoadedForks(
            proofs: found.proofs, commits: try found.commits.map { try work.codec.decode($0) },
            headers: found.headers)
    }

    /// Says which logs were found to have forked, and leaves the own one of them.
    func follow(_ report: ApplyReport) -> EngineWork.Done {
        var done = EngineWork.Done()
        for log in report.found.newForks.sorted() {
            done.notes.append(.forked(log, isOwn: log.device == device))
            done.attempt("no new incarnation") { _ in try work.logs.leave(log) }
        }
        return done
    }
}
