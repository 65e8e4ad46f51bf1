/// Acks and holdings of devices that do not hear each other: passed on by one neighbour, and compared
/// by a sum, so that what got lost on the way is asked for.
extension Engine {
    mutating func keep(_ ack: UnverifiedAck) {
        acks[ack.said.space, default: [:]][ack.said.device] = ack
        keptStatement(of: ack.said.device, in: ack.said.space)
    }

    mutating func keep(_ holdings: UnverifiedHoldings) {
        let said = holdings.said
        self.holdings[said.space, default: [:]][said.device] = holdings
        hear(said)
        keptStatement(of: said.device, in: said.space)
    }

    private mutating func keptStatement(of author: DeviceID, in space: SpaceID) {
        let latest = latest(of: author, in: space)
        statementSums[space, default: StatementSums()].set(
            author, ack: latest.ack, holdings: latest.holdings, counts: mayHold(author, space))
    }

    /// The counters of what is known of a device's statements; 0 where nothing is.
    private func latest(of author: DeviceID, in space: SpaceID) -> Heard.Entry {
        Heard.Entry(
            device: author, ack: acks[space]?[author]?.said.counter ?? 0,
            holdings: holdings[space]?[author]?.said.counter ?? 0)
    }

    // MARK: Passing on

    /// Marks what a device said as to be told to those whom it does not reach, where this device is
    /// the neighbour to do so. Where that cannot be known, the neighbours compare sums later.
    mutating func relay(
        _ author: DeviceID, in space: SpaceID, from source: SessionID, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        let isNear = sessions.values.contains { $0.peer.device == author }
        for session in sessions.keys.sorted() where session != source {
            guard let peer = sessions[session]?.peer, peer.device != author,
                sessions[session]?.spaces[space] != nil, mayHold(peer.device, space)
            else { continue }
            guard peer.tellsReach else {
                actions += tell(of: author, in: space, on: session)
                continue
            }
            let path = path(from: author, to: session, in: space)
            if path.isDirect { continue }
            // One with few neighbours hears it from each: the others may not have heard it.
            let others = sessions[session]?.reach.count ?? 0
            if path.rank == 0 || !path.isNear && others < Limits.fewNeighbours {
                sessions[session]?.spaces[space]?.statements.addRelay(
                    author, due: now.monotonic + Limits.relayMilliseconds)
            } else if !isNear, device < peer.device {
                let due = sessions[session]?.spaces[space]?.statements.sumDue
                sessions[session]?.spaces[space]?.statements.sumDue =
                    due ?? now.monotonic + Limits.sumMilliseconds
            }
        }
        return actions
    }

    private mutating func tell(
        of author: DeviceID, in space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        tell(ackOf: author, in: space, on: session)
            + tell(holdingsOf: author, in: space, on: session)
    }

    mutating func tell(
        holdingsOf author: DeviceID, in space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let said = holdings[space]?[author], let state = sessions[session],
            author != state.peer.device, mayHold(state.peer.device, space),
            let shared = state.spaces[space],
            shared.statements.holdings[author] ?? 0 < said.said.counter
        else { return [] }
        sessions[session]?.spaces[space]?.statements.note(said.said)
        return [.send(session, .holdings(said))]
    }

    /// Sends what waits for its time, as far as it may cost something now.
    mutating func flushStatements(on session: SessionID, at now: Instant) -> [EngineAction] {
        var actions = flushOwnAcks(on: session, at: now)
        for space in sessions[session]?.spaces.keys.sorted() ?? [] {
            guard let exchange = sessions[session]?.spaces[space]?.statements else { continue }
            if let due = exchange.sumDue, due <= now.monotonic {
                sessions[session]?.spaces[space]?.statements.sumDue = nil
                actions += tellSum(of: space, on: session)
            }
            guard let due = exchange.relaysDue, due <= now.monotonic else { continue }
            actions += flushRelays(of: space, on: session, at: now)
        }
        return actions
    }

