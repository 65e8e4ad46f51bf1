package import Identity
import LocalAPI
internal import Logging
import Records
internal import Store
package import SyncCore
internal import Synchronization
internal import Wire

/// What devices say to each other of rights beside their commits: that a space was taken, and what a
/// recovery key brings back.
package final class RightsExchange: Sendable {
    package typealias Send = @Sendable (PeerMessage, SessionID) -> Void

    /// A space that a key brought back, and the device that wrote it down.
    package struct Recovered: Sendable {
        package let offer: RecoveryOffer
        package let from: DeviceID
    }

    private struct State {
        /// While a person's key is here: who has still to answer, and what came of it.
        var key: PersonKey?
        var asked: Set<DeviceID> = []
        var recovered: [SpaceID: Recovered] = [:]
        /// The spaces that each session was told of.
        var told: [SessionID: Set<SpaceID>] = [:]
    }

    private let node: AgentNode
    private let send: Send
    private let state = Mutex(State())
    private let answers = Observable(0)

    package init(_ node: AgentNode, send: @escaping Send) {
        (self.node, self.send) = (node, send)
    }

    /// To be told of every message that a session brings.
    package func received(_ message: PeerMessage, from peer: DeviceID, on session: SessionID) {
        attempt(with: peer) {
            switch message {
            case .spaces(let summaries, _): try tell(summaries, peer, session)
            case .taken(let space, let commits): try node.hear(taken: commits, of: space)
            case .recoveryRequest(let signature): try offer(to: peer, signature, session)
            case .recoveryOffers(let offers): try sign(offers, peer, session)
            case .recoveryStatements(let statements):
                // Writing may wait; what comes next need not.
                Task { await write(statements, by: peer) }
            default: break
            }
        }
    }

    private func attempt(with peer: DeviceID, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            node.logger.note(
                .error, .store, "rights not exchanged", device: peer,
                details: ["why": .reason(error)])
        }
    }

    func ended(_ session: SessionID) {
        state.withLock { $0.told[session] = nil }
        answers.update { $0 += 1 }
    }

    // MARK: A space was taken

    /// Who lists a space that it had once, and may not have it by now, hears of that once a session.
    private func tell(
        _ summaries: [SpaceSummary], _ peer: DeviceID, _ session: SessionID
    ) throws {
        let own = node.identity.deviceID
        for summary in summaries {
            guard let proof = summary.proof, let ledger = node.store.ledger(of: summary.space)
            else { continue }
            guard !isHolder(peer, ledger, session),
                proof == SpaceView(ledger).proof(by: peer, to: own),
                node.permissions(in: summary.space).mayHold
            else { continue }
            try tell(ledger, peer, session)
        }
    }

    /// To be told when who may do what in a space changed: who is connected and lost it hears at once,
    /// also when nobody here trusts them any more.
    package func changed(in space: SpaceID, for sessions: [SessionID: DeviceID]) {
        guard let ledger = node.store.ledger(of: space), ledger.role == .shared,
            node.permissions(in: space).mayHold
        else { return }
        for (session, peer) in sessions where ledger.membership.isKnown(peer) {
            guard !isHolder(peer, ledger, session) else { continue }
            attempt(with: peer) { try tell(ledger, peer, session) }
        }
    }

    /// Whether a peer may have a space; should it lose it again, it is told once more.
    private func isHolder(_ peer: DeviceID, _ ledger: SpaceLedger, _ session: SessionID) -> Bool {
        guard ledger.membership.permissions(of: peer).mayHold else { return false }
        _ = state.withLock { $0.told[session]?.remove(ledger.space) }
        return true
    }

    private func tell(_ ledger: SpaceLedger, _ peer: DeviceID, _ session: SessionID) throws {
        let isNews = state.withLock {
            $0.told[session, default: []].insert(ledger.space).inserted
        }
        guard isNews else { return }
        let commits = try takings(from: peer, in: ledger)
        if !commits.isEmpty { send(.taken(ledger.space, commits), session) }
    }

    /// What took a space from a device, and what gave those who took it their right to: only this, as
    /// what else was written is nothing for who may not read it.
    private func takings(
        from peer: DeviceID, in ledger: SpaceLedger
    ) throws -> [UnverifiedCommit] {
        let takings = ledger.membership.takings(from: peer)
        var ids: [CommitID] = []
        for taking in takings {
            for id in ledger.membership.lineage(of: taking.author) + [taking.commit]
            where !ids.contains(id) {
                ids.append(id)
            }
        }
        let commits = try ids.compactMap { id in
            try node.store.commit(id).map { try CommitCodec().decode($0) }
        }
        let bare = commits.filter { $0.encoded.operations.isEmpty && !$0.header.isGenesis }
        var bytes = 0
        let last = bare.suffix(Limits.takenCommits).reversed().prefix { commit in
            bytes += commit.encoded.byteCount
            return bytes <= Limits.commitBatchBytes
        }
        return last.reversed()
    }

    // MARK: Recovery, on the member's side

    /// Says which spaces the key of the peer's person could give it, once it proves itself.
    private func offer(
        to peer: DeviceID, _ signature: [UInt8], _ session: SessionID
    ) throws {
        guard let card = try card(of: peer) else { return }
        let signed = RecoveryOffer.requestBytes(by: peer, to: node.identity.deviceID)
        guard
            Ed25519Verifier().isValid(
                signature: signature, over: Label.recovery.framing(signed),
                by: card.content.personKey)
        else {
            node.errors.note(peer, "a recovery key that is not its person's", as: "refused")
            return
        }
        var offers: [RecoveryOffer] = []
        for space in try SpaceDirectory(node).withDeleted() where space.sharedReference != nil {
            guard offers.count < Limits.recoveredSpaces,
                node.permissions(in: space.id).contains(.read),
                let grant = node.membership(of: space.id)?.recovery(of: card),
                let parent = grant.parent
            else { continue }
            offers.append(
                RecoveryOffer(
                    space: space.id, parent: parent, flags: grant.flags,
                    precedence: grant.precedence, title: space.name))
        }
        send(.recoveryOffers(offers), session)
    }

    private func card(of peer: DeviceID) throws -> Card? {
        try node.knownDevices().first { $0.card.device == peer }?.card
    }

    /// Writes down what the key of the peer's person gives the peer, and nothing else.
    private func write(_ statements: [UnverifiedPersonStatement], by peer: DeviceID) async {
        for statement in statements {
            guard node.store.ledger(of: statement.space)?.role == .shared,
                node.permissions(in: statement.space).contains(.read)
            else { continue }
            do {
                try await node.carry(statement, for: peer)
            } catch {
                node.logger.note(
                    .error, .spaces, "recovery not written", record: statement.space.logged,
                    device: peer, details: ["why": .reason(error)])
            }
        }
    }

    // MARK: Recovery, on the side of who has the key

    /// Asks everybody connected what this person's key brings back, and has it written there. Returns
    /// when all have answered, or after a while.
    package func recover(
        with key: PersonKey, on sessions: [DeviceID: SessionID]
    ) async -> [Recovered] {
        state.withLock { state in
            (state.key, state.asked, state.recovered) = (key, Set(sessions.keys), [:])
        }
        let own = node.identity.deviceID
        for (peer, session) in sessions {
            let signature = key.sign(
                .recovery, RecoveryOffer.requestBytes(by: own, to: peer))
            send(.recoveryRequest(signature), session)
        }
        do {
            _ = try await answers.first(within: .seconds(Limits.recoverySeconds)) { _ in
                self.state.withLock { $0.asked.isEmpty } ? true : nil
            }
        } catch {
            // Whoever asked went away; the key must not stay.
        }
        return state.withLock { state in
            state.key = nil
            return state.recovered.values.sorted { $0.offer.title < $1.offer.title }
        }
    }

    private func sign(
        _ offers: [RecoveryOffer], _ peer: DeviceID, _ session: SessionID
    ) throws {
        defer { answers.update { $0 += 1 } }
        let key = state.withLock { state -> PersonKey? in
            state.asked.remove(peer) == nil ? nil : state.key
        }
        guard let key, let card = node.identity.unverifiedCard else { return }
        var statements: [UnverifiedPersonStatement] = []
        for offer in offers {
            let isNews = state.withLock { state in
                guard state.recovered[offer.space] == nil else { return false }
                state.recovered[offer.space] = Recovered(offer: offer, from: peer)
                return true
            }
            guard isNews else { continue }
            let body = UnverifiedPersonStatement.Body.grant(
                UnverifiedGrant(
                    card: card, parent: offer.parent, flags: offer.flags, siblingIndex: 1,
                    precedence: offer.precedence))
            statements.append(key.statement(body, in: offer.space))
            try node.expect(offer, from: peer)
        }
        for first in stride(from: 0, to: statements.count, by: Limits.statementsAtOnce) {
            let batch = statements[first...].prefix(Limits.statementsAtOnce)
            send(.recoveryStatements(Array(batch)), session)
        }
    }
}

extension Limits {
    /// Person statements in one message: with the longest chains of cards they still fit a frame.
    static let statementsAtOnce = 64
    /// How long a recovery waits for the answers of those connected.
    static let recoverySeconds = 10
}
