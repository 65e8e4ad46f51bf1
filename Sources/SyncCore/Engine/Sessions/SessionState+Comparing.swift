/// Both sides compare what they hold: with lists of all spaces, or with one digest over them.
extension SessionState {
    /// What a look at the session found to be asked of the peer.
    enum Question {
        case nothing
        case said([EngineAction])
        /// Everything is to be compared.
        case everything
    }

    // MARK: Lists

    /// The spaces this device holds and the peer may have.
    mutating func list(_ own: inout OwnState, answer: Bool) -> [EngineAction] {
        let summaries = own.spaces.ids.compactMap { summary(of: $0, &own) }
        return [.send(id, .spaces(summaries, answer: answer))]
    }

    func summary(of space: SpaceID, _ own: inout OwnState) -> SpaceSummary? {
        guard let view = own.spaces[space], own.spaces.mayHold(peer.device, space) else {
            return nil
        }
        let offer =
            isNew(space, own.statements) ? own.spaces.offer(of: space, to: peer.device) : nil
        let isCompared = spaces[space] != nil && peer.tellsReach
        let sum = isCompared ? own.statementSum(of: space, with: peer.device) : nil
        return SpaceSummary(
            space: space, digest: view.digest, offer: offer,
            proof: view.proof(by: own.spaces.device, to: peer.device), statements: sum)
    }

    func isNew(_ space: SpaceID, _ statements: Statements) -> Bool {
        // One who acknowledged it once and has it no more went back to an older copy of itself.
        statements.acks[space]?[peer.device] == nil || hasListed && spaces[space] == nil
    }

    mutating func pull(_ own: inout OwnState, at now: Instant) -> [EngineAction] {
        changedSince = now.monotonic
        silence.asked(at: now)
        isAnswered = false
        spaces.changeEach { $0.beginPull() }
        return list(&own, answer: false)
    }

    mutating func receive(
        _ summaries: [SpaceSummary], _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        // Announcements answer nothing that was asked, but they never carry a full list either;
        // taking one for the answer only ends a wait early, and what it names is then waited for.
        isAnswered = true
        hasListed = true
        var actions: [EngineAction] = []
        for summary in summaries {
            actions +=
                own.spaces.mayKnow(peer, summary.space, summary.proof)
                ? receive(summary, &own, at: now) : receiveUnknown(summary, &own, at: now)
        }
        if actions.isEmpty && spaces.areSynced(own.spaces) { actions.append(.inSync(peer.device)) }
        if isKnownEqual(own.spaces) { changedSince = nil }
        return actions
    }

    private mutating func receive(
        _ summary: SpaceSummary, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        let mayHold = own.spaces.mayHold(peer.device, summary.space)
        let sum =
            summary.statements == nil
            ? nil : own.statementSum(of: summary.space, with: peer.device)
        return spaces.share(summary.space) { shared in
            shared.proof = summary.proof
            let told = shared.statements.tellOnce(own)
            if let theirs = summary.statements, let sum {
                shared.statements.hear(theirs, mine: sum, at: now)
            }
            // Whether it says the right digest is nothing that one who may not read is told.
            guard mayHold, let view = own.spaces[summary.space], view.digest == summary.digest,
                !shared.owesBranches(own.spaces), !shared.lacksParts(own.spaces)
            else { return told + shared.compare(own, at: now) }
            shared.becameEqual(view)
            return told
        }
    }

    /// A space that is not here: taken at once when it comes from a device of the same person or
    /// was accepted before, otherwise offered to the person.
    private mutating func receiveUnknown(
        _ summary: SpaceSummary, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        let space = summary.space
        if let grants = own.spaces.declinedGrants(of: space, answering: summary.offer) {
            return [.send(id, .decline(space, grants: grants))]
        }
        // Of a space that is here a stranger hears as little. One message lists no more; many messages
        // must not list without end.
        guard own.spaces[space] == nil,
            spaces[space] != nil || spaces.count < Limits.listEntries
        else { return [] }
        let isNew = spaces[space] == nil
        spaces.share(space) { shared in
            // Nobody's statements about it are known here; what comes is passed on as it comes.
            if isNew { shared.statements.isTold = true }
            shared.proof = summary.proof
        }
        // Its person is asked already, on each device alone: no peer answers for them, or changes the offer.
        guard !own.spaces.isUnanswered(space) else { return [] }
        if own.spaces.wants(space, from: peer) {
            own.spaces.accept(space)
            return spaces.step(in: space) { $0.compare(own, at: now) }
        }
        return offers.news(summary.offer, of: space, at: now).map {
            own.spaces.offerAgain(space)
            return [.offer(space, $0, from: peer.device)]
        } ?? []
    }

    // MARK: Equality

    mutating func noteChange(at now: Instant) { changedSince = changedSince ?? now.monotonic }

    /// Whether nothing of what both hold is missing on either side, by what the peer said last.
    func isKnownEqual(_ own: LocalSpaces) -> Bool {
        hasListed && isAnswered && spaces.values.allSatisfy { $0.isKnownEqual(own) }
    }

