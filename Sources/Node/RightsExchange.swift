internal import Identity
internal import Records
internal import Store
package import SyncCore
internal import Wire

/// What devices say to each other of rights beside their commits: that a space was taken, and what a
/// recovery key brings back.
package struct RightsExchange: Sendable {
    /// A space that a key brought back, and the device that wrote it down.
    package struct Regained: Sendable {
        package let offer: RecoveryOffer
        package let from: DeviceID
    }

    private let work: EngineWork
    private var sessions: [SessionID: DeviceID] = [:]
    /// The spaces that each session was told of.
    private var told: [SessionID: Set<SpaceID>] = [:]
    /// Commits by which spaces were taken that are still on their way here. Peers tell of them once a session.
    private var early: [SpaceID: [UnverifiedCommit]] = [:]
    /// While a person's key is here: the devices that have still to answer, and the result.
    private var key: PersonKey?
    private var asked: Set<DeviceID> = []
    private var regained: [SpaceID: Regained] = [:]

    init(_ work: EngineWork) { self.work = work }

    mutating func opened(_ session: SessionID, _ peer: DeviceID) { sessions[session] = peer }

    mutating func closed(_ session: SessionID) {
        (sessions[session], told[session]) = (nil, nil)
    }

    mutating func received(
        _ message: PeerMessage, on session: SessionID
    ) throws -> [Node.Action] {
        guard let peer = sessions[session] else { return [] }
        switch message {
        case .spaces(let summaries, _): return try tell(summaries, peer, session)
        case .taken(let space, let commits): return try hear(taken: commits, of: space)
        case .recoveryRequest(let signature): return try offer(to: peer, signature, session)
        case .recoveryOffers(let offers): return sign(offers, peer, session)
        case .recoveryStatements(let statements) where try isPaired(peer):
            let those = try statements.filter { try mayCarry($0) }
            return those.isEmpty ? [] : [.carryOut(.statements(those, for: peer))]
        default: return []
        }
    }

    // MARK: A space was taken

    /// Once a session, tells a peer that lists a space it may no longer have.
    private mutating func tell(
        _ summaries: [SpaceSummary], _ peer: DeviceID, _ session: SessionID
    ) throws -> [Node.Action] {
        var actions: [Node.Action] = []
        for summary in summaries {
            guard let proof = summary.proof, let ledger = work.store.ledger(of: summary.space)
            else { continue }
            guard !isHolder(peer, ledger, session),
                proof == SpaceView(ledger).proof(by: peer, to: work.device),
                try work.notices.permissions(in: summary.space).mayHold
            else { continue }
            actions += tell(ledger, peer, session)
        }
        return actions
    }

    /// The membership of a space changed: connected peers that lost it hear at once, also when this device
    /// no longer trusts them.
    mutating func changed(in space: SpaceID) throws -> [Node.Action] {
        var actions = try hearAgain(of: space)
        guard let ledger = work.store.ledger(of: space), ledger.role == .shared,
            try work.notices.permissions(in: space).mayHold
        else { return actions }
        for (session, peer) in sessions.sorted(by: { $0.key.number < $1.key.number })
        where ledger.membership.facts.isKnown(peer) {
            guard !isHolder(peer, ledger, session) else { continue }
            actions += tell(ledger, peer, session)
        }
        return actions
    }

    /// Whether a peer may have a space; should it lose it again, it is told once more.
    private mutating func isHolder(
        _ peer: DeviceID, _ ledger: SpaceLedger, _ session: SessionID
    ) -> Bool {
        guard ledger.membership.permissions(of: peer).mayHold else { return false }
        told[session]?.remove(ledger.space)
        return true
    }

    private mutating func tell(
        _ ledger: SpaceLedger, _ peer: DeviceID, _ session: SessionID
    ) -> [Node.Action] {
        guard told[session]?.contains(ledger.space) != true else { return [] }
        do {
            let commits = try takings(from: peer, in: ledger)
            told[session, default: []].insert(ledger.space)
            return commits.isEmpty ? [] : [.send(.taken(ledger.space, commits), session)]
        } catch {
            // The others are told all the same.
            return [.note(.failed("rights not told", error))]
        }
    }

    /// What took a space from a device, and what gave those who took it their right to: only this, as
    /// what else was written is nothing for who may not read it.
    private func takings(
        from peer: DeviceID, in ledger: SpaceLedger
    ) throws -> [UnverifiedCommit] {
        let takings = ledger.membership.facts.takings(from: peer)
        var ids: [CommitID] = []
        for taking in takings {
            for id in GrantDescent(ledger.membership).lineage(of: taking.author) + [taking.commit]
            where !ids.contains(id) {
                ids.append(id)
            }
        }
        let commits = try ids.compactMap { id in
            try work.store.log.commit(id).map { try CommitCodec().decode($0) }
        }
        let bare = commits.filter { $0.encoded.operations.isEmpty && !$0.header.isGenesis }
        var bytes = 0
        let last = bare.suffix(Limits.takenCommits).reversed().prefix { commit in
            bytes += commit.encoded.byteCount
            return bytes <= Limits.commitBatchBytes
        }
        return last.reversed()
    }

    /// Believed when it proves itself: with these commits this device could not have the space.
    private mutating func hear(
        taken commits: [UnverifiedCommit], of space: SpaceID
    ) throws -> [Node.Action] {
        try UnsentLeaves(work.store).heard(commits, of: space, at: work.device) {
            work.notices.isTaken(by: commits, in: space)
        }
        guard work.notices.isHere(space) else {
            // One that was left is not on its way.
            let isAwaited = [.offered, .active].contains(work.store.spaces.standing(of: space))
            if isAwaited, early[space] != nil || early.count < Limits.earlyTakings {
                early[space] = commits
            }
            return []
        }
        guard try work.notices.hear(taken: commits, of: space) else { return [] }
        return [.taken(space, true), .note(.taken(space))]
    }

    /// The grant of this device has come: commits that were told of before are judged.
    private mutating func hearAgain(of space: SpaceID) throws -> [Node.Action] {
        guard work.notices.isHere(space), let commits = early.removeValue(forKey: space) else {
            return []
        }
        return try hear(taken: commits, of: space)
    }

    // MARK: Recovery, on the member's side

    /// A key can be stolen: it brings something back only where a person paired with that device.
    private func isPaired(_ peer: DeviceID) throws -> Bool {
        try work.store.devices.device(peer)?.isPaired == true
    }

    /// Says which spaces the key of the peer's person could give it, once it proves itself.
    private func offer(
        to peer: DeviceID, _ signature: [UInt8], _ session: SessionID
    ) throws -> [Node.Action] {
        guard try isPaired(peer) else { return [.send(.recoveryOffers([]), session)] }
        guard let card = try work.devices.card(of: peer) else { return [] }
        let signed = Label.recovery.framing(
            RecoveryOffer.requestBytes(by: peer, to: work.device))
        // The key that the person has in a space: it may have been exchanged there.
        func key(in ledger: SpaceLedger) -> Bytes32 {
            ledger.membership.keys.key(of: card.person) ?? card.content.personKey
        }
        let keys = Set(work.store.ledgers.values.map(key) + [card.content.personKey])
        let proven = keys.filter {
            work.signatures.isValid(signature: signature, over: signed, by: $0)
        }
        guard !proven.isEmpty else { return [.note(.falseKey(peer))] }
        let ledgers = work.joined.filter { proven.contains(key(in: $0)) }
        var offers: [RecoveryOffer] = []
        for ledger in ledgers where ledger.role == .shared {
            guard offers.count < Limits.recoveredSpaces,
                try work.notices.permissions(in: ledger.space).contains(.read),
                let grant = ledger.membership.recovery(of: card), let parent = grant.parent
            else { continue }
            offers.append(
                RecoveryOffer(
                    space: ledger.space, parent: parent, flags: grant.flags,
                    precedence: grant.precedence, title: try work.offers.title(of: ledger.space)))
        }
        return [.send(.recoveryOffers(offers), session)]
    }

    /// Only what the key of the peer's person gives the peer is written down, and nothing else.
    private func mayCarry(_ statement: UnverifiedPersonStatement) throws -> Bool {
        try work.store.ledger(of: statement.space)?.role == .shared
            && work.store.spaces.standing(of: statement.space) == .active
            && work.notices.permissions(in: statement.space).contains(.read)
    }

    // MARK: Recovery, on the side of who has the key

    /// Asks everybody connected who paired with this device what this person's key brings back, and has it
    /// written there.
    mutating func regain(with key: PersonKey) throws -> [Node.Action] {
        (self.key, asked, regained) = (key, try Set(sessions.values.filter(isPaired)), [:])
        var open = asked
        return sessions.sorted { $0.key.number < $1.key.number }.compactMap { session, peer in
            guard open.remove(peer) != nil else { return nil }
            let signature = key.sign(
                .recovery, RecoveryOffer.requestBytes(by: work.device, to: peer))
            return .send(.recoveryRequest(signature), session)
        }
    }

    /// Whether everybody who was asked has answered, or is gone.
    var isRecoveryAnswered: Bool { asked.isDisjoint(with: sessions.values) }

    /// What came of it; the key does not stay.
    mutating func endRegaining() -> [Regained] {
        key = nil
        return regained.values.sorted { $0.offer.title < $1.offer.title }
    }

    private mutating func sign(
        _ offers: [RecoveryOffer], _ peer: DeviceID, _ session: SessionID
    ) -> [Node.Action] {
        guard asked.remove(peer) != nil, let key, let card = work.card() else { return [] }
        var statements: [UnverifiedPersonStatement] = []
        var actions: [Node.Action] = []
        for offer in offers where regained[offer.space] == nil {
            do {
                actions.append(.adopt(try work.offers.expect(offer, from: peer)))
            } catch {
                actions.append(.note(.failed("recovered space not noted", error)))
                continue
            }
            regained[offer.space] = Regained(offer: offer, from: peer)
            let body = UnverifiedPersonStatement.Body.grant(
                UnverifiedGrant(
                    card: card, parent: offer.parent, flags: offer.flags, siblingIndex: 1,
                    precedence: offer.precedence))
            statements.append(key.statement(body, in: offer.space))
        }
        for first in stride(from: 0, to: statements.count, by: Limits.statementsAtOnce) {
            let batch = statements[first...].prefix(Limits.statementsAtOnce)
            actions.append(.send(.recoveryStatements(Array(batch)), session))
        }
        return actions
    }
}

extension PeerMessage {
    /// Whether it may say something of rights: all others need not be handed in.
    package var isOfRights: Bool {
        switch self {
        case .spaces, .taken, .recoveryRequest, .recoveryOffers, .recoveryStatements, .lossSum,
            .lossStatements:
            true
        default: false
        }
    }
}

extension Limits {
    /// Spaces on their way of which it is remembered that they were taken.
    static let earlyTakings = 16
    /// Person statements in one message: with the longest chains of cards they still fit a frame.
    static let statementsAtOnce = 64
    /// How long a recovery waits for the answers of those connected.
    package static let recoverySeconds = 10
}
