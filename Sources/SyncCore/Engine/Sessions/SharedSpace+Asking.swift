/// What a peer is asked for: by this device's watermark, which it answers with its own.
extension SharedSpace {
    /// Sends this device's watermark of a space: the peer sends what lies beyond it.
    ///
    /// To a peer that may not read it as far as is known here, the watermark holds only what that
    /// peer sent itself: it learns nothing, and its commits may carry the grant that was not known.
    mutating func askFor(
        answer: Bool, branchesAfter: BranchPlace? = nil, _ own: OwnState
    ) -> [EngineAction] {
        if !answer { asking.ask() }
        var known = own.spaces[space]?.watermark ?? Watermark()
        var points = own.spaces[space]?.forks.points ?? []
        if !isHeld(own.spaces) {
            known = known.limited(to: knowledge.received)
            points = []
        }
        let wanted = isHeld(own.spaces) ? own.spaces.wantedHeaders(in: space) : []
        branches.asked = wanted
        asking.toldLater = knowledge.told(
            own.spaces.later(in: space), mayReadAll: isHeld(own.spaces))
        let forks = ForkReport(
            points: points, again: again(isQuestion: !answer, own.spaces),
            branchesAfter: branchesAfter,
            later: Array(asking.toldLater.sorted().prefix(Limits.listEntries)), wanted: wanted)
        return [.send(session, .watermark(space, known, forks: forks, answer: answer))]
    }

    /// Asks for what the peer holds more, unless batches that may be just that are still coming.
    mutating func compare(_ own: OwnState, at now: Instant) -> [EngineAction] {
        endDelivery(at: now)
        guard asking.delivery == nil else {
            asking.reasons.insert(.listedMore)
            return []
        }
        guard receiving.unapplied == 0, !asking.awaitsAnswer else {
            asking.reasons.insert(.peerHasMore)
            return []
        }
        return askFor(answer: false, own)
    }

    /// Asks when there is a reason to and nothing of the peer waits to be applied.
    mutating func askWhenDue(_ own: OwnState) -> [EngineAction] {
        guard receiving.unapplied == 0, asking.isDue else { return [] }
        asking.reasons.remove(.peerHasMore)
        return askFor(answer: false, own)
    }

    /// Waits no longer for a peer of which nothing comes any more, and of which nothing is to be applied.
    private mutating func endDelivery(at now: Instant) {
        if receiving.unapplied == 0 { asking.endDelivery(at: now.monotonic) }
    }

    /// When a peer is asked of which nothing comes any more; nil where it is not to be asked.
    var deliveryDue: UInt64? {
        let isAwaited = receiving.unapplied == 0 && asking.reasons.contains(.listedMore)
        return isAwaited ? asking.delivery?.due : nil
    }

    /// Asks what the peer listed during a delivery that is over.
    fileprivate mutating func askAfterDelivery(_ own: OwnState, at now: Instant) -> [EngineAction] {
        endDelivery(at: now)
        guard asking.delivery == nil, asking.reasons.contains(.listedMore) else { return [] }
        guard own.spaces[space] != nil || own.spaces.accepted.contains(space) else {
            asking.reasons.remove(.listedMore)
            return []
        }
        return askWhenDue(own)
    }

    /// What this peer is asked for again: logs that may have forked, and commits of which a part is
    /// missing.
    private mutating func again(isQuestion: Bool, _ own: LocalSpaces) -> [LogAgain] {
        let suspected = rewinds.ask(isQuestion: isQuestion)
        let pending = Set(suspected.map(\.log))
        let lacked = own.parts(of: space, lackingFrom: peer.device)
        if isQuestion { asking.askForParts(lacked) }
        // In answers, too: what a watermark does not ask for is not sent any more.
        let parts = lacked.filter { !pending.contains($0.key) }.sorted { $0.key < $1.key }
        return suspected + parts.map { LogAgain(log: $0.key, after: $0.value - 1) }
    }

    // MARK: Hearing

    /// The peer said what it holds, and what it wants again all the same: sending starts again. Returns
    /// the part of its holdings that can be compared.
    mutating func hear(
        _ claimed: Watermark, _ forks: ForkReport, isAnswer: Bool, _ view: SpaceView
    ) -> Watermark {
        let watermark = claimed.limited(by: view.forks).adding(forks.points, knownFrom: view)
        asking.compared()
        if isAnswer {
            rewinds.noteAnswer(
                claimed, forks.points, sent: knowledge.received, knowing: view.forks)
        }
        branches.hear(forks)
        knowledge.receive(
            watermark, claimed: claimed, again: forks.again, later: forks.later)
        late.clear()
        sending.restart(hasMore: remote?.covers(view.watermark) != true)
        return watermark
    }

    /// An answer makes the peer begin again with a full window. While many of its batches wait to be applied, more and more
    /// would be on their way: then this device asks in its turn once all are applied, which says as much.
    private mutating func answer(_ own: OwnState) -> [EngineAction] {
        guard receiving.unapplied < Limits.commitBatchesWaiting else {
            asking.reasons.insert(.learnedMore)
            return []
        }
        return askFor(answer: true, own)
    }

    /// Answers the peer's watermark: with this device's, and with what it lacks.
    mutating func answer(
        _ claimed: Watermark, _ forks: ForkReport, isAnswer: Bool, _ own: OwnState
    ) throws(Misbehaviour) -> [EngineAction] {
        var actions = try suspectHeads(claimed, own)
        if !isAnswer { actions += answer(own) }
        actions += askForForks(forks.points, own)
        actions += loadForks(forks, isQuestion: !isAnswer, own.spaces)
        return actions + loadNext()
    }
}

extension SharedSpaces {
    mutating func askAfterDeliveries(_ own: OwnState, at now: Instant) -> [EngineAction] {
        each { $0.askAfterDelivery(own, at: now) }
    }

    /// The same of one space, as something came of it from somebody.
    mutating func askAfterDelivery(
        of space: SpaceID, _ own: OwnState, at now: Instant
    ) -> [EngineAction] {
        step(in: space) { $0.askAfterDelivery(own, at: now) }
    }
}
