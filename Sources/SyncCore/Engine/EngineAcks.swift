/// What this device and others hold: own acks go to every peer, those of others to peers that do not
/// hear them.
extension Engine {
    /// An ack of this device that is being made.
    struct OwnAck {
        var isSigning = false
        /// Who is to hear at once of something that it does not cover.
        var again: Set<SessionID>?
    }

    // MARK: Own acks

    /// Asks for an ack of all that is here now: at once to the peer that delivered it, whose window
    /// waits for it, and to those who would bring it next; to the others a moment later.
    mutating func acknowledge(
        _ space: SpaceID, to hurried: Set<SessionID>, at now: Instant
    ) -> [EngineAction] {
        guard let view = spaces[space] else { return [] }
        for session in sessions.keys {
            let wait = hurried.contains(session) ? 0 : Limits.ackMilliseconds
            let due = now.monotonic + wait
            let known = sessions[session]?.spaces[space]?.statements.ownAckDue
            sessions[session]?.spaces[space]?.statements.ownAckDue = min(known ?? due, due)
        }
        guard ownAcks[space]?.isSigning != true else {
            let waiting = ownAcks[space]?.again ?? []
            ownAcks[space]?.again = waiting.union(hurried)
            return []
        }
        ownAcks[space] = OwnAck(isSigning: true)
        return [.acknowledge(space, view.watermark)]
    }

    mutating func signed(_ ack: UnverifiedAck, at now: Instant) -> [EngineAction] {
        let space = ack.said.space
        keep(ack)
        let again = ownAcks[space]?.again
        ownAcks[space] = nil
        let actions = sessions.keys.sorted().flatMap { flushOwnAcks(on: $0, at: now) }
        guard let again else { return actions }
        return actions + acknowledge(space, to: again, at: now)
    }

    /// Nothing was signed; what waited for it hears of it another time.
    mutating func notSigned(_ space: SpaceID, at now: Instant) {
        ownAcks[space] = nil
        fileReports.notSigned(space)
        for session in sessions.keys {
            sessions[session]?.spaces[space]?.statements.ownAckDue = nil
        }
        unstored.note(space, at: now.monotonic)
    }

    /// Whoever waits for a command hears at once what is here.
    mutating func hurryOwnAcks(at now: Instant) -> [EngineAction] {
        sessions.keys.sorted().flatMap { session -> [EngineAction] in
            for space in sessions[session]?.spaces.keys.sorted() ?? []
            where sessions[session]?.spaces[space]?.statements.ownAckDue != nil {
                sessions[session]?.spaces[space]?.statements.ownAckDue = now.monotonic
            }
            return flushOwnAcks(on: session, at: now)
        }
    }

    mutating func flushOwnAcks(on session: SessionID, at now: Instant) -> [EngineAction] {
        (sessions[session]?.spaces.keys.sorted() ?? []).flatMap { space -> [EngineAction] in
            guard let due = sessions[session]?.spaces[space]?.statements.ownAckDue,
                due <= now.monotonic, ownAcks[space]?.isSigning != true
            else { return [] }
            sessions[session]?.spaces[space]?.statements.ownAckDue = nil
            return tell(ackOf: device, in: space, on: session)
        }
    }

    // MARK: Sending

    /// Sends the latest ack of a device, unless the session carried it: as a difference, where an
    /// earlier one went over it.
    mutating func tell(
        ackOf author: DeviceID, in space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let ack = acks[space]?[author], let state = sessions[session],
            mayHold(state.peer.device, space), author != state.peer.device,
            let shared = state.spaces[space]
        else { return [] }
        let base = shared.statements.acks[author]
        guard base?.counter ?? 0 < ack.said.counter else { return [] }
        sessions[session]?.spaces[space]?.statements.note(ack.said)
        if let base, state.peer.tellsReach,
            let difference = AckDifference(
                ack, since: base, device: author == device ? nil : author)
        {
            return [.send(session, .ackDifference(difference))]
        }
        return [.send(session, .ack(ack))]
    }

