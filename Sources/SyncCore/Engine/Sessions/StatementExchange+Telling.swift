/// What this device and others hold: own acks go to every peer, those of others to peers that do not
/// hear them.
extension StatementExchange {
    /// What this device has of a space: told once, when a peer lists or acknowledges it. Earlier the
    /// peer would not have the space to keep this in. Of what others have it asks itself, unless it
    /// does not know how to.
    mutating func tellOnce(_ own: OwnState) -> [EngineAction] {
        guard isHeld(own.spaces), !isTold else { return [] }
        isTold = true
        let told =
            peer.tellsReach ? [own.spaces.device] : own.statements.authors(in: space).sorted()
        return told.flatMap { tell(ackOf: $0, own) } + told.flatMap { tell(holdingsOf: $0, own) }
    }

    /// Sends the latest ack of a device, unless the session carried it: as a difference, where an
    /// earlier one went over it.
    mutating func tell(ackOf author: DeviceID, _ own: OwnState) -> [EngineAction] {
        guard let ack = own.statements.acks[space]?[author], isHeld(own.spaces),
            author != peer.device
        else { return [] }
        let base = acks[author]
        guard base?.counter ?? 0 < ack.said.counter else { return [] }
        note(ack.said)
        if let base, peer.tellsReach,
            let difference = AckDifference(
                ack, since: base, device: author == own.spaces.device ? nil : author)
        {
            return [.send(session, .ackDifference(difference))]
        }
        return [.send(session, .ack(ack))]
    }

    mutating func tell(holdingsOf author: DeviceID, _ own: OwnState) -> [EngineAction] {
        let latest = own.statements.latest(of: author, in: space).holdings
        guard author != peer.device, holdings[author] ?? 0 < latest else { return [] }
        return tellAgain(holdingsOf: author, own)
    }

    /// The whole ack, for who cannot make it from a difference.
    mutating func tellAgain(ackOf author: DeviceID, _ own: OwnState) -> [EngineAction] {
        guard let ack = own.statements.acks[space]?[author], isHeld(own.spaces) else { return [] }
        note(ack.said)
        return [.send(session, .ack(ack))]
    }

    /// Says what a device holds also where the session carried it before.
    mutating func tellAgain(holdingsOf author: DeviceID, _ own: OwnState) -> [EngineAction] {
        guard let said = own.statements.holdings[space]?[author], isHeld(own.spaces) else {
            return []
        }
        note(said.said)
        return [.send(session, .holdings(said))]
    }

    // MARK: In time

    fileprivate mutating func flushOwnAck(_ own: OwnState, at now: Instant) -> [EngineAction] {
        guard let due = ownAckDue, due <= now.monotonic, !own.statements.isSigning(space) else {
            return []
        }
        ownAckDue = nil
        return tell(ackOf: own.spaces.device, own)
    }

    /// Sends what waits for its time, as far as it may cost something now.
    fileprivate mutating func flush(
        _ reach: Reach, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        var actions: [EngineAction] = []
        if let due = sumDue, due <= now.monotonic {
            sumDue = nil
            actions += tellSum(&own)
        }
        guard areRelaysDue(at: now) else { return actions }
        while own.statements.budget.hasRoom(at: now.monotonic) {
            guard let author = nextRelay() else {
                relaysDue = nil
                return actions
            }
            // It may have met the author meanwhile.
            guard !reach.path(from: author, to: peer.device, in: space).isDirect else {
                continue
            }
            let told = tell(ackOf: author, own) + tell(holdingsOf: author, own)
            own.statements.budget.spend(told.reduce(0) { $0 + $1.statementCost })
            actions += told
        }
        relaysDue = now.monotonic + Limits.statementPauseMilliseconds
        return actions
    }

    private func tellSum(_ own: inout OwnState) -> [EngineAction] {
        guard isHeld(own.spaces) else { return [] }
        let sum = own.statementSum(of: space, with: peer.device)
        return [.send(session, .heard(Heard(space: space, sum: sum)))]
    }

    /// Marks what a device said as to be told to a peer that it does not reach, where this device is
    /// the neighbour to do so. Where that cannot be known, the reach compare sums later.
    mutating func relay(
        _ author: DeviceID, _ reach: Reach, reaching others: Int, _ own: OwnState,
        at now: Instant
    ) -> [EngineAction] {
        guard peer.device != author, isHeld(own.spaces) else { return [] }
        guard peer.tellsReach else {
            return tell(ackOf: author, own) + tell(holdingsOf: author, own)
        }
        let path = reach.path(from: author, to: peer.device, in: space)
        if path.isDirect { return [] }
        // One with few reach hears it from each: the others may not have heard it.
        if path.rank == 0 || !path.isNear && others < Limits.fewNeighbours {
            addRelay(author, due: now.monotonic + Limits.relayMilliseconds)
        } else if !reach.isConnected(author), own.spaces.device < peer.device {
            sumDue = sumDue ?? now.monotonic + Limits.sumMilliseconds
        }
        return []
    }
}

extension SharedSpaces {
    func hasDueRelays(at now: Instant) -> Bool {
        values.contains { $0.statements.areRelaysDue(at: now) }
    }

    mutating func flushOwnAcks(_ own: OwnState, at now: Instant) -> [EngineAction] {
        each { $0.statements.flushOwnAck(own, at: now) }
    }

    /// Peers that wait for a command hear at once what is here.
    mutating func hurryOwnAcks(_ own: OwnState, at now: Instant) -> [EngineAction] {
        each { shared in
            if shared.statements.ownAckDue != nil { shared.statements.dueOwnAck(at: now.monotonic) }
            return shared.statements.flushOwnAck(own, at: now)
        }
    }

    mutating func flushStatements(
        _ reach: Reach, _ own: inout OwnState, at now: Instant
    ) -> [EngineAction] {
        flushOwnAcks(own, at: now) + each { $0.statements.flush(reach, &own, at: now) }
    }
}
