/// Rules of what one event makes the engine ask for, looked at with everything as it is after that event. Of a
/// session that ended meanwhile nothing is known any more.
struct EngineRules {
    private let own: OwnState
    private let sessions: Sessions
    private let actions: [EngineAction]

    init(_ own: OwnState, _ sessions: Sessions, after actions: [EngineAction]) {
        (self.own, self.sessions, self.actions) = (own, sessions, actions)
    }

    func check() {
        Invariants.check(
            sessions.all.allSatisfy { !$0.isOver }, "a session that was ended is still open")
        Invariants.check(
            sessions.all.allSatisfy { !$0.isAnswered || $0.hasListed },
            "a peer answered and never said which spaces it holds")
        checkMessages()
        checkWords()
        checkWork()
        checkFiles()
    }

    // MARK: Messages

    private func checkMessages() {
        Invariants.check(
            sent.allSatisfy { peer, message in
                named(in: message).allSatisfy { own.spaces.mayHold(peer.device, $0) }
            }, "a device is told of a space that it may not have")
        Invariants.check(
            sent.allSatisfy { peer, message in
                guard case .commits(let space, let commits, _) = message else { return true }
                return own.spaces.mayRead(peer.device, space)
                    || commits.allSatisfy {
                        $0.header.epoch != nil || $0.encoded.operations.isEmpty
                    }
            }, "a device that only carries a space is sent what is not sealed")
        Invariants.check(
            sent.allSatisfy { _, message in
                guard case .watermark(let space, _, _, answer: false) = message else { return true }
                return !own.spaces.isUnanswered(space)
            }, "a peer is asked for a space that waits for an answer")
        Invariants.check(
            actions.allSatisfy(isReserved),
            "a device that may not have a space is told what is here")
    }

    /// What is sent on sessions that are open.
    private var sent: [(peer: PeerInfo, message: PeerMessage)] {
        actions.compactMap { action in
            guard case .send(let session, let message) = action,
                let peer = sessions[session]?.peer
            else { return nil }
            return (peer, message)
        }
    }

    /// The spaces of which a message says what only those may hear who may have them.
    private func named(in message: PeerMessage) -> [SpaceID] {
        switch message {
        case .spaces(let summaries, _): summaries.map(\.space)
        case .commits(let space, _, _): [space]
        case .ack(let ack): [ack.said.space]
        case .ackDifference(let difference): [difference.space]
        case .holdings(let holdings): [holdings.said.space]
        default: []
        }
    }

    /// Whether a watermark for a peer that may not have the space says only what came from that peer.
    private func isReserved(_ action: EngineAction) -> Bool {
        guard case .send(let session, .watermark(let space, let watermark, let forks, _)) = action,
            let state = sessions[session], !own.spaces.mayHold(state.peer.device, space)
        else { return true }
        let received = state.spaces[space]?.knowledge.received ?? Watermark()
        return forks.points.isEmpty && received.covers(watermark)
    }

    // MARK: Words for the shell

    private func checkWords() {
        for action in actions {
            switch action {
            case .offer(let space, _, let device):
                Invariants.check(
                    own.spaces[space] == nil && own.spaces.declined[space] == nil,
                    "a space is offered that is here, or that was declined")
                Invariants.check(
                    sessions.connectedDevices.contains(device),
                    "a space is offered by a device that is not connected")
            case .declined(let space, _, let device):
                Invariants.check(
                    own.spaces.mayHold(device, space),
                    "a device declines a space that it may not have")
            case .inSync(let device):
                Invariants.check(
                    sessions.connectedDevices.contains(device),
                    "a device holds the same that is not connected")
            case .ownLogAhead(_, let log, _):
                Invariants.check(
                    log.device == own.spaces.device, "the log of another device counts as own")
            case .seek(let devices), .hurry(let devices):
                Invariants.check(
                    devices.isDisjoint(with: sessions.connectedDevices.union([own.spaces.device])),
                    "a device is called that is connected, or is this one")
            default: break
            }
        }
    }

    // MARK: Work for the shell

    private func checkWork() {
        for action in actions {
            switch action {
            case .load(let session, let space, _, _):
                Invariants.check(
                    shared(space, session)?.sending.isReading != false,
                    "commits are read for a peer that does not wait for them")
            case .verify(let session, let space, _, _):
                Invariants.check(
                    shared(space, session)?.receiving.unapplied != 0,
                    "commits are checked that did not count as received")
            case .acknowledge(let space, _):
                Invariants.check(
                    own.statements.isSigning(space), "an ack is made that nobody waits for")
            case .reportHoldings(let space):
                Invariants.check(
                    !own.statements.reports.isCurrent(space),
                    "a report is made, and the last one counts as true")
            case .verifyAck(let ack, _): check(ack)
            case .verifyHoldings(let holdings, _): check(holdings)
            default: break
            }
        }
    }

    private func check<Said>(_ statement: UnverifiedStatement<Said>) {
        Invariants.check(
            own.spaces.mayHold(statement.said.device, statement.said.space),
            "a statement is checked of a device that may not have the space")
    }

    private func shared(_ space: SpaceID, _ session: SessionID) -> SharedSpace? {
        sessions[session]?.spaces[space]
    }

    // MARK: Files

    private func checkFiles() {
        let wanted = own.transfers.wanted
        for action in actions {
            switch action {
            case .sendBulk(let bulk, .want(let want)):
                Invariants.check(
                    own.transfers.bulks[bulk]?.isClosing == false,
                    "a connection that ends is asked for files")
                Invariants.check(
                    wanted.need(of: want.blob) != nil, "a blob is asked for that is not wanted")
            case .finishBlob(let need, _), .storeSmallBlob(let need, _, _):
                Invariants.check(
                    wanted.settling.contains(need.blob), "a blob is stored that is not all here")
                Invariants.check(
                    wanted.need(of: need.blob) == need,
                    "a blob is stored in another space than it is wanted in")
            case .closeBulk(let bulk):
                Invariants.check(
                    own.transfers.bulks[bulk]?.isClosing != false,
                    "a connection is closed that will be asked for more")
            case .blobStalled(let need):
                Invariants.check(
                    wanted.need(of: need.blob) != nil, "a blob waits that is not wanted")
            default: break
            }
        }
    }
}
