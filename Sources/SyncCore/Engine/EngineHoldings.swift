/// Which device holds which files: the ground of the copy ledger, and of what waits for whom.
extension Engine {
    mutating func keep(_ holdings: UnverifiedHoldings) {
        let said = holdings.said
        self.holdings[said.space, default: [:]][said.device] = holdings
        hear(said)
    }

    private mutating func hear(_ said: Holdings) {
        guard said.device != device else { return }
        transfers.heard(
            said.device, lacks: said.missing,
            isWhole: said.missingCount <= UInt64(said.missing.count), of: said.space)
    }

    /// Asks for a report on every space whose files changed, not too often.
    mutating func dueReports(at now: Instant) -> [EngineAction] {
        guard !dueHoldings.isEmpty,
            now.monotonic >= lastHoldings + Limits.holdingsIntervalMilliseconds
        else { return [] }
        defer { dueHoldings = [] }
        lastHoldings = now.monotonic
        reporting.formUnion(dueHoldings)
        return dueHoldings.sorted().map { .reportHoldings($0) }
    }

    /// Another device's holdings, verified and stored: told to the others.
    mutating func relay(
        _ holdings: UnverifiedHoldings, from source: SessionID
    ) -> [EngineAction] {
        keep(holdings)
        return sendToReaders(holdings, except: source)
    }

    mutating func sendOwn(_ holdings: UnverifiedHoldings) -> [EngineAction] {
        keep(holdings)
        reporting.remove(holdings.said.space)
        return sendToReaders(holdings, except: nil)
    }

    private func sendToReaders(
        _ holdings: UnverifiedHoldings, except source: SessionID?
    ) -> [EngineAction] {
        let said = holdings.said
        return sessions.keys.sorted().compactMap { session in
            guard session != source, let peer = sessions[session]?.peer,
                peer.device != said.device, mayRead(peer.device, said.space)
            else { return nil }
            return .send(session, .holdings(holdings))
        }
    }
}

// MARK: Statements that are not the latest

extension Engine {
    /// A statement older than the one kept is answered with that one. Its author may have gone back to a
    /// copy, with a clock that was set back since: it then counts on from what it said before.
    mutating func receive(_ ack: UnverifiedAck, on session: SessionID) -> [EngineAction] {
        let said = ack.said
        guard mayRead(said.device, said.space), mayKnow(said.space, on: session) else {
            return []
        }
        guard let known = acks[said.space]?[said.device], said.counter <= known.said.counter else {
            return [.verifyAck(ack, from: session)]
        }
        let isOlder = said.counter < known.said.counter && isRead(said.space, on: session)
        return isOlder ? [.send(session, .ack(known))] : []
    }

    mutating func receive(
        _ holdings: UnverifiedHoldings, on session: SessionID
    ) -> [EngineAction] {
        let said = holdings.said
        guard mayRead(said.device, said.space), mayKnow(said.space, on: session) else {
            return []
        }
        guard let known = self.holdings[said.space]?[said.device],
            said.counter <= known.said.counter
        else { return [.verifyHoldings(holdings, from: session)] }
        // Said again: it may give now what it did not give before.
        if said.counter == known.said.counter, sessions[session]?.peer.device == said.device {
            hear(known.said)
        }
        let isOlder =
            said.counter < known.said.counter && isRead(said.space, on: session)
        return isOlder ? [.send(session, .holdings(known))] : []
    }
}
