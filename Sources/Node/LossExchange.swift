internal import Identity
internal import Store
internal import SyncCore
internal import Wire

/// How statements about lost devices travel: each side of a session says what it knows of people whom the
/// other one may know. What follows from them, ``PeerDevices`` does.
struct LossExchange: Sendable {
    private let work: EngineWork
    private var sessions: [SessionID: DeviceID] = [:]
    /// Of whom each peer could know when it was told last.
    private var people: [SessionID: Set<PersonID>] = [:]
    /// How many statements each session brought that were new: somebody could make them without end.
    private var brought: [SessionID: Int] = [:]
    /// People of statements that were left aside, as this device did not share a space with them and the peer yet.
    private var unheard: [SessionID: Set<PersonID>] = [:]

    init(_ work: EngineWork) { self.work = work }

    /// One sum says whether both know the same. A device that knows nothing waits for the other's.
    mutating func opened(_ session: SessionID, _ peer: DeviceID) throws -> [Node.Action] {
        sessions[session] = peer
        return try tellNews(session, peer)
    }

    /// Members of a space changed: peers may now know other devices than before.
    mutating func peopleChanged() throws -> [Node.Action] {
        try sessions.sorted { $0.key.number < $1.key.number }.flatMap { session, peer in
            try tellNews(session, peer)
        }
    }

    /// The sum of what is known, when that may be of more people than before. It is also sent for nothing where
    /// the peer knows of them: the peer says it again.
    private mutating func tellNews(
        _ session: SessionID, _ peer: DeviceID
    ) throws -> [Node.Action] {
        let asked = unheard[session] ?? []
        guard try !asked.isEmpty || !work.losses.all().isEmpty else { return [] }
        let now = try people(for: peer)
        let before = people.updateValue(now, forKey: session) ?? []
        let isAsking = !asked.isDisjoint(with: now)
        if isAsking { unheard[session] = asked.subtracting(now) }
        guard isAsking || !now.isSubset(of: before) else { return [] }
        let known = try work.losses.statements(about: now)
        guard isAsking || !known.isEmpty else { return [] }
        return [.send(.lossSum(LossBook.sum(of: known)), session)]
    }

    /// What a peer says of people whom both do not share is not believed; it may hold for a space that this device
    /// is about to receive.
    private mutating func leaveAside(
        _ statements: [UnverifiedLossStatement], of people: Set<PersonID>, on session: SessionID
    ) {
        let strangers = Set(statements.map(\.said.person)).subtracting(people)
        guard !strangers.isEmpty else { return }
        let room = Limits.lossStatementsOfSession - (unheard[session]?.count ?? 0)
        unheard[session, default: []].formUnion(strangers.sorted().prefix(max(room, 0)))
    }

    /// Statements that came could not be kept: a peer that knows more says them again.
    func askAgain() throws -> [Node.Action] {
        try sessions.sorted { $0.key.number < $1.key.number }.map { session, peer in
            .send(.lossSum(LossBook.sum(of: try statements(for: peer))), session)
        }
    }

    mutating func closed(_ session: SessionID) {
        (sessions[session], people[session]) = (nil, nil)
        (brought[session], unheard[session]) = (nil, nil)
    }

    /// Returns what was new as well.
    mutating func received(
        _ message: PeerMessage, on session: SessionID
    ) throws -> (actions: [Node.Action], new: [UnverifiedLossStatement]) {
        guard let peer = sessions[session] else { return ([], []) }
        switch message {
        case .lossSum(let sum):
            let known = try statements(for: peer)
            guard sum != LossBook.sum(of: known) else { return ([], []) }
            return (send(known, on: session, isAnswer: false), [])
        case .lossStatements(let statements, let isAnswer):
            guard (brought[session] ?? 0) < Limits.lossStatementsOfSession else {
                return ([], [])
            }
            let people = try people(for: peer)
            let meant = statements.filter { people.contains($0.said.person) }
            leaveAside(statements, of: people, on: session)
            guard let fresh = try work.losses.fresh(among: meant) else {
                return ([.end(session)], [])
            }
            brought[session, default: 0] += fresh.count
            let new = try work.losses.keep(fresh, now: work.clock.wall)
            let spread = try spread(new, except: session)
            guard !isAnswer else { return (spread, new) }
            let theirs = Set(statements.map(\.id))
            let more = try work.losses.statements(about: people)
                .filter { !theirs.contains($0.id) }
            return (spread + (more.isEmpty ? [] : send(more, on: session, isAnswer: true)), new)
        default: return ([], [])
        }
    }

    /// Tells everybody who is connected and may know of it.
    func spread(
        _ new: [UnverifiedLossStatement], except source: SessionID? = nil
    ) throws -> [Node.Action] {
        guard !new.isEmpty else { return [] }
        var actions: [Node.Action] = []
        for (session, peer) in sessions.sorted(by: { $0.key.number < $1.key.number })
        where session != source {
            let people = try people(for: peer)
            let meant = new.filter { people.contains($0.said.person) }
            if !meant.isEmpty { actions += send(meant, on: session, isAnswer: true) }
        }
        return actions
    }

    /// In portions; only after the last one the peer says what it knows more.
    private func send(
        _ statements: [UnverifiedLossStatement], on session: SessionID, isAnswer: Bool
    ) -> [Node.Action] {
        let step = Limits.lossStatementsAtOnce
        var rest = statements[...]
        var actions: [Node.Action] = []
        repeat {
            let portion = Array(rest.prefix(step))
            rest = rest.dropFirst(step)
            let isLast = rest.isEmpty
            actions.append(
                .send(.lossStatements(portion, answer: isAnswer || !isLast), session))
        } while !rest.isEmpty
        return actions
    }

    private func statements(for peer: DeviceID) throws -> [UnverifiedLossStatement] {
        guard try !work.losses.all().isEmpty else { return [] }
        return try work.losses.statements(about: people(for: peer))
    }

    /// This person, the peer's, and those of spaces that both may read.
    private func people(for peer: DeviceID) throws -> Set<PersonID> {
        var people: Set<PersonID> = [work.person]
        if let person = try work.store.devices.device(peer)?.person { people.insert(person) }
        for ledger in work.store.ledgers.values {
            let both = [peer, work.device].allSatisfy {
                ledger.membership.permissions(of: $0).contains(.read)
            }
            if both { people.formUnion(ledger.membership.people) }
        }
        return people
    }
}