    /// The safety net: both sides compare what they hold when something changed a while ago and
    /// their acks do not say that it has arrived.
    mutating func checkEquality(_ own: LocalSpaces, at now: Instant) -> Question {
        guard let since = changedSince, now.monotonic >= since + Limits.pullIntervalMilliseconds
        else { return .nothing }
        guard isKnownEqual(own) else { return .everything }
        changedSince = nil
        return .said([.inSync(peer.device)])
    }

    // MARK: Digests

    /// A connection on which nothing came for long is asked whether it stands.
    mutating func keepAlive(_ own: inout OwnState, at now: Instant) -> Question {
        silence.isToAsk(at: now, or: secondLookDue) ? ask(&own, at: now) : .nothing
    }

    /// Somebody wants to know who is there: a peer that has said nothing for a moment is asked, unless it
    /// has something to answer already.
    mutating func askIfQuiet(_ own: inout OwnState, at now: Instant) -> Question {
        silence.isQuiet(at: now) ? ask(&own, at: now) : .nothing
    }

    /// Asks with one digest, and with lists where that does not say all there is to compare.
    private mutating func ask(_ own: inout OwnState, at now: Instant) -> Question {
        guard peer.tellsReach, hasListed else {
            statementsDifferSince = nil
            return .everything
        }
        let isOffering = own.spaces.ids.contains {
            spaces[$0] == nil && own.spaces.mayHold(peer.device, $0)
        }
        silence.asked(at: now)
        // A list offers again what the peer has not taken; whether an ack got lost the digest alone says.
        let offer = isOffering ? pull(&own, at: now) : []
        return .said(offer + [.send(id, .comparison(comparison(&own, answer: false)))])
    }

    private func comparison(_ own: inout OwnState, answer: Bool) -> Comparison {
        var message: [UInt8] = []
        var statements: UInt64 = 0
        for shared in spaces.values.sorted(by: { $0.space < $1.space })
        where shared.isHeld(own.spaces) {
            guard let view = own.spaces[shared.space] else { continue }
            message += shared.space.bytes + view.digest.bytes
            statements &+= own.statementSum(of: shared.space)
        }
        return Comparison(
            digest: Label.comparison.hash(message), statements: statements, answer: answer)
    }

    mutating func receive(
        _ theirs: Comparison, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        guard peer.tellsReach else { return [] }
        let mine = comparison(&own, answer: true)
        let answer = theirs.answer ? [] : [EngineAction.send(id, .comparison(mine))]
        let isEqual = mine.digest == theirs.digest
        if isEqual {
            spaces.changeEach { $0.comparedEqual(own.spaces) }
        } else {
            // Changes may be on their way, and most often are: lists are compared when they had time.
            let since = now.monotonic - min(now.monotonic, Limits.pullIntervalMilliseconds)
            let due = since + Limits.settlingMilliseconds
            changedSince = min(changedSince ?? due, due)
        }
        // While one side cannot open a space the digests differ for good: then acks alone say that no
        // change is on its way, and nothing says which statement got lost.
        let differ = isEqual ? mine.statements != theirs.statements : isKnownEqual(own.spaces)
        let since = differ ? statementsDifferSince ?? now.monotonic : nil
        let isLost = since.map { now.monotonic >= $0 + Limits.settlingMilliseconds } ?? false
        statementsDifferSince = isLost ? nil : since
        let again = answer + (isLost ? tellAgain(own) : [])
        guard isEqual else { return again }
        return again + flushAnnouncements(&own, at: now) + [.inSync(peer.device)]
    }

    /// A statement got lost, as one does that comes when the peer's disk is full: own ones are said
    /// again, those of others compared.
    private mutating func tellAgain(_ own: OwnState) -> [EngineAction] {
        announcements.add(spaces.keys.filter { own.spaces[$0] != nil })
        return spaces.each { shared in
            guard own.spaces[shared.space] != nil else { return [] }
            return shared.statements.tellAgain(ackOf: own.spaces.device, own)
                + shared.statements.tellAgain(holdingsOf: own.spaces.device, own)
        }
    }

    /// When the side that dialled compares again what it knows of statements, which may have been on
    /// their way at the first look.
    private var secondLookDue: UInt64 {
        guard peer.dialed, let since = statementsDifferSince else { return .max }
        return since + Limits.settlingMilliseconds
    }

    func nextDeadline(_ statements: Statements) -> UInt64? {
        var deadlines = [silence.nextDeadline(or: secondLookDue)]
        if let since = changedSince {
            deadlines.append(since + Limits.pullIntervalMilliseconds)
        }
        deadlines += [announcements.nextDeadline].compactMap(\.self)
        return (deadlines + spaces.values.compactMap { $0.nextDeadline(statements) }).min()
    }
}

extension SharedSpaces {
    /// Whether all that both hold is known to be the same on both sides.
    fileprivate func areSynced(_ own: LocalSpaces) -> Bool {
        values.allSatisfy { shared in
            guard let mine = own[shared.space]?.watermark, shared.isHeld(own) else { return true }
            return shared.remote.map {
                $0.without(shared.knowledge.later).covers(mine)
                    && mine.without(own.later(in: shared.space)).covers($0)
            } ?? false
        }
    }

    /// Whether no changes are on their way between this device and a peer, as far as both have said.
    func haveSettled(_ own: LocalSpaces) -> Bool { values.allSatisfy { $0.hasSettled(own) } }
}
