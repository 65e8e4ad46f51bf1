/// Forked logs: proofs come before commits, branches go from device to device beside the log.
extension SharedSpace {
    // MARK: Telling

    /// What the peer lacks of forked logs is read when it lists less than is here: when it asks, and
    /// when it has dealt with the batch before. One batch at a time is on its way.
    mutating func loadForks(
        _ forks: ForkReport, isQuestion: Bool, _ own: LocalSpaces
    ) -> [EngineAction] {
        let known = own[space]?.forks ?? [:]
        guard !known.isEmpty,
            isQuestion || forks.branchesAfter != nil || branches.isOwed
        else { return [] }
        guard known.points != forks.points else {
            branches.becameEqual()
            return []
        }
        guard branches.begin(goesOn: forks.branchesAfter != nil) else { return [] }
        return [.loadForks(session, space, branches.question)]
    }

    /// A peer that is no reader, as its grant stands in a branch, learns why from the proof: it holds
    /// that branch itself.
    mutating func tellFork(of log: LogID, _ own: LocalSpaces) -> [EngineAction] {
        guard let known = own[space]?.forks, known[log] != nil else { return [] }
        branches.shown.insert(log)
        let others = known.points.filter { $0.log != log }
        return [.loadForks(session, space, ForkQuestion(listed: others))]
    }

    /// What the peer lacks of forked logs was read.
    mutating func send(_ loaded: LoadedForks, _ own: LocalSpaces) -> [EngineAction] {
        let isHolder = isHeld(own)
        let proofs = loaded.proofs
            .filter { isHolder || branches.shown.contains($0.first.header.log) }
            .map { EngineAction.send(session, .fork(space, $0)) }
        guard isHolder else { return proofs }
        let again = EngineAction.loadForks(session, space, branches.again)
        guard loaded.headers.isEmpty else {
            // It asks on from where they end, and for the commits once it knows the way.
            let headers = EngineAction.send(session, .branchHeaders(space, loaded.headers))
            return proofs + [headers] + (branches.finish() ? [again] : [])
        }
        guard let last = loaded.commits.last else {
            return proofs + (branches.finish() ? [again] : [])
        }
        let isReader = own.mayRead(peer.device, space)
        let whole = loaded.commits.filter { !$0.isWithheld || !isReader }
        guard !whole.isEmpty else {
            // None that it can take, so it will not ask for what comes after them.
            return proofs + [
                .loadForks(session, space, branches.question(after: BranchPlace(last)))
            ]
        }
        let commits = own.outgoing(whole, of: space, to: peer.device)
        return proofs + [.send(session, .commits(space, commits, live: false))]
    }

    /// Whether branches are here that were not compared with this peer yet: the digest does not
    /// tell them apart.
    func owesBranches(_ own: LocalSpaces) -> Bool {
        own[space]?.forks.isEmpty == false && !branches.hasCompared
    }

    // MARK: Hearing

    /// Who lists forks or branches which are not here is worth asking, but not twice for the same.
    mutating func askForForks(_ listed: [ForkPoint], _ own: OwnState) -> [EngineAction] {
        let known = own.spaces[space]?.forks ?? [:]
        let isMore = listed.contains { point in
            guard let mine = known[point.log], mine.sequence <= point.sequence else { return true }
            return !mine.tips.isSuperset(of: point.tips)
        }
        let asked = BranchExchange.Listed(
            here: known.points, byPeer: listed, wanted: own.spaces.wantedHeaders(in: space))
        guard isMore, !asking.awaitsAnswer, branches.lastAsked != asked else { return [] }
        branches.lastAsked = asked
        return askFor(answer: false, own)
    }

    mutating func receive(_ fork: UnverifiedFork, _ own: LocalSpaces) -> [EngineAction] {
        guard let view = own[space] else {
            // It is to be told again once the space is here.
            if own.accepted.contains(space) { asking.reasons.insert(.learnedMore) }
            return []
        }
        let header = fork.first.header
        guard own.mayKnow(peer, space, proof), !view.forks.cuts(header.log, header.sequence)
        else { return [] }
        return [.verifyFork(fork, space, from: session)]
    }

    /// Forgets what lies beyond forks that were found.
    mutating func limit(by report: ApplyReport, isSource: Bool) {
        knowledge.limit(by: report.forks)
        sending.limit(by: report.forks)
        for log in report.found.newForks { rewinds.forget(log) }
        branches.hasCompared = false
        // What did not fit before may fit now; and a peer that listed the fork before was asked for its branches
        // while nothing of them could be taken.
        if isSource || branches.listed(any: report.found.newForks) {
            asking.reasons.insert(.learnedMore)
        }
    }

    // MARK: Suspicion

    /// Notes logs that may have forked, to be asked for again; fails when this peer was asked for
    /// one of them from the start and what it sent proved nothing: it made that up.
    mutating func suspect(
        _ logs: [LogID: UInt64], _ own: LocalSpaces
    ) throws(Misbehaviour) {
        if receiving.unapplied == 0 { rewinds.finish() }
        let here = own[space]?.watermark ?? Watermark()
        guard try rewinds.suspect(logs, knowing: here) else { return }
        asking.reasons.insert(.learnedMore)
    }

    /// The same sequence with another head is a fork, or a lie.
    mutating func suspectHeads(
        _ claimed: Watermark, _ own: OwnState
    ) throws(Misbehaviour) -> [EngineAction] {
        guard let mine = own.spaces[space]?.watermark else { return [] }
        let logs = mine.heads.filter { log, head in
            guard let theirs = claimed.heads[log] else { return false }
            return theirs.sequence == head.sequence && theirs.commit != head.commit
        }.mapValues(\.sequence)
        guard !logs.isEmpty else { return [] }
        try suspect(logs, own.spaces)
        return askWhenDue(own)
    }
}

extension SharedSpaces {
    /// Tells a holder of the space which branches are here now.
    mutating func tellBranches(
        of space: SpaceID, after last: BranchPlace?, _ own: OwnState
    ) -> [EngineAction] {
        step(in: space) {
            $0.isHeld(own.spaces) ? $0.askFor(answer: true, branchesAfter: last, own) : []
        }
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

extension ApplyReport {
    var holding: Asking.Holding {
        Asking.Holding(watermark: watermark, branches: forks.branchCount)
    }
}

extension Sessions {
    /// Follows up what a report says of forks and branches.
    mutating func tookForks(
        _ report: ApplyReport, except source: SessionID?, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        if !report.found.newForks.isEmpty {
            changeEach(in: report.space) {
                $0.limit(by: report, isSource: $0.session == source)
            }
            actions += announce(report.space, &own, at: now)
            let known = own
            actions += each(sharing: report.space) {
                $0.spaces.step(in: report.space) { $0.askWhenDue(known) }
            }
        }
        return actions + askForPins(of: report.space, &own)
            + each(sharing: report.space) { state in
                // The source may have more of them; the others, who may lack these, then ask.
                let last = state.id == source ? report.found.lastBranch : nil
                guard last != nil || report.found.branched > 0 else { return [] }
                return state.spaces.tellBranches(of: report.space, after: last, own)
            }
    }
}
