/// What happens because time has passed.
extension Engine {
    /// Milliseconds until a tick is wanted, nil when nothing waits for time.
    package func nextTick(at now: Instant) -> UInt64? {
        var deadlines = sessions.values.compactMap(nextDeadline(of:))
        deadlines += [transfers.nextDeadline, reachDue, unstored.due, seekingDue]
            .compactMap(\.self)
        deadlines += walks.values.map(\.due)
        if let due = fileReports.nextDeadline { deadlines.append(due) }
        return deadlines.min().map { $0 > now.monotonic ? $0 - now.monotonic : 0 }
    }

    private func nextDeadline(of state: SessionState) -> UInt64? {
        var deadlines: [UInt64] = []
        if let due = state.answerDue {
            deadlines.append(due)
        } else {
            deadlines += [state.keepAliveDue, state.secondLookDue]
            if let since = state.awaitedSince {
                deadlines.append(since + Limits.answerMilliseconds)
            }
        }
        if let since = state.changedSince {
            deadlines.append(since + Limits.pullIntervalMilliseconds)
        }
        if !state.dueAnnouncements.isEmpty {
            deadlines.append(state.lastAnnouncement + Limits.announceIntervalMilliseconds)
        }
        for (space, shared) in state.spaces {
            let said = shared.statements
            deadlines += [shared.late.next, said.relaysDue, said.sumDue].compactMap(\.self)
            if let due = said.ownAckDue, ownAcks[space]?.isSigning != true {
                deadlines.append(due)
            }
        }
        return deadlines.min()
    }

    mutating func tick(at now: Instant) -> [EngineAction] {
        var actions = tellReach(at: now)
        for session in sessions.keys.sorted() {
            guard let state = sessions[session] else { continue }
            if let due = state.answerDue, now.monotonic >= due {
                sessions[session] = nil
                actions.append(.close(session, .silent))
                continue
            }
            actions += checkEquality(on: session, at: now)
            actions += keepAlive(on: session, at: now)
            actions += checkLate(on: session, at: now)
            actions += flushStatements(on: session, at: now)
            actions += flushAnnouncements(on: session, at: now)
        }
        if let due = unstored.due, now.monotonic >= due { actions += unstoredStatements(at: now) }
        return actions + askForStatements(at: now) + dueReports(at: now) + seekFiles(at: now)
    }

    // MARK: Comparing

    /// Something of a space changed here: those who share it are compared with when they had time to
    /// get it.
    mutating func noteChange(of space: SpaceID, at now: Instant) {
        for session in sessions.keys where sessions[session]?.spaces[space] != nil {
            noteChange(on: session, at: now)
        }
    }

    mutating func noteChange(on session: SessionID, at now: Instant) {
        let since = sessions[session]?.changedSince ?? now.monotonic
        sessions[session]?.changedSince = since
    }

    /// The safety net: both sides compare what they hold when something changed a while ago and
    /// their acks do not say that it has arrived.
    private mutating func checkEquality(
        on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard let since = sessions[session]?.changedSince,
            now.monotonic >= since + Limits.pullIntervalMilliseconds
        else { return [] }
        guard isKnownEqual(session) else { return pull(on: session, at: now) }
        sessions[session]?.changedSince = nil
        return sessions[session].map { [.inSync($0.peer.device)] } ?? []
    }

    /// Whether nothing of what both hold is missing on either side, by what the peer said last.
    func isKnownEqual(_ session: SessionID) -> Bool {
        guard let state = sessions[session], state.hasListed, state.isAnswered else {
            return false
        }
        let peer = state.peer.device
        return state.spaces.allSatisfy { space, shared in
            guard let view = spaces[space] else { return !accepted.contains(space) }
            guard mayHold(peer, space) else { return true }
            guard !lacksParts(of: space, on: session) else { return false }
            guard var remote = shared.remote, !shared.sending.isUnderWay,
                !shared.asking.awaitsAnswer, shared.asking.reasons.isEmpty,
                view.forks.isEmpty || shared.equalDigest == view.digest
            else { return false }
            // Whatever a device wrote it holds, also before it says so.
            for (log, head) in view.watermark.heads where log.device == peer {
                remote.advance(log, to: head)
            }
            return remote.covers(view.watermark) && view.watermark.covers(remote)
        }
    }

