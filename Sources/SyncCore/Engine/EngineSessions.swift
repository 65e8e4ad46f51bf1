/// Sessions opening, comparing and asking.
extension Engine {
    mutating func open(
        _ session: SessionID, _ peer: PeerInfo, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        let twins = sessions.filter { $0.value.peer.device == peer.device }
        for (twin, state) in twins {
            if keeps(state.peer, over: peer) {
                // The peer may know better that the old connection is dead: ask it at once.
                return [.close(session, .duplicate)] + pull(on: twin, at: now)
            }
            sessions[twin] = nil
            actions.append(.close(twin, .duplicate))
            // Who waits for the old connection waits for the one in its place.
            for (request, awaited) in syncRequests where awaited.contains(twin) {
                syncRequests[request] = awaited.subtracting([twin]).union([session])
            }
        }
        sessions[session] = SessionState(peer: peer, now: now)
        transfers.peerReturned(peer.device)
        reachChanged(at: now)
        actions.append(.send(session, .spaces(summaries(on: session), answer: false)))
        return actions
    }

    /// What this device has of a space: told once, when a peer lists or acknowledges it. Earlier the
    /// peer would not have the space to keep this in. Of what others have it asks itself, unless it
    /// does not know how to.
    mutating func statements(about space: SpaceID, on session: SessionID) -> [EngineAction] {
        guard let peer = sessions[session]?.peer, mayHold(peer.device, space),
            sessions[session]?.spaces[space]?.hasHeardStatements == false
        else { return [] }
        sessions[session]?.spaces[space]?.hasHeardStatements = true
        let others = Set((acks[space] ?? [:]).keys).union((holdings[space] ?? [:]).keys)
        let told = peer.tellsReach ? [device] : others.sorted()
        return told.flatMap { tell(ackOf: $0, in: space, on: session) }
            + told.flatMap { tell(holdingsOf: $0, in: space, on: session) }
    }

    /// What this device has to say of a space that it opened: an ack, where the last one does not
    /// cover what is here because a close came in between; and the files, always.
    mutating func ownStatements(of view: SpaceView, at now: Instant) -> [EngineAction] {
        fileReports.changed([view.space])
        let known = acks[view.space]?[device]?.said.watermark ?? Watermark()
        guard view.watermark.count(beyond: known, exceptOf: device) > 0 else { return [] }
        return acknowledge(view.space, to: [], at: now)
    }

    /// What could not be stored is said once there may be room again.
    mutating func unstoredStatements(at now: Instant) -> [EngineAction] {
        unstored.take().compactMap { spaces[$0] }
            .flatMap { ownStatements(of: $0, at: now) }
    }

    /// Both sides dial: the connection dialled by the smaller device id stays. Of two dialled by
    /// the same side the newer stays, for the older one is dead.
    private func keeps(_ old: PeerInfo, over new: PeerInfo) -> Bool {
        guard old.dialed != new.dialed else { return false }
        let smallerDials = old.dialed ? device < old.device : old.device < device
        return smallerDials
    }

    /// The spaces this device holds and the peer may have.
    private mutating func summaries(on session: SessionID) -> [SpaceSummary] {
        guard let state = sessions[session] else { return [] }
        return spaces.keys.sorted().compactMap { summary(of: $0, for: state) }
    }

    private mutating func summary(of space: SpaceID, for state: SessionState) -> SpaceSummary? {
        let device = state.peer.device
        guard let view = spaces[space], mayHold(device, space) else { return nil }
        let isNew = isNew(space, to: state)
        let offer = isNew ? offers[space]?.offer(to: device, view.membership) : nil
        let sum = state.spaces[space].flatMap { _ in
            state.peer.tellsReach ? statementSum(of: space, with: device) : nil
        }
        return SpaceSummary(
            space: space, digest: view.digest, offer: offer,
            proof: view.proof(by: self.device, to: device), statements: sum)
    }

    private func isNew(_ space: SpaceID, to state: SessionState) -> Bool {
        // One who acknowledged it once and has it no more went back to an older copy of itself.
        acks[space]?[state.peer.device] == nil || state.hasListed && state.spaces[space] == nil
    }

    /// Compares with a peer: sends all summaries and waits for its answer.
    mutating func pull(on session: SessionID, at now: Instant) -> [EngineAction] {
        guard sessions[session] != nil else { return [] }
        sessions[session]?.changedSince = now.monotonic
        if sessions[session]?.answerDue == nil {
            sessions[session]?.answerDue = now.monotonic + Limits.answerMilliseconds
        }
        sessions[session]?.isAnswered = false
        for space in sessions[session]?.spaces.keys.sorted() ?? [] {
            sessions[session]?.spaces[space]?.beginPull()
        }
        return unstoredStatements(at: now) + [
            .send(session, .spaces(summaries(on: session), answer: false))
        ]
    }

    mutating func receive(
        _ message: PeerMessage, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard let state = sessions[session] else { return [] }
        sessions[session]?.answerDue = nil
        sessions[session]?.awaitedSince = nil
        sessions[session]?.lastHeard = now.monotonic
        defer {
            // It turned out to hold a space: others hear that this device reaches it there.
            if sessions[session]?.spaces.count != state.spaces.count { reachChanged(at: now) }
        }
        return take(message, on: session, at: now)
    }

