/// Forked logs: proofs come before commits, branches go from device to device beside the log.
extension Engine {
    mutating func handleFork(_ event: EngineEvent, at now: Instant) -> [EngineAction] {
        switch event {
        case .forkApplied(let report, let source):
            guard !report.after.isEmpty else { return [] }
            take(report.view)
            sessions[source]?.spaces[report.space]?.receiving.lacksProof = false
            let actions = tookForks(report, except: source, at: now)
            return actions + transfers.handle(.blobsNeeded(report.needs), at: now)
                + askWhenDue(report.space, on: source)
        case .forkRefused(_, .invalid, let source): return misbehaved(source)
        case .forkRefused(let space, .unknownDevice, let source):
            sessions[source]?.spaces[space]?.asking.reasons.insert(.learnedMore)
            return []
        case .forkRefused(let space, .notStored, let source):
            sessions[source]?.spaces[space]?.receiving.lacksProof = true
            return []
        case .forksLoaded(let session, let space, let loaded):
            return send(loaded, of: space, on: session)
        default: return []
        }
    }

    // MARK: Telling

    /// What the peer lacks of forked logs is read when it lists less than is here: when it asks, and
    /// when it has dealt with the batch before. One batch at a time is on its way.
    mutating func loadForks(
        _ forks: ForkReport, isQuestion: Bool, of space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        let known = spaces[space]?.forks ?? [:]
        guard !known.isEmpty, var shared = sessions[session]?.spaces[space],
            isQuestion || forks.branchesAfter != nil || shared.branches.isOwed
        else { return [] }
        defer { sessions[session]?.spaces[space] = shared }
        guard known.points != forks.points else {
            shared.branches.becameEqual()
            return []
        }
        guard shared.branches.begin(goesOn: forks.branchesAfter != nil) else { return [] }
        return [.loadForks(session, space, listed: forks.points, after: forks.branchesAfter)]
    }

    /// A peer that is no reader, as its grant stands in a branch, learns why from the proof: it holds
    /// that branch itself.
    mutating func tellFork(
        of log: LogID, in space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let known = spaces[space]?.forks, known[log] != nil else { return [] }
        sessions[session]?.spaces[space]?.branches.shown.insert(log)
        let others = known.points.filter { $0.log != log }
        return [.loadForks(session, space, listed: others, after: nil)]
    }

    private mutating func send(
        _ loaded: LoadedForks, of space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let state = sessions[session], var shared = state.spaces[space] else { return [] }
        let isHolder = isHeld(space, on: session)
        let proofs = loaded.proofs
            .filter { isHolder || shared.branches.shown.contains($0.first.header.log) }
            .map { EngineAction.send(session, .fork(space, $0)) }
        guard isHolder else { return proofs }
        defer { sessions[session]?.spaces[space] = shared }
        let listed = shared.branches.listed
        guard let last = loaded.commits.last else {
            guard shared.branches.finish() else { return proofs }
            return proofs + [.loadForks(session, space, listed: listed, after: nil)]
        }
        let peer = state.peer.device
        let whole = loaded.commits.filter { !$0.isWithheld || !mayRead(peer, space) }
        guard !whole.isEmpty else {
            // None that it can take, so it will not ask for what comes after them.
            return proofs + [.loadForks(session, space, listed: listed, after: BranchPlace(last))]
        }
        let commits = outgoing(whole, of: space, to: peer)
        return proofs + [.send(session, .commits(space, commits, live: false))]
    }

    /// Whether branches are here that were not compared with this peer yet: the digest does not
    /// tell them apart.
    func owesBranches(_ space: SpaceID, on session: SessionID) -> Bool {
        guard spaces[space]?.forks.isEmpty == false else { return false }
        return sessions[session]?.spaces[space]?.branches.hasCompared == false
    }

    // MARK: Hearing

    /// Who lists forks or branches which are not here is worth asking, but not twice for the same.
    mutating func askForForks(
        _ listed: [ForkPoint], of space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        let known = spaces[space]?.forks ?? [:]
        let isMore = listed.contains { point in
            guard let mine = known[point.log], mine.sequence <= point.sequence else { return true }
            return !mine.tips.isSuperset(of: point.tips)
        }
        let asked = BranchExchange.Listed(here: known.points, byPeer: listed)
        guard let shared = sessions[session]?.spaces[space], isMore,
            !shared.asking.awaitsAnswer, shared.branches.lastAsked != asked
        else { return [] }
        sessions[session]?.spaces[space]?.branches.lastAsked = asked
        return askFor(space, on: session, answer: false)
    }

    mutating func receive(
        _ fork: UnverifiedFork, of space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard sessions[session]?.spaces[space] != nil else { return [] }
        guard spaces[space] != nil else {
            // It is to be told again once the space is here.
            if accepted.contains(space) {
                sessions[session]?.spaces[space]?.asking.reasons.insert(.learnedMore)
            }
            return []
        }
        let header = fork.first.header
        guard mayKnow(space, on: session),
            spaces[space]?.forks.cuts(header.log, header.sequence) != true
        else { return [] }
        return [.verifyFork(fork, space, from: session)]
    }

