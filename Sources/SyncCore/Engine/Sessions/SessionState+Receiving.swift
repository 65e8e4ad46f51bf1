extension SessionState {
    /// Notes that something came. Returns how many spaces were shared until then.
    mutating func heard(at now: Instant) -> Int {
        silence.heard(at: now)
        return spaces.count
    }

    /// Takes a message that concerns this session alone.
    mutating func receive(
        _ message: PeerMessage, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        do {
            return try handle(message, &own, at: now)
        } catch {
            return misbehaved()
        }
    }

    private mutating func handle(
        _ message: PeerMessage, _ own: inout OwnState, at now: Instant
    ) throws(Misbehaviour) -> [EngineAction] {
        switch message {
        case .watermark(let space, let watermark, let forks, let answer):
            return try receive(watermark, forks, of: space, isAnswer: answer, own, at: now)
        case .fork(let space, let fork):
            return spaces.step(in: space) { $0.receive(fork, own.spaces) }
        case .branchHeaders(let space, let headers):
            guard own.spaces.mayHold(peer.device, space) else { return [] }
            let isNews = own.spaces.receiveHeaders(headers, of: space)
            return spaces.step(in: space) { shared in
                // Another peer may have brought the same: then this one is asked for what comes next.
                let isBehind = shared.branches.asked != own.spaces.wantedHeaders(in: space)
                return isNews || isBehind ? shared.askFor(answer: false, own) : []
            }
        case .commits(let space, let commits, _): return try receive(commits, of: space, own.spaces)
        case .holdings(let holdings): return receive(holdings, &own)
        case .ack(let ack): return receive(ack, &own, at: now)
        case .ackDifference(let difference): return receive(difference, &own, at: now)
        case .ackWanted(let space, let author):
            return spaces.step(in: space) { $0.statements.tellAgain(ackOf: author, own) }
        case .reach(let added, let removed):
            reach.hear(added: added, removed: removed, by: own.spaces.device)
            return []
        case .comparison(let comparison): return receive(comparison, &own, at: now)
        case .decline(let space, let grants):
            // It may have asked for the space before.
            forget(space)
            return own.spaces.mayHold(peer.device, space)
                ? [.declined(space, grants: grants, by: peer.device)] : []
        case .ping(let token): return [.send(id, .pong(token: token))]
        case .bye, .pong, .condition, .unknown: return []
        // Of rights: nothing that the exchange of commits waits for.
        case .taken, .recoveryRequest, .recoveryOffers, .recoveryStatements, .lossSum,
            .lossStatements:
            return []
        // The engine takes these itself.
        case .spaces, .heard: return []
        case .hello, .want, .have: throw Misbehaviour()
        }
    }

    // MARK: Watermarks and commits

    private mutating func receive(
        _ claimed: Watermark, _ forks: ForkReport, of space: SpaceID, isAnswer: Bool,
        _ own: OwnState, at now: Instant
    ) throws(Misbehaviour) -> [EngineAction] {
        // Also for a space that is still to come: its commits follow.
        let isFollowed = isAnswer && own.spaces[space] == nil && own.spaces.accepted.contains(space)
        spaces.change(space) {
            $0.asking.heardWatermark(isAnswer: isAnswer) {
                let here = own.spaces[space]?.watermark.without(Set(forks.later))
                return claimed.covers(here ?? Watermark())
            }
            if isFollowed { $0.asking.expect(claimed, at: now.monotonic) }
        }
        guard let view = own.spaces[space], own.spaces.mayHold(peer.device, space) else {
            // Who has nothing waits no longer, and hears the same of a space that is not here.
            return isAnswer || !claimed.isEmpty
                ? [] : [.send(id, .watermark(space, Watermark(), answer: true))]
        }
        let watermark = spaces.share(space) { $0.hear(claimed, forks, isAnswer: isAnswer, view) }
        let news = try claims.news(in: watermark, view, of: own.spaces.device)
        // What it claims is looked into also where it turns out to lie.
        let looks = news.map { EngineAction.ownLogAhead(space, $0, watermark.sequence(of: $0)) }
        do {
            return looks
                + (try spaces.share(space) { shared throws(Misbehaviour) in
                    try shared.answer(claimed, forks, isAnswer: isAnswer, own)
                })
        } catch {
            return looks + misbehaved()
        }
    }

    private mutating func receive(
        _ commits: [UnverifiedCommit], of space: SpaceID, _ own: LocalSpaces
    ) throws(Misbehaviour) -> [EngineAction] {
        guard mayKnow(space, own) || own.accepted.contains(space) else { return [] }
        guard !commits.isEmpty, commits.allSatisfy({ $0.space == space }) else {
            throw Misbehaviour()
        }
        return try spaces.share(space) { shared throws(Misbehaviour) in
            try shared.receive(commits, own)
        }
    }

    func mayKnow(_ space: SpaceID, _ own: LocalSpaces) -> Bool {
        own.mayKnow(peer, space, spaces[space]?.proof)
    }

    /// A batch of the peer was applied.
    mutating func applied(
        _ report: ApplyReport, _ own: OwnState, at now: Instant
    ) -> [EngineAction] {
        do {
            return try spaces.change(report.space) { shared throws(Misbehaviour) in
                try shared.applied(report, own, at: now)
            } ?? []
        } catch {
            return misbehaved()
        }
    }

    // MARK: Statements

    /// A statement older than the one kept is answered with that one. Its author may have gone back to a
    /// copy, with a clock that was set back since: it then counts on from what it said before.
    private mutating func receive(
        _ ack: UnverifiedAck, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        let said = ack.said
        guard own.spaces.mayHold(said.device, said.space), mayKnow(said.space, own.spaces) else {
            return []
        }
        spaces.change(said.space) { $0.statements.note(said) }
        own.statements.spend(on: ack, from: id)
        guard let known = own.statements.acks[said.space]?[said.device],
            said.counter <= known.said.counter
        else {
            // Of itself a peer is believed on its own connection: what it has need not be sent, and its
            // window is free. Others are told once the signature is checked.
            let isOwn = peer.device == said.device
            return (isOwn ? acknowledged(said, &own, at: now) : [])
                + [.verifyAck(ack, from: id)]
        }
        let isOlder =
            said.counter < known.said.counter && own.spaces.mayHold(peer.device, said.space)
        return isOlder ? [.send(id, .ack(known))] : []
    }

    private mutating func receive(
        _ difference: AckDifference, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        let space = difference.space
        let author = difference.device ?? peer.device
        guard own.spaces.mayHold(author, space), mayKnow(space, own.spaces) else { return [] }
        let known = own.statements.acks[space]?[author]?.said
        guard known?.counter ?? 0 < difference.counter else { return [] }
        let bases = [spaces[space]?.statements.acks[author], known].compactMap(\.self)
        guard let ack = bases.lazy.compactMap({ difference.ack(after: $0) }).first else {
            return [.send(id, .ackWanted(space, author))]
        }
        return receive(ack, &own, at: now)
    }

    /// The peer said what it holds.
    mutating func acknowledged(
        _ ack: Ack, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        guard spaces[ack.space] != nil else { return [] }
        own.transfers.wanted.reconsider(ack.device, in: ack.space)
        spaces.change(ack.space) { $0.acknowledged(ack.watermark, own.spaces) }
        // It may have told of something that nobody brings here.
        let known = own.spaces[ack.space]?.watermark ?? Watermark()
        if !known.covers(ack.watermark) { noteChange(at: now) }
        if changedSince != nil, isKnownEqual(own.spaces) {
            changedSince = nil
            return [.inSync(peer.device)]
        }
        return spaces.step(in: ack.space) { $0.loadNext() }
    }

    private mutating func receive(
        _ holdings: UnverifiedHoldings, _ own: inout OwnState
    ) -> [EngineAction] {
        let said = holdings.said
        guard own.spaces.mayHold(said.device, said.space), mayKnow(said.space, own.spaces) else {
            return []
        }
        spaces.change(said.space) { $0.statements.note(said) }
        guard let known = own.statements.holdings[said.space]?[said.device],
            said.counter <= known.said.counter
        else { return [.verifyHoldings(holdings, from: id)] }
        // Said again: it may give now what it did not give before.
        if said.counter == known.said.counter, peer.device == said.device {
            own.hear(known.said)
        }
        let isOlder =
            said.counter < known.said.counter && own.spaces.mayHold(peer.device, said.space)
        return isOlder ? [.send(id, .holdings(known))] : []
    }
}

/// Logs of this device of which a peer claimed to know more.
struct LogClaims: Sendable {
    private var logs: Set<LogID> = []

    /// Claims that were not made before: each is looked into once.
    mutating func news(
        in watermark: Watermark, _ view: SpaceView, of device: DeviceID
    ) throws(Misbehaviour) -> [LogID] {
        let ahead = watermark.heads.keys.filter { log in
            log.device == device && watermark.sequence(of: log) > view.watermark.sequence(of: log)
        }
        // No device has more.
        guard ahead.count <= Limits.logsPerDevice else { throw Misbehaviour() }
        let room = max(0, Limits.logsPerDevice - logs.count)
        let claims = ahead.filter { !logs.contains($0) }.sorted().prefix(room)
        logs.formUnion(claims)
        precondition(logs.count <= Limits.logsPerDevice, "\(logs.count) claims")
        return Array(claims)
    }
}