    // MARK: Quiet connections

    /// A connection on which nothing came for long is asked whether it stands: by the side that
    /// dialled, and much later by the other.
    private mutating func keepAlive(on session: SessionID, at now: Instant) -> [EngineAction] {
        guard let state = sessions[session], state.answerDue == nil else { return [] }
        let isAwaited = state.awaitedSince.map {
            now.monotonic >= $0 + Limits.answerMilliseconds
        }
        guard isAwaited == true || now.monotonic >= min(state.keepAliveDue, state.secondLookDue)
        else { return [] }
        return ask(session, at: now)
    }

    /// Somebody wants to know who is there: each peer that has said nothing for a moment is asked, unless
    /// it has something to answer already.
    mutating func askQuietPeers(at now: Instant) -> [EngineAction] {
        sessions.keys.sorted().flatMap { session -> [EngineAction] in
            guard let state = sessions[session], state.answerDue == nil,
                state.awaitedSince == nil,
                now.monotonic >= state.lastHeard + Limits.quietMilliseconds
            else { return [] }
            return ask(session, at: now)
        }
    }

    /// For how many milliseconds a peer has passed on commits and left out what comes before them; 0 when
    /// all that it sent is here.
    package func gap(on session: SessionID, at now: Instant) -> UInt64 {
        let since = sessions[session]?.spaces.compactMap { $0.value.receiving.gapSince }.min()
        return now.monotonic - min(since ?? now.monotonic, now.monotonic)
    }

    /// Of whoever sent nothing of a space that is not here by now.
    mutating func closeGaps(in space: SpaceID) {
        guard let here = spaces[space]?.watermark else { return }
        for (id, session) in sessions {
            guard let shared = session.spaces[space], shared.receiving.gapSince != nil,
                here.covers(shared.peer.received)
            else { continue }
            sessions[id]?.spaces[space]?.receiving.closeGap()
        }
    }

    /// For how many milliseconds something that a peer was sent has no answer; 0 when nothing waits.
    package func waiting(on session: SessionID, at now: Instant) -> UInt64 {
        guard let state = sessions[session] else { return 0 }
        let asked = state.answerDue.map { $0 - min($0, Limits.answerMilliseconds) }
        let since = [state.awaitedSince, asked].compactMap(\.self).min() ?? now.monotonic
        return now.monotonic - min(since, now.monotonic)
    }

    /// Asks with one digest, where that says all there is to compare.
    private mutating func ask(_ session: SessionID, at now: Instant) -> [EngineAction] {
        guard let state = sessions[session] else { return [] }
        let isOffering = spaces.keys.contains {
            state.spaces[$0] == nil && mayHold(state.peer.device, $0)
        }
        guard state.peer.tellsReach, state.hasListed, !isOffering else {
            sessions[session]?.statementsDifferSince = nil
            return pull(on: session, at: now)
        }
        sessions[session]?.answerDue = now.monotonic + Limits.answerMilliseconds
        return [.send(session, .comparison(comparison(on: session, answer: false)))]
    }

    private mutating func comparison(on session: SessionID, answer: Bool) -> Comparison {
        var message: [UInt8] = []
        var statements: UInt64 = 0
        if let state = sessions[session] {
            for space in state.spaces.keys.sorted() where mayHold(state.peer.device, space) {
                guard let view = spaces[space] else { continue }
                message += space.bytes + view.digest.bytes
                statements &+= statementSum(of: space)
            }
        }
        return Comparison(
            digest: Label.comparison.hash(message), statements: statements, answer: answer)
    }