    /// The whole ack, for who cannot make it from a difference.
    mutating func tellAgain(
        ackOf author: DeviceID, in space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let ack = acks[space]?[author], isHeld(space, on: session) else { return [] }
        sessions[session]?.spaces[space]?.statements.note(ack.said)
        return [.send(session, .ack(ack))]
    }

    // MARK: Receiving

    /// A statement older than the one kept is answered with that one. Its author may have gone back to a
    /// copy, with a clock that was set back since: it then counts on from what it said before.
    mutating func receive(
        _ ack: UnverifiedAck, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        let said = ack.said
        guard mayHold(said.device, said.space), mayKnow(said.space, on: session) else {
            return []
        }
        sessions[session]?.spaces[said.space]?.statements.note(said)
        if walks[said.space]?.session == session {
            statementBudget.spend(EngineAction.send(session, .ack(ack)).statementCost)
        }
        guard let known = acks[said.space]?[said.device], said.counter <= known.said.counter else {
            // Of itself a peer is believed on its own connection: what it has need not be sent, and its
            // window is free. Others are told once the signature is checked.
            let isOwn = sessions[session]?.peer.device == said.device
            let freed = isOwn ? acknowledged(said, on: session, at: now) : []
            return freed + [.verifyAck(ack, from: session)]
        }
        let isOlder = said.counter < known.said.counter && isHeld(said.space, on: session)
        return isOlder ? [.send(session, .ack(known))] : []
    }

    mutating func receive(
        _ difference: AckDifference, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        let space = difference.space
        guard let state = sessions[session] else { return [] }
        let author = difference.device ?? state.peer.device
        guard mayHold(author, space), mayKnow(space, on: session) else { return [] }
        let known = acks[space]?[author]?.said
        guard known?.counter ?? 0 < difference.counter else { return [] }
        let bases = [state.spaces[space]?.statements.acks[author], known].compactMap(\.self)
        guard let ack = bases.lazy.compactMap({ difference.ack(after: $0) }).first else {
            return [.send(session, .ackWanted(space, author))]
        }
        return receive(ack, on: session, at: now)
    }

    /// Another device's ack, verified and stored: it goes on to peers that its author does not reach.
    mutating func take(
        _ ack: UnverifiedAck, from source: SessionID, at now: Instant
    ) -> [EngineAction] {
        keep(ack)
        let space = ack.said.space
        var actions: [EngineAction] = []
        for session in sessions.keys.sorted()
        where sessions[session]?.peer.device == ack.said.device {
            actions += acknowledged(ack.said, on: session, at: now)
            let told = statements(about: space, on: session)
            // It has just got the space, and knows nothing yet of what others said of it.
            if !told.isEmpty { sessions[session]?.dueAnnouncements.insert(space) }
            actions += told + flushAnnouncements(on: session, at: now)
        }
        return actions + relay(ack.said.device, in: space, from: source, at: now)
    }

    private mutating func acknowledged(
        _ ack: Ack, on session: SessionID, at now: Instant
    ) -> [EngineAction] {
        guard var shared = sessions[session]?.spaces[ack.space] else { return [] }
        transfers.reconsider(ack.device, in: ack.space)
        let known = spaces[ack.space]?.watermark ?? Watermark()
        shared.sending.acknowledge(ack.watermark)
        shared.peer.acknowledge(
            ack.watermark, ofLogsIn: known, knowing: spaces[ack.space]?.forks ?? [:])
        if let remote = shared.remote { shared.late.settle(remote) }
        sessions[session]?.spaces[ack.space] = shared
        // It may have told of something that nobody brings here.
        if !known.covers(ack.watermark) { noteChange(on: session, at: now) }
        if sessions[session]?.changedSince != nil, isKnownEqual(session) {
            sessions[session]?.changedSince = nil
            if let peer = sessions[session]?.peer { return [.inSync(peer.device)] }
        }
        return loadNext(ack.space, on: session)
    }
}