    private mutating func take(
        _ message: PeerMessage, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        switch message {
        case .spaces(let summaries, let answer):
            return receive(summaries, isAnswer: answer, on: session, at: now)
        case .watermark(let space, let watermark, let forks, let answer):
            return receive(watermark, forks, of: space, isAnswer: answer, on: session)
        case .fork(let space, let fork): return receive(fork, of: space, on: session)
        case .commits(let space, let commits, let live):
            return receive(commits, of: space, live: live, on: session)
        case .holdings(let holdings):
            return receive(holdings, on: session)
        case .ack(let ack): return receive(ack, on: session, at: now)
        case .ackDifference(let difference):
            return receive(difference, on: session, at: now)
        case .ackWanted(let space, let author):
            return tellAgain(ackOf: author, in: space, on: session)
        case .heard(let heard): return receive(heard, on: session, at: now)
        case .reach(let added, let removed):
            return receive(added: added, removed: removed, on: session)
        case .comparison(let comparison): return receive(comparison, on: session, at: now)
        case .decline(let space):
            guard let peer = sessions[session]?.peer, mayHold(peer.device, space) else {
                return []
            }
            return [.declined(space, by: peer.device)]
        case .ping(let token): return [.send(session, .pong(token: token))]
        case .bye: return []
        case .pong, .condition, .unknown: return []
        // Of rights: nothing that the exchange of commits waits for.
        case .taken, .recoveryRequest, .recoveryOffers, .recoveryStatements: return []
        case .hello, .want, .have: return misbehaved(session)
        }
    }

    /// Nothing more is taken from that session, also while its end is still on the way.
    mutating func misbehaved(_ session: SessionID) -> [EngineAction] {
        sessions[session] = nil
        return [.close(session, .misbehaved)]
    }

    private mutating func receive(
        _ summaries: [SpaceSummary], isAnswer: Bool, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard let peer = sessions[session]?.peer else { return [] }
        var actions: [EngineAction] = []
        // Announcements answer nothing that was asked, but they never carry a full list either;
        // taking one for the answer only ends a wait early, and what it names is then waited for.
        sessions[session]?.isAnswered = true
        sessions[session]?.hasListed = true
        for summary in summaries {
            if let view = spaces[summary.space],
                mayHold(peer.device, view.space) || knows(summary.proof, view, peer)
            {
                if sessions[session]?.spaces[summary.space] == nil {
                    sessions[session]?.spaces[summary.space] = SharedSpace()
                }
                sessions[session]?.spaces[summary.space]?.proof = summary.proof
                actions += statements(about: summary.space, on: session)
                if let sum = summary.statements {
                    hearSum(sum, of: summary.space, on: session, at: now)
                }
                // Whether it says the right digest is nothing that one who may not read is told.
                if view.digest == summary.digest, mayHold(peer.device, summary.space),
                    !owesBranches(summary.space, on: session),
                    !lacksParts(of: summary.space, on: session)
                {
                    sessions[session]?.spaces[summary.space]?.becameEqual(view)
                } else {
                    actions += compare(summary.space, on: session)
                }
            } else {
                actions += receiveUnknown(summary, from: peer, on: session, at: now)
            }
        }
        if actions.isEmpty && isSynced(with: session) { actions.append(.inSync(peer.device)) }
        if isKnownEqual(session) { sessions[session]?.changedSince = nil }
        actions += askForStatements(at: now)
        if !isAnswer {
            actions.append(.send(session, .spaces(self.summaries(on: session), answer: true)))
        }
        return actions
    }

    /// Whether all that both hold is known to be the same on both sides.
    private func isSynced(with session: SessionID) -> Bool {
        guard let state = sessions[session] else { return false }
        return state.spaces.allSatisfy { space, shared in
            guard let mine = spaces[space]?.watermark, mayHold(state.peer.device, space) else {
                return true
            }
            return shared.remote.map { $0.covers(mine) && mine.covers($0) } ?? false
        }
    }

    /// Asks for what the peer holds more, unless batches that may be just that are still coming.
    private mutating func compare(_ space: SpaceID, on session: SessionID) -> [EngineAction] {
        guard let shared = sessions[session]?.spaces[space] else { return [] }
        guard shared.receiving.unapplied == 0, !shared.asking.awaitsAnswer else {
            sessions[session]?.spaces[space]?.asking.reasons.insert(.peerHasMore)
            return []
        }
        return askFor(space, on: session, answer: false)
    }