    mutating func receive(
        _ theirs: Comparison, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard let state = sessions[session], state.peer.tellsReach else { return [] }
        let mine = comparison(on: session, answer: true)
        let answer = theirs.answer ? [] : [EngineAction.send(session, .comparison(mine))]
        let isEqual = mine.digest == theirs.digest
        if isEqual {
            becameEqual(on: session)
        } else {
            // Changes may be on their way, and most often are: lists are compared when they had time.
            let since = now.monotonic - min(now.monotonic, Limits.pullIntervalMilliseconds)
            let due = since + Limits.settlingMilliseconds
            sessions[session]?.changedSince = min(state.changedSince ?? due, due)
        }
        // While one side cannot open a space the digests differ for good: then acks alone say that no
        // change is on its way, and nothing says which statement got lost.
        let differ = isEqual ? mine.statements != theirs.statements : isKnownEqual(session)
        let since = differ ? state.statementsDifferSince ?? now.monotonic : nil
        let isLost = since.map { now.monotonic >= $0 + Limits.settlingMilliseconds } ?? false
        sessions[session]?.statementsDifferSince = isLost ? nil : since
        let again = answer + (isLost ? tellAgain(on: session) : [])
        guard isEqual else { return again }
        return again + flushAnnouncements(on: session, at: now) + [.inSync(state.peer.device)]
    }

    private mutating func becameEqual(on session: SessionID) {
        guard let state = sessions[session] else { return }
        for (space, shared) in state.spaces where mayHold(state.peer.device, space) {
            guard let view = spaces[space], !owesBranches(space, on: session),
                !lacksParts(of: space, on: session)
            else { continue }
            var shared = shared
            shared.becameEqual(view)
            sessions[session]?.spaces[space] = shared
        }
    }

    /// A statement got lost, as one does that comes when the peer's disk is full: own ones are said
    /// again, those of others compared.
    private mutating func tellAgain(on session: SessionID) -> [EngineAction] {
        let shared = sessions[session]?.spaces.keys.filter { spaces[$0] != nil } ?? []
        sessions[session]?.dueAnnouncements.formUnion(shared)
        return shared.sorted().flatMap { space in
            tellAgain(ackOf: device, in: space, on: session)
                + tellAgain(holdingsOf: device, in: space, on: session)
        }
    }
}

extension SessionState {
    var keepAliveDue: UInt64 {
        lastHeard + Limits.keepAliveMilliseconds * (peer.dialed ? 1 : 2)
    }

    /// When the side that dialled compares again what it knows of statements, which may have been on
    /// their way at the first look.
    var secondLookDue: UInt64 {
        guard peer.dialed, let since = statementsDifferSince else { return .max }
        return since + Limits.settlingMilliseconds
    }
}

extension Limits {
    // MARK: Pace of a session

    /// The safety net: after a change both sides compare what they hold although nothing was pushed, so
    /// that they agree within 30 s (requirement P2).
    package static let pullIntervalMilliseconds: UInt64 = 25_000
    /// What two devices know differs while changes and acks are on their way: after this time it should
    /// not any more.
    package static let settlingMilliseconds: UInt64 = 2_000
    /// Changes that cannot be pushed are announced together, at most this often per session.
    package static let announceIntervalMilliseconds: UInt64 = 100
    /// Files that came are reported together, at most this often.
    package static let holdingsIntervalMilliseconds: UInt64 = 500
    /// After how much silence a connection is asked whether it stands, and with it whether both hold
    /// the same: some 350 bytes with the answer, so that the 66 connections of twelve idle devices
    /// cost some 150 bytes a second.
    package static let keepAliveMilliseconds: UInt64 = 150_000
    /// A connection on which something came within this time needs no asking when somebody looks; with
    /// ``answerMilliseconds`` a dead one is noticed within ten seconds then.
    package static let quietMilliseconds: UInt64 = 4_000
    /// How long a device that refused a file counts as lacking it, unless it says again that it has it.
    package static let statementsIntervalMilliseconds: UInt64 = 300_000
    /// A peer that was asked and says nothing for this long is gone.
    package static let answerMilliseconds: UInt64 = 5_000
    /// Batches of commits on their way without an ack.
    package static let commitBatchesInFlight = 4
    /// The same with commits that were pushed at once; the rest follows. Half of what a
    /// peer lets wait, as some may still be on their way when the window starts anew.
    package static let pushesInFlight = commitBatchesUnapplied / 2
    /// Batches received and not yet applied before the session has broken the protocol.
    package static let commitBatchesUnapplied = 64
}