    /// Follows up what a report says of forks and branches.
    mutating func tookForks(
        _ report: ApplyReport, except source: SessionID?, at now: Instant
    ) -> [EngineAction] {
        let space = report.space
        var actions: [EngineAction] = []
        if !report.newForks.isEmpty {
            for session in sessions.keys {
                sessions[session]?.spaces[space]?.limit(by: report.forks, news: report.newForks)
            }
            // What did not fit before may fit now.
            if let source {
                sessions[source]?.spaces[space]?.asking.reasons.insert(.learnedMore)
            }
            actions += announce(space, except: nil, at: now)
        }
        for session in sessions.keys.sorted() where isHeld(space, on: session) {
            // The source may have more of them; the others, who may lack these, then ask.
            let last = session == source ? report.lastBranch : nil
            guard last != nil || report.branched > 0 else { continue }
            actions += askFor(space, on: session, answer: true, branchesAfter: last)
        }
        return actions
    }

    /// Asks when there is a reason to and nothing of the peer waits to be applied.
    mutating func askWhenDue(_ space: SpaceID, on session: SessionID) -> [EngineAction] {
        guard let shared = sessions[session]?.spaces[space], shared.receiving.unapplied == 0,
            !shared.asking.reasons.isEmpty
        else { return [] }
        sessions[session]?.spaces[space]?.asking.reasons.remove(.peerHasMore)
        return askFor(space, on: session, answer: false)
    }

    // MARK: Suspicion

    /// Notes logs that may have forked, to be asked for again; false when this peer was asked for
    /// one of them from the start and what it sent proved nothing: it made that up.
    mutating func suspect(
        _ logs: [LogID: UInt64], in space: SpaceID, on session: SessionID
    ) -> Bool {
        sessions[session]?.spaces[space]?.finishRewinds()
        for (log, sequence) in logs {
            let known = min(sequence, spaces[space]?.watermark.sequence(of: log) ?? 0)
            let rewind = sessions[session]?.spaces[space]?.rewinds[log] ?? Rewind()
            guard let next = rewind.next(at: known) else { return false }
            guard next.phase == .owed else { continue }
            sessions[session]?.spaces[space]?.rewinds[log] = next
            sessions[session]?.spaces[space]?.asking.reasons.insert(.learnedMore)
        }
        return true
    }

    /// The same sequence with another head is a fork, or a lie.
    mutating func suspectHeads(
        _ claimed: Watermark, of space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let mine = spaces[space]?.watermark else { return [] }
        var logs: [LogID: UInt64] = [:]
        for (log, head) in mine.heads {
            guard let theirs = claimed.heads[log], theirs.sequence == head.sequence,
                theirs.commit != head.commit
            else { continue }
            logs[log] = head.sequence
        }
        guard !logs.isEmpty else { return [] }
        guard suspect(logs, in: space, on: session) else { return misbehaved(session) }
        return askWhenDue(space, on: session)
    }

    /// What this peer is asked for again.
    mutating func rewinds(
        of space: SpaceID, on session: SessionID, isQuestion: Bool
    ) -> [LogAgain] {
        let pending = (sessions[session]?.spaces[space]?.rewinds ?? [:]).filter {
            $0.value.phase != .done
        }
        let suspected = pending.sorted { $0.key < $1.key }.map { log, rewind in
            if isQuestion, rewind.phase == .owed {
                sessions[session]?.spaces[space]?.rewinds[log]?.phase = .asked
            }
            return LogAgain(log: log, after: rewind.after)
        }
        guard isQuestion else { return suspected }
        return suspected
            + partsAgain(of: space, on: session).filter { pending[$0.log] == nil }
    }
}

extension Watermark {
    /// With logs that a peer calls forked, of which it keeps as a branch all that is known here, where they
    /// are not forked yet: it is not to be sent that again.
    func adding(_ points: [ForkPoint], knownFrom view: SpaceView) -> Watermark {
        var result = self
        for point in points where view.forks[point.log] == nil {
            guard let head = view.watermark.heads[point.log], point.tips.contains(head.commit)
            else { continue }
            result.advance(point.log, to: head)
        }
        return result
    }
}

/// Why a proof of a fork was not taken.
package enum ForkRefusal: Sendable {
    case invalid
    /// Its device may come with commits that are on their way.
    case unknownDevice
    /// This device failed to: its disk is full, for one.
    case notStored
}

extension ApplyReport {
    var view: SpaceView {
        SpaceView(
            space: space, role: role, watermark: after, membership: membership, forks: forks,
            sealing: sealing)
    }

    var holding: Asking.Holding {
        Asking.Holding(watermark: after, branches: forks.branchCount)
    }
}
