internal import Identity
internal import Store
internal import SyncCore
internal import Wire

/// Forked logs: taking proofs in, passing on what others lack, and going on in a new log.
extension EngineWork {
    func apply(
        _ fork: UnverifiedFork, to space: SpaceID, from session: SessionID
    ) -> Done {
        let log = fork.first.header.log
        guard store.keys[log.device] != nil,
            store.ledger(of: space)?.membership.isKnown(log.device) == true
        else {
            // The commit that brings the device may be on its way.
            return Done(events: [.forkRefused(space, .unknownDevice, from: session)])
        }
        guard let verified = verifier.verify(fork, in: space, keys: store.keys) else {
            var done = Done(events: [.forkRefused(space, .invalid, from: session)])
            done.notes.append(.falseProof(log))
            return done
        }
        var done = writing("fork not stored") { done in
            let outcome = try store.log.apply(verified, to: space)
            let needs = needs(after: outcome, &done)
            let report = report(outcome, commits: [], needs: needs)
            done.events.append(.forkApplied(report, from: session))
            done.merge(follow(outcome))
            guard outcome.membershipChanged else { return }
            done.membershipChanged = space
            done.attempt("standing not noted") { _ in try updateStanding(of: space) }
        }
        if done.events.isEmpty { done.events = [.forkRefused(space, .notStored, from: session)] }
        return done
    }

    func forks(of space: SpaceID, _ question: ForkQuestion) throws -> LoadedForks {
        let found = try store.log.forks(
            of: space, for: question, byteLimit: Limits.commitBatchBytes)
        return LoadedForks(
            proofs: found.proofs, commits: try found.commits.map { try codec.decode($0) },
            headers: found.headers)
    }

    /// Says which logs were found to have forked, and leaves the own one of them.
    func follow(_ outcome: ApplyOutcome) -> Done {
        var done = Done()
        for log in outcome.newForks.sorted() {
            done.notes.append(.forked(log, isOwn: log.device == device))
            done.attempt("no new incarnation") { _ in try leave(log) }
        }
        return done
    }

    /// The log this device writes to in a space: never one that forked there, nor one that has few
    /// facts left, so that a flood of key requests cannot stop this device from removing people.
    func ownLog(in space: SpaceID) throws -> LogID {
        let log = LogID(device: device, incarnation: try store.incarnation())
        guard let ledger = store.ledger(of: space) else { return log }
        let logs = ledger.watermark.heads.keys.count { $0.device == device }
        let facts = ledger.membership.facts(in: log)
        let bytes =
            ledger.membership.permissions(of: device).contains(.write)
            ? Int.max : Limits.readerFactBytes * 3 / 4
        let isFull =
            (facts.count >= Limits.factsBeforeNewLog || facts.bytes >= bytes)
            && logs < Limits.logsPerDevice / 2
        guard isFull || ledger.forks[log] != nil else { return log }
        try leave(log)
        return LogID(device: device, incarnation: try store.incarnation())
    }

    /// Goes on in a new incarnation.
    private func leave(_ log: LogID) throws {
        guard log.device == device, try store.incarnation() == log.incarnation else { return }
        var random = random
        _ = try store.startNewIncarnation(random: &random)
    }
}

extension Limits {
    /// Facts of a log after which its device begins another one: an eighth of them is left for what has
    /// to stand in the same log.
    package static let factsBeforeNewLog = factsPerLog - 2 * factsForRights
}
