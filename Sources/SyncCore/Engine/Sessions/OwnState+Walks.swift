/// Comparing with neighbours by a sum, so that what got lost on the way is asked for.
extension OwnState {
    /// Asks one neighbour after the other.
    mutating func askForStatements(
        on sessions: inout Sessions, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        for (space, walk) in statements.walks.due(at: now) {
            guard walk.isWaiting, sessions[walk.session]?.spaces[space] != nil else {
                endWalk(in: space, of: &sessions)
                continue
            }
            actions += nextStep(in: space, walk, at: now)
        }
        return actions + sessions.each { $0.askForStatements(&self, at: now) }
    }

    fileprivate mutating func nextStep(
        in space: SpaceID, _ walk: StatementWalks.Walk, at now: Instant
    ) -> [EngineAction] {
        precondition(
            statements.walks[space].map { $0.session == walk.session } ?? true,
            "two neighbours are asked about \(space) at once")
        var walk = walk
        defer { statements.walks[space] = walk }
        guard statements.budget.hasRoom(at: now.monotonic) else {
            walk.isWaiting = true
            walk.due = now.monotonic + Limits.statementPauseMilliseconds
            return []
        }
        walk.isWaiting = false
        walk.due = now.monotonic + Limits.heardMilliseconds
        let (entries, through) = entries(of: space, after: walk.after, with: walk.peer)
        let heard = Heard(
            space: space, after: walk.after, through: through, entries: entries, answer: false)
        Invariants.check(
            entries.allSatisfy {
                heard.spans($0.device) && $0.device != walk.peer && $0.device != spaces.device
            }, "a neighbour is asked about itself, this device, or one beyond the range")
        statements.budget.spend(heard.cost)
        return [.send(walk.session, .heard(heard))]
    }

    /// What is known of a range of members, a peer left out, and where the range ends; nil when it goes
    /// to its end.
    private func entries(
        of space: SpaceID, after: DeviceID?, through: DeviceID? = nil, with peer: DeviceID
    ) -> (entries: [Heard.Entry], through: DeviceID?) {
        let range = Heard(
            space: space, after: after, through: through, entries: [], answer: false)
        let known = statements.authors(in: space).filter {
            $0 != spaces.device && $0 != peer && range.spans($0) && spaces.mayHold($0, space)
        }
        let first = known.sorted().prefix(Limits.heardEntries)
        return (
            first.map { statements.latest(of: $0, in: space) },
            first.count < known.count ? first.last : through
        )
    }

    /// A peer compares what it knows of the statements of others.
    mutating func receive(
        _ heard: Heard, on session: SessionID, of sessions: inout Sessions, at now: Instant
    ) -> [EngineAction] {
        let space = heard.space
        guard let peer = sessions[session]?.peer, spaces.mayHold(peer.device, space),
            sessions[session]?.spaces[space] != nil
        else { return [] }
        if let sum = heard.sum {
            let mine = statementSum(of: space, with: peer.device)
            sessions.change(session, in: space) {
                $0.statements.hear(sum, mine: mine, at: now)
            }
            return askForStatements(on: &sessions, at: now)
        }
        guard !heard.answer else { return answered(heard, on: session, of: &sessions, at: now) }
        let (known, through) = entries(
            of: space, after: heard.after, through: heard.through, with: peer.device)
        let end = Heard(
            space: space, after: heard.after, through: through, entries: [], answer: true)
        return sessions.step(session, in: space) { $0.statements.tell(known, unlike: heard, self) }
            + [.send(session, .heard(end))]
            + (sessions[session].map { askBack(heard, $0, at: now) } ?? [])
    }

    /// A question shows what the peer has itself: ask back for anything newer than here.
    private mutating func askBack(
        _ heard: Heard, _ state: SessionState, at now: Instant
    ) -> [EngineAction] {
        let space = heard.space
        let knowsMore = heard.entries.contains { entry in
            let latest = statements.latest(of: entry.device, in: space)
            return spaces.mayHold(entry.device, space) && entry.device != spaces.device
                && (entry.ack > latest.ack || entry.holdings > latest.holdings)
        }
        guard knowsMore, statements.walks[space] == nil else { return [] }
        return nextStep(in: space, StatementWalks.Walk(state), at: now)
    }

    /// A neighbour has sent what it knows better of a range.
    private mutating func answered(
        _ heard: Heard, on session: SessionID, of sessions: inout Sessions, at now: Instant
    ) -> [EngineAction] {
        guard var walk = statements.walks[heard.space], walk.session == session,
            !walk.isWaiting, walk.after == heard.after
        else { return [] }
        guard let through = heard.through, walk.after.map({ $0 < through }) ?? true else {
            endWalk(in: heard.space, of: &sessions)
            return askForStatements(on: &sessions, at: now)
        }
        walk.after = through
        return nextStep(in: heard.space, walk, at: now)
    }

    private mutating func endWalk(in space: SpaceID, of sessions: inout Sessions) {
        guard let session = statements.walks.end(in: space) else { return }
        sessions.change(session, in: space) { $0.statements.compared() }
    }
}

extension SessionState {
    /// Asks the peer where it told another sum than this device has, of spaces of which nobody is asked.
    fileprivate mutating func askForStatements(
        _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        let state = self
        return spaces.each { shared in
            guard own.statements.walks[shared.space] == nil,
                let sum = shared.statements.otherSum, shared.isHeld(own.spaces)
            else { return [] }
            guard own.statementSum(of: shared.space, with: shared.peer.device) != sum else {
                shared.statements.otherSum = nil
                return []
            }
            return own.nextStep(in: shared.space, StatementWalks.Walk(state), at: now)
        }
    }
}

extension StatementWalks.Walk {
    init(_ state: SessionState) { self.init(session: state.id, peer: state.peer.device) }
}

extension StatementExchange {
    /// Tells again what is known better here than a peer says; what went over this session may have been
    /// dropped there.
    fileprivate mutating func tell(
        _ known: [Heard.Entry], unlike heard: Heard, _ own: OwnState
    ) -> [EngineAction] {
        let theirs = Dictionary(
            heard.entries.map { ($0.device, $0) }, uniquingKeysWith: { first, _ in first })
        return known.flatMap { entry -> [EngineAction] in
            let said = theirs[entry.device]
            return (entry.ack > said?.ack ?? 0 ? tellAgain(ackOf: entry.device, own) : [])
                + (entry.holdings > said?.holdings ?? 0
                    ? tellAgain(holdingsOf: entry.device, own) : [])
        }
    }
}

extension Heard {
    fileprivate var cost: Int { 120 + 50 * entries.count }
}