    /// A space that is not here: taken at once when it comes from a device of the same person or
    /// was accepted before, otherwise offered to the person.
    private mutating func receiveUnknown(
        _ summary: SpaceSummary, from peer: PeerInfo, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard !declinedSpaces.contains(summary.space) else {
            return [.send(session, .decline(summary.space))]
        }
        // Of a space that is here a stranger hears as little.
        guard spaces[summary.space] == nil else { return [] }
        if sessions[session]?.spaces[summary.space] == nil {
            // One message lists no more; many messages must not list without end.
            guard sessions[session]?.spaces.count ?? 0 < Limits.listEntries else { return [] }
            sessions[session]?.spaces[summary.space] = SharedSpace()
            // Nobody's statements about it are known here; what comes is passed on as it comes.
            sessions[session]?.spaces[summary.space]?.hasHeardStatements = true
        }
        sessions[session]?.spaces[summary.space]?.proof = summary.proof
        if peer.person == person || accepted.contains(summary.space) {
            accepted.insert(summary.space)
            return compare(summary.space, on: session)
        }
        return pass(summary.offer, of: summary.space, from: peer, on: session, at: now)
    }

    /// The same offer comes with every comparison, and one message can bring thousands: what is new
    /// for a while is passed on, of as many spaces as one device may offer.
    private mutating func pass(
        _ offer: Offer?, of space: SpaceID, from peer: PeerInfo, on session: SessionID,
        at now: Instant
    ) -> [EngineAction] {
        if let since = sessions[session]?.offersSince,
            now.monotonic >= since + Limits.pullIntervalMilliseconds
        {
            forgetOffers(on: session, at: now)
        }
        guard let offer, let state = sessions[session], state.spaces[space]?.offer != offer,
            state.spaces[space]?.offer != nil || state.offerCount < Limits.offersPerDevice
        else { return [] }
        if state.spaces[space]?.offer == nil { sessions[session]?.offerCount += 1 }
        sessions[session]?.spaces[space]?.offer = offer
        return [.offer(space, offer, from: peer.device)]
    }

    private mutating func forgetOffers(on session: SessionID, at now: Instant) {
        sessions[session]?.offersSince = now.monotonic
        sessions[session]?.offerCount = 0
        for space in sessions[session]?.spaces.keys.map({ $0 }) ?? [] {
            sessions[session]?.spaces[space]?.offer = nil
        }
    }

    /// What was offered while the disk was full may not have been kept: all is listed once more.
    mutating func listAgain(at now: Instant) -> [EngineAction] {
        sessions.keys.sorted().flatMap { session -> [EngineAction] in
            forgetOffers(on: session, at: now)
            return pull(on: session, at: now)
        }
    }

    /// Sends this device's watermark of a space: the peer sends what lies beyond it.
    ///
    /// To a peer that may not read it as far as is known here, the watermark holds only what that
    /// peer sent itself: it learns nothing, and its commits may carry the grant that was not known.
    mutating func askFor(
        _ space: SpaceID, on session: SessionID, answer: Bool, branchesAfter: BranchPlace? = nil
    ) -> [EngineAction] {
        guard let state = sessions[session], state.spaces[space] != nil else { return [] }
        if !answer {
            sessions[session]?.spaces[space]?.asking.ask()
        }
        var known = spaces[space]?.watermark ?? Watermark()
        var points = spaces[space]?.forks.points ?? []
        if !mayHold(state.peer.device, space) {
            known = known.limited(to: state.spaces[space]?.peer.received ?? Watermark())
            points = []
        }
        let forks = ForkReport(
            points: points, again: rewinds(of: space, on: session, isQuestion: !answer),
            branchesAfter: branchesAfter)
        return [.send(session, .watermark(space, known, forks: forks, answer: answer))]
    }

    /// Marks a space as changed for every session that may read it, the source left out.
    mutating func announce(
        _ space: SpaceID, except source: SessionID?, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        for session in sessions.keys.sorted() where session != source {
            guard let peer = sessions[session]?.peer, mayHold(peer.device, space) else {
                continue
            }
            actions += announce(space, on: session, at: now)
        }
        return actions
    }

    mutating func announce(
        _ space: SpaceID, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        sessions[session]?.dueAnnouncements.insert(space)
        return flushAnnouncements(on: session, at: now)
    }

    /// What an offer says is known a moment after the space is here, or changed: those to whom it is new
    /// are told.
    mutating func announceOffer(
        of space: SpaceID, insteadOf before: OfferedSpace?, at now: Instant
    ) -> [EngineAction] {
        guard let membership = spaces[space]?.membership, let offer = offers[space] else {
            return []
        }
        return sessions.keys.sorted().flatMap { session -> [EngineAction] in
            guard let state = sessions[session], isNew(space, to: state),
                mayHold(state.peer.device, space)
            else { return [] }
            let said = before?.offer(to: state.peer.device, membership)
            guard said != offer.offer(to: state.peer.device, membership) else { return [] }
            return announce(space, on: session, at: now)
        }
    }

    mutating func flushAnnouncements(
        on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard let state = sessions[session], !state.dueAnnouncements.isEmpty,
            now.monotonic >= state.lastAnnouncement + Limits.announceIntervalMilliseconds
        else { return [] }
        let due = state.dueAnnouncements.sorted().compactMap { summary(of: $0, for: state) }
        sessions[session]?.dueAnnouncements = []
        sessions[session]?.lastAnnouncement = now.monotonic
        return due.isEmpty ? [] : [.send(session, .spaces(due, answer: true))]
    }
}
