/// Which device holds which files: the ground of the copy ledger, and of what waits for whom.
extension Engine {
    /// What a device lacks decides whom this one asks for files.
    mutating func hear(_ said: Holdings) {
        guard said.device != device else { return }
        transfers.heard(
            said.device, lacks: said.missing,
            isWhole: said.missingCount <= UInt64(said.missing.count), of: said.space)
    }

    /// Asks for a report on every space whose files changed, not too often.
    mutating func dueReports(at now: Instant) -> [EngineAction] {
        fileReports.begin(at: now.monotonic).map { .reportHoldings($0) }
    }

    /// Every peer that holds the space hears at once what this device has of it.
    mutating func sendOwn(_ holdings: UnverifiedHoldings) -> [EngineAction] {
        let space = holdings.said.space
        let isSaidAgain = holdings.said.counter == self.holdings[space]?[device]?.said.counter
        let isAsked = fileReports.signed(space)
        keep(holdings)
        return sessions.filter { $0.value.spaces[space] != nil }.keys.sorted().flatMap {
            isSaidAgain && isAsked
                ? tellAgain(holdingsOf: device, in: space, on: $0)
                : tell(holdingsOf: device, in: space, on: $0)
        }
    }

    /// Says what a device holds also where the session carried it before.
    mutating func tellAgain(
        holdingsOf author: DeviceID, in space: SpaceID, on session: SessionID
    ) -> [EngineAction] {
        guard let said = holdings[space]?[author], isHeld(space, on: session) else { return [] }
        sessions[session]?.spaces[space]?.statements.note(said.said)
        return [.send(session, .holdings(said))]
    }

    mutating func receive(
        _ holdings: UnverifiedHoldings, on session: SessionID
    ) -> [EngineAction] {
        let said = holdings.said
        guard mayHold(said.device, said.space), mayKnow(said.space, on: session) else {
            return []
        }
        sessions[session]?.spaces[said.space]?.statements.note(said)
        guard let known = self.holdings[said.space]?[said.device],
            said.counter <= known.said.counter
        else { return [.verifyHoldings(holdings, from: session)] }
        // Said again: it may give now what it did not give before.
        if said.counter == known.said.counter, sessions[session]?.peer.device == said.device {
            hear(known.said)
        }
        let isOlder =
            said.counter < known.said.counter && isHeld(said.space, on: session)
        return isOlder ? [.send(session, .holdings(known))] : []
    }
}