    private mutating func flushRelays(
        of space: SpaceID, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        while statementBudget.hasRoom(at: now.monotonic) {
            guard let author = sessions[session]?.spaces[space]?.statements.nextRelay() else {
                sessions[session]?.spaces[space]?.statements.relaysDue = nil
                return actions
            }
            // It may have met the author meanwhile.
            guard !path(from: author, to: session, in: space).isDirect else { continue }
            let told = tell(of: author, in: space, on: session)
            statementBudget.spend(told.reduce(0) { $0 + $1.statementCost })
            actions += told
        }
        sessions[session]?.spaces[space]?.statements.relaysDue =
            now.monotonic + Limits.statementPauseMilliseconds
        return actions
    }

    // MARK: Comparing

    /// A sum over what is known of the statements of all members, some left out.
    mutating func statementSum(of space: SpaceID, without left: [DeviceID] = []) -> UInt64 {
        guard let members = spaces[space]?.membership else { return 0 }
        return statementSums[space, default: StatementSums()].sum(
            without: left, members: members)
    }

    /// The same without this device and a peer, who hear each other.
    mutating func statementSum(of space: SpaceID, with peer: DeviceID) -> UInt64 {
        statementSum(of: space, without: [device, peer])
    }

    private mutating func tellSum(of space: SpaceID, on session: SessionID) -> [EngineAction] {
        guard let peer = sessions[session]?.peer, mayHold(peer.device, space) else { return [] }
        let sum = statementSum(of: space, with: peer.device)
        return [.send(session, .heard(Heard(space: space, sum: sum)))]
    }

    /// A peer told its sum of a space. Where it is another one, this device tells its own in turn, a moment
    /// later; where they still differ then, the peer is asked for what it knows better.
    mutating func hearSum(
        _ sum: UInt64, of space: SpaceID, on session: SessionID, at now: Instant
    ) {
        guard let peer = sessions[session]?.peer,
            var said = sessions[session]?.spaces[space]?.statements
        else { return }
        if sum == statementSum(of: space, with: peer.device) {
            (said.otherSum, said.differsSince) = (nil, nil)
        } else if let since = said.differsSince,
            now.monotonic >= since + Limits.settlingMilliseconds
        {
            said.otherSum = sum
        } else {
            said.differsSince = said.differsSince ?? now.monotonic
            said.sumDue = said.sumDue ?? now.monotonic + Limits.settlingMilliseconds
        }
        sessions[session]?.spaces[space]?.statements = said
    }

    /// Asks one neighbour after the other, a range of devices at a time.
    mutating func askForStatements(at now: Instant) -> [EngineAction] {
        var actions: [EngineAction] = []
        for (space, walk) in walks.sorted(by: { $0.key < $1.key })
        where now.monotonic >= walk.due {
            guard walk.isWaiting, sessions[walk.session]?.spaces[space] != nil else {
                endWalk(of: space)
                continue
            }
            actions += nextStep(in: space, walk, at: now)
        }
        for session in sessions.keys.sorted() {
            guard let state = sessions[session] else { continue }
            for (space, shared) in state.spaces.sorted(by: { $0.key < $1.key })
            where walks[space] == nil {
                guard let sum = shared.statements.otherSum, mayHold(state.peer.device, space)
                else { continue }
                guard statementSum(of: space, with: state.peer.device) != sum else {
                    sessions[session]?.spaces[space]?.statements.otherSum = nil
                    continue
                }
                actions += nextStep(in: space, StatementWalk(session: session), at: now)
            }
        }
        return actions
    }

    private mutating func nextStep(
        in space: SpaceID, _ walk: StatementWalk, at now: Instant
    ) -> [EngineAction] {
        var walk = walk
        defer { walks[space] = walk }
        guard statementBudget.hasRoom(at: now.monotonic) else {
            walk.isWaiting = true
            walk.due = now.monotonic + Limits.statementPauseMilliseconds
            return []
        }
        walk.isWaiting = false
        walk.due = now.monotonic + Limits.heardMilliseconds
        let (entries, through) = entries(
            of: space, after: walk.after, through: nil, on: walk.session)
        let heard = Heard(
            space: space, after: walk.after, through: through, entries: entries, answer: false)
        statementBudget.spend(heard.cost)
        return [.send(walk.session, .heard(heard))]
    }

