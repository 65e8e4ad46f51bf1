/// Which device holds which files: the ground of the copy ledger, and of what waits for whom.
extension Engine {
    mutating func keep(_ holdings: UnverifiedHoldings) {
        let said = holdings.holdings
        self.holdings[said.space, default: [:]][said.device] = holdings
    }

    /// Asks for a report on every space whose files changed, not too often.
    mutating func dueReports(at now: Instant) -> [EngineAction] {
        guard !dueHoldings.isEmpty,
            now.monotonic >= lastHoldings + Limits.holdingsIntervalMilliseconds
        else { return [] }
        defer { dueHoldings = [] }
        lastHoldings = now.monotonic
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
        return sendToReaders(holdings, except: nil)
    }

    private func sendToReaders(
        _ holdings: UnverifiedHoldings, except source: SessionID?
    ) -> [EngineAction] {
        let said = holdings.holdings
        return sessions.keys.sorted().compactMap { session in
            guard session != source, let peer = sessions[session]?.peer,
                peer.device != said.device, mayRead(peer.device, said.space)
            else { return nil }
            return .send(session, .holdings(holdings))
        }
    }
}
