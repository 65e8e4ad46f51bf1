/// Commits on their way between this device and one peer.
extension SharedSpace {
    // MARK: Sending

    /// Commits to be sent, and what is to be read after them.
    struct Outgoing {
        var commits: [UnverifiedCommit] = []
        var next: [EngineAction] = []
    }

    /// Asks the store for the next batch when the window of unacknowledged batches has room.
    mutating func loadNext() -> [EngineAction] {
        guard let remote, let place = sending.beginReading() else { return [] }
        return [.load(session, space, beyond: remote.without(knowledge.later), after: place)]
    }

    /// A batch was read.
    mutating func send(
        _ loaded: LoadedCommits, _ own: LocalSpaces, at now: Instant
    ) -> Outgoing {
        guard sending.isReading else { return Outgoing() }
        guard isHeld(own), remote != nil else {
            sending.stop()
            return Outgoing()
        }
        guard sending.finishReading(loaded) else { return Outgoing(next: loadNext()) }
        let passable = own.passable(
            loaded.commits, of: space, to: peer.device, holding: expected,
            again: knowledge.askedAgain)
        let fresh = own.outgoing(
            chosen(from: passable, at: now.monotonic), of: space, to: peer.device)
        if !fresh.isEmpty { sending.send(fresh) }
        return Outgoing(commits: fresh, next: loadNext())
    }

    /// What a push delivered meanwhile is not sent again; nor is, as long as that is waited for, what
    /// somebody else brings and what builds on it.
    private mutating func chosen(
        from loaded: [UnverifiedCommit], at now: UInt64
    ) -> [UnverifiedCommit] {
        let expected = expected
        return loaded.filter { commit in
            let (log, sequence) = (commit.header.log, commit.header.sequence)
            guard !expected.covers(log, sequence), !knowledge.later.contains(log) else {
                return false
            }
            guard !late.isEmpty else { return true }
            let missing = commit.header.seen.filter {
                !expected.covers($0.log, $0.head.sequence)
            }
            let dues = ([log] + missing.map(\.log)).compactMap { late.due(of: $0, after: now) }
            guard let due = dues.max() else { return true }
            late.add(log, through: sequence, due: due)
            return false
        }
    }

    // MARK: Receiving

    mutating func receive(
        _ commits: [UnverifiedCommit], _ own: LocalSpaces
    ) throws(Misbehaviour) -> [EngineAction] {
        receiving.unapplied += 1
        guard receiving.unapplied <= Limits.commitBatchesUnapplied else { throw Misbehaviour() }
        knowledge.noteSender(of: commits, knowing: own[space]?.forks ?? [:])
        for commit in commits { rewinds.noteDelivery(of: commit.header) }
        let kept = own.storable(commits, of: space, from: peer.device)
        // Also when nothing is left of it: the batches before it come first.
        return [.verify(session, space, kept, pinned: own.leadingToPins(kept, in: space))]
    }

    /// A batch of the peer was applied: what it lacked is asked for.
    mutating func applied(
        _ report: ApplyReport, _ own: OwnState, at now: Instant
    ) throws(Misbehaviour) -> [EngineAction] {
        let lacksPast = report.isRefused(for: .causalPastMissing)
        if lacksPast { receiving.noteGap(at: now.monotonic) }
        receiving.finishBatch()
        try suspect(report.found.suspected, own.spaces)
        // A commit that did not fit will not fit now either: ask again only after progress.
        // The batches behind this one lack the same, so they come first.
        let lacksSomething = lacksPast || report.verdict == .keysMissing
        let isNeeded = report.isRefused(for: .causalPastNeeded)
        if isNeeded || lacksSomething && asking.lastAsked != report.holding {
            asking.lastAsked = report.holding
            asking.reasons.insert(.peerHasMore)
        }
        guard receiving.unapplied == 0 else { return [] }
        asking.prolongDelivery(at: now.monotonic)
        let told = tellNewFork(of: report, own)
        guard !asking.isDue else { return told + askWhenDue(own) }
        // It would send these over and over, and nothing behind them.
        let later = knowledge.told(own.spaces.later(in: space), mayReadAll: isHeld(own.spaces))
        guard later.isSubset(of: asking.toldLater) else {
            return told + askFor(answer: true, own)
        }
        guard !report.watermark.isEmpty, !isHeld(own.spaces),
            asking.isNews(report.holding, received: knowledge.received), told.isEmpty
        else { return told }
        // One who gets no ack has to hear in another way that its window is free; or, where it sends
        // what does not count, why.
        return report.found.lastBranch.map { tellFork(of: $0.log, own.spaces) }
            ?? askFor(answer: true, own)
    }

    /// Tells a peer once why what it sends does not count, whatever else there is to ask: a commit that came live
    /// may have been the last news.
    private mutating func tellNewFork(of report: ApplyReport, _ own: OwnState) -> [EngineAction] {
        guard let log = report.found.lastBranch?.log, !isHeld(own.spaces),
            !branches.shown.contains(log)
        else { return [] }
        return tellFork(of: log, own.spaces)
    }

    /// Nothing lacks any more that the peer sent, or said it holds.
    mutating func closeGap(holding here: Watermark) {
        asking.endDelivery(holding: here)
        if receiving.gapSince != nil, here.covers(knowledge.received) { receiving.closeGap() }
    }

    // MARK: Acks

    /// The peer said what it holds.
    mutating func acknowledged(_ watermark: Watermark, _ own: LocalSpaces) {
        sending.acknowledge(watermark)
        knowledge.acknowledge(
            watermark, ofLogsIn: own[space]?.watermark ?? Watermark(),
            knowing: own[space]?.forks ?? [:])
        if let remote { late.settle(remote) }
    }
}

extension SharedSpaces {
    /// Asks once this device turns out to read a space for the parts of commits that are missing here.
    mutating func askForParts(of space: SpaceID, _ own: OwnState) -> [EngineAction] {
        step(in: space) { shared in
            guard shared.lacksParts(own.spaces) else { return [] }
            shared.asking.reasons.insert(.learnedMore)
            return shared.askWhenDue(own)
        }
    }
}

extension SessionState {
    /// A batch was read that the peer lacks.
    mutating func send(
        _ loaded: LoadedCommits, of space: SpaceID, _ own: LocalSpaces, at now: Instant
    ) -> [EngineAction] {
        let outgoing = spaces.change(space) { $0.send(loaded, own, at: now) }
        return outgoing.map { send($0, of: space, live: false, at: now) } ?? []
    }

    mutating func send(
        _ outgoing: SharedSpace.Outgoing, of space: SpaceID, live: Bool, at now: Instant
    ) -> [EngineAction] {
        guard !outgoing.commits.isEmpty else { return outgoing.next }
        silence.sent(at: now)
        return [.send(id, .commits(space, outgoing.commits, live: live))] + outgoing.next
    }
}
