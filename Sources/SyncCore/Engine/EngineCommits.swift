/// Commits and acks on their way between this device and its peers.
extension Engine {
    mutating func receive(
        _ claimed: Watermark, _ forks: ForkReport, of space: SpaceID, isAnswer: Bool,
        on session: SessionID
    ) -> [EngineAction] {
        // Also for a space that is still to come: its commits follow.
        sessions[session]?.spaces[space]?.asking.heardWatermark()
        guard let state = sessions[session], let view = spaces[space],
            mayHold(state.peer.device, space)
        else { return [] }
        let watermark = claimed.limited(by: view.forks).adding(forks.points, knownFrom: view)
        var shared = state.spaces[space] ?? SharedSpace()
        shared.asking.reasons.remove(.peerHasMore)
        if isAnswer { shared.noteAnswer(claimed, forks.points, knowing: view.forks) }
        shared.branches.hasCompared = true
        shared.branches.listed = forks.points
        shared.take(watermark, again: forks.again, holdingHere: view.watermark)
        sessions[session]?.spaces[space] = shared
        let ahead = watermark.heads.keys.filter { log in
            log.device == device && watermark.sequence(of: log) > view.watermark.sequence(of: log)
        }
        // No device has more, and each claim is looked into once.
        guard ahead.count <= Limits.logsPerDevice else { return misbehaved(session) }
        let room = max(0, Limits.logsPerDevice - state.claimedLogs.count)
        let claims = ahead.filter { !state.claimedLogs.contains($0) }.sorted().prefix(room)
        sessions[session]?.claimedLogs.formUnion(claims)
        var actions = claims.map { EngineAction.ownLogAhead($0) }
        actions += suspectHeads(claimed, of: space, on: session)
        guard sessions[session] != nil else { return actions }
        if !isAnswer { actions += askFor(space, on: session, answer: true) }
        actions += askForForks(forks.points, of: space, on: session)
        actions += loadForks(forks, isQuestion: !isAnswer, of: space, on: session)
        actions += loadNext(space, on: session)
        return actions
    }

    /// Asks the store for the next batch when the window of unacknowledged batches has room.
    mutating func loadNext(
        _ space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let remote = sessions[session]?.spaces[space]?.remote,
            let place = sessions[session]?.spaces[space]?.sending.beginReading()
        else { return [] }
        return [.load(session, space, beyond: remote, after: place)]
    }

    mutating func send(
        _ loaded: LoadedCommits, of space: SpaceID, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard let state = sessions[session], var shared = state.spaces[space],
            shared.sending.isReading
        else { return [] }
        guard mayHold(state.peer.device, space), shared.remote != nil else {
            sessions[session]?.spaces[space]?.sending.stop()
            return []
        }
        guard shared.sending.finishReading(loaded) else {
            sessions[session]?.spaces[space] = shared
            return loadNext(space, on: session)
        }
        let peer = state.peer.device
        let passable = passable(
            loaded.commits, of: space, to: peer, holding: shared.expected,
            again: shared.peer.askedAgain)
        let fresh = outgoing(
            shared.chosen(from: passable, at: now.monotonic), of: space, to: peer)
        if !fresh.isEmpty {
            shared.sending.send(fresh)
            noteSent(on: session, at: now)
        }
        sessions[session]?.spaces[space] = shared
        let message: [EngineAction] =
            fresh.isEmpty ? [] : [.send(session, .commits(space, fresh, live: false))]
        return message + loadNext(space, on: session)
    }

    mutating func receive(
        _ commits: [UnverifiedCommit], of space: SpaceID, live: Bool, on session: SessionID
    ) -> [EngineAction] {
        guard mayKnow(space, on: session) || accepted.contains(space) else { return [] }
        guard !commits.isEmpty, commits.allSatisfy({ $0.space == space }) else {
            return misbehaved(session)
        }
        var shared = sessions[session]?.spaces[space] ?? SharedSpace()
        shared.receiving.unapplied += 1
        guard shared.receiving.unapplied <= Limits.commitBatchesUnapplied else {
            return misbehaved(session)
        }
        shared.peer.noteSender(of: commits, knowing: spaces[space]?.forks ?? [:])
        for commit in commits { shared.noteDelivery(of: commit.header) }
        sessions[session]?.spaces[space] = shared
        return [.verify(session, space, takeable(commits, of: space))]
    }

    mutating func verified(
        _ commits: [VerifiedCommit], _ verdict: BatchVerdict, space: SpaceID,
        from session: SessionID
    ) -> [EngineAction] {
        if verdict == .keysMissing { sessions[session]?.spaces[space]?.receiving.lacksKeys = true }
        var actions: [EngineAction] = []
        if commits.isEmpty && verdict == .broken {
            sessions[session]?.spaces[space]?.receiving.finishBatch()
        } else {
            // Also when nothing is left of it: the batches before it come first.
            actions.append(.apply(space, commits, from: session))
        }
        if verdict == .broken { actions += misbehaved(session) }
        return actions
    }