    /// What is known of a range of members, and where the range ends; nil when it goes to its end.
    private func entries(
        of space: SpaceID, after: DeviceID?, through: DeviceID?, on session: SessionID
    ) -> (entries: [Heard.Entry], through: DeviceID?) {
        let range = Heard(
            space: space, after: after, through: through, entries: [], answer: false)
        let peer = sessions[session]?.peer.device
        let known = Set((acks[space] ?? [:]).keys).union((holdings[space] ?? [:]).keys)
            .filter { $0 != device && $0 != peer && range.spans($0) && mayHold($0, space) }
        let first = known.sorted().prefix(Limits.heardEntries)
        return (
            first.map { latest(of: $0, in: space) },
            first.count < known.count ? first.last : through
        )
    }

    mutating func receive(
        _ heard: Heard, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard isHeld(heard.space, on: session),
            sessions[session]?.spaces[heard.space] != nil
        else { return [] }
        if let sum = heard.sum {
            hearSum(sum, of: heard.space, on: session, at: now)
            return askForStatements(at: now)
        }
        guard !heard.answer else { return answered(heard, on: session, at: now) }
        let (known, through) = entries(
            of: heard.space, after: heard.after, through: heard.through, on: session)
        let theirs = Dictionary(
            heard.entries.map { ($0.device, $0) }, uniquingKeysWith: { first, _ in first })
        var actions: [EngineAction] = []
        for entry in known {
            let (author, space) = (entry.device, heard.space)
            // What went over this session may have been dropped there.
            if entry.ack > theirs[author]?.ack ?? 0 {
                actions += tellAgain(ackOf: author, in: space, on: session)
            }
            if entry.holdings > theirs[author]?.holdings ?? 0 {
                actions += tellAgain(holdingsOf: author, in: space, on: session)
            }
        }
        let end = Heard(
            space: heard.space, after: heard.after, through: through, entries: [], answer: true)
        actions.append(.send(session, .heard(end)))
        return actions + askBack(heard, on: session, at: now)
    }

    /// Whoever asks shows what it has itself: of what is newer than here it is asked in turn.
    private mutating func askBack(
        _ heard: Heard, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        let space = heard.space
        let knowsMore = heard.entries.contains { entry in
            let latest = latest(of: entry.device, in: space)
            return mayHold(entry.device, space) && entry.device != device
                && (entry.ack > latest.ack || entry.holdings > latest.holdings)
        }
        guard knowsMore, walks[space] == nil else { return [] }
        return nextStep(in: space, StatementWalk(session: session), at: now)
    }

    /// A neighbour has sent what it knows better of a range.
    private mutating func answered(
        _ heard: Heard, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard var walk = walks[heard.space], walk.session == session, !walk.isWaiting,
            walk.after == heard.after
        else { return [] }
        guard let through = heard.through, walk.after.map({ $0 < through }) ?? true else {
            endWalk(of: heard.space)
            return askForStatements(at: now)
        }
        walk.after = through
        return nextStep(in: heard.space, walk, at: now)
    }

    private mutating func endWalk(of space: SpaceID) {
        guard let walk = walks.removeValue(forKey: space) else { return }
        sessions[walk.session]?.spaces[space]?.statements.otherSum = nil
        sessions[walk.session]?.spaces[space]?.statements.differsSince = nil
    }
}

/// One neighbour being asked for what it knows of all members, in the order of their ids.
struct StatementWalk {
    let session: SessionID
    /// How far it came; nil: nowhere yet.
    var after: DeviceID?
    /// The next step waits for its time; else an answer is due.
    var isWaiting = true
    var due: UInt64 = 0

    init(session: SessionID) {
        self.session = session
    }
}

extension EngineAction {
    /// About how many bytes a statement costs on the network.
    var statementCost: Int {
        switch self {
        case .send(_, .ack(let ack)): 180 + 92 * ack.said.watermark.heads.count
        case .send(_, .ackDifference(let difference)): 180 + 45 * difference.changes.count
        case .send(_, .holdings(let said)): 230 + 34 * said.said.missing.count
        default: 0
        }
    }
}

extension Heard {
    var cost: Int { 120 + 50 * entries.count }
}