    mutating func applied(
        _ report: ApplyReport, from source: SessionID?, at now: Instant
    ) -> [EngineAction] {
        let space = report.space
        var actions: [EngineAction] = []
        if !report.after.isEmpty {
            // Otherwise not even a genesis came, and the space is still not here.
            accepted.remove(space)
            let revision = spaces[space]?.membership.revision
            take(report.view)
            if revision != report.membership.revision {
                reachChanged(at: now)
                actions += askForParts(of: space)
            }
            if !report.stored.isEmpty { noteChange(of: space, at: now) }
            actions += tookForks(report, except: source, at: now)
        }
        actions += transfers.handle(.blobsNeeded(report.needs), at: now)
        if report.stored.contains(where: { !$0.clear.blobs.isEmpty }) {
            fileReports.needed([space])
            actions += dueReports(at: now)
        }
        closeGaps(in: space)
        if let source {
            if report.refusals.contains(.causalPastMissing) {
                sessions[source]?.spaces[space]?.receiving.noteGap(at: now.monotonic)
            }
            actions += appliedFromPeer(report, from: source)
        }
        if let source, !report.after.isEmpty, !report.stored.isEmpty || isHeld(space, on: source) {
            // Also when everything was known already: the sender's window waits for it.
            // What an author brings itself nobody else brings soon.
            let far = Set(report.stored.map(\.header.log.device))
                .subtracting(connectedDevices.union([device]))
            let next = far.flatMap { nextToBring(from: $0, in: space) }
            actions += acknowledge(space, to: Set(next).union([source]), at: now)
        }
        guard !report.stored.isEmpty else { return actions }
        return actions + spread(report, except: source, at: now)
    }

    /// Reports of local and of received commits, and views of a space that is opened anew, may come
    /// in another order than they were stored: what is known does not go back.
    @discardableResult
    mutating func take(_ view: SpaceView) -> SpaceView {
        var known = spaces[view.space] ?? view
        // One that comes late, of before, does not know what was stored since.
        if view.watermark.covers(known.watermark) { known.sealing = view.sealing }
        known.forks.merge(view.forks)
        // Of a log that forked meanwhile, the older one still has a branch.
        known.watermark = known.watermark.limited(by: known.forks)
        for (log, head) in view.watermark.heads where !known.forks.cuts(log, head.sequence) {
            if known.forks[log] != nil, known.watermark.sequence(of: log) == head.sequence {
                known.watermark.cut(log, to: head)
            }
            known.watermark.advance(log, to: head)
        }
        if view.membership.revision > known.membership.revision {
            transfers.permissionsChanged(in: view.space)
        }
        if view.membership.revision >= known.membership.revision {
            known.membership = view.membership
        }
        spaces[view.space] = known
        return known
    }

    private mutating func appliedFromPeer(
        _ report: ApplyReport, from source: SessionID
    ) -> [EngineAction] {
        let space = report.space
        sessions[source]?.spaces[space]?.receiving.finishBatch()
        if report.refusals.contains(where: \.isMisbehaviour) { return misbehaved(source) }
        guard suspect(report.suspected, in: space, on: source) else { return misbehaved(source) }
        // What did not fit once does not fit better at once: only progress is worth asking anew.
        // The batches behind this one lack the same, so they come first.
        let lacksKeys = sessions[source]?.spaces[space]?.receiving.lacksKeys ?? false
        sessions[source]?.spaces[space]?.receiving.lacksKeys = false
        if lacksKeys || report.refusals.contains(.causalPastMissing),
            sessions[source]?.spaces[space]?.asking.lastAsked != report.holding
        {
            sessions[source]?.spaces[space]?.asking.lastAsked = report.holding
            sessions[source]?.spaces[space]?.asking.reasons.insert(.peerHasMore)
        }
        guard let shared = sessions[source]?.spaces[space], shared.receiving.unapplied == 0 else {
            return []
        }
        guard shared.asking.reasons.isEmpty else { return askWhenDue(space, on: source) }
        guard !report.after.isEmpty, !isHeld(space, on: source) else { return [] }
        // One who gets no ack has to hear in another way that its window is free; or, where it sends
        // what was quarantined, why.
        return report.lastBranch.map { tellFork(of: $0.log, in: space, on: source) }
            ?? askFor(space, on: source, answer: true)
    }

    /// Whether the peer of a session may have a space, to read it or to carry it, by what is known here.
    func isHeld(_ space: SpaceID, on session: SessionID) -> Bool {
        sessions[session].map { mayHold($0.peer.device, space) } ?? false
    }
}
