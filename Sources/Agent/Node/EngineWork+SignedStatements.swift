internal import Identity
internal import Store
internal import SyncCore
internal import Wire

/// Signed words: acknowledgements and holdings, own ones and those of others.
extension EngineWork {
    /// `said` is the greatest counter that is known to have been used before.
    func acknowledge(
        _ space: SpaceID, _ watermark: Watermark, beyond said: UInt64 = 0
    ) throws -> EngineEvent {
        var held = watermark
        if let ledger = store.ledger(of: space) {
            // A log may have turned out to be forked since: nothing counts beyond.
            for (log, fork) in ledger.forks where held.covers(log, fork.sequence) {
                held.cut(log, to: ledger.watermark.heads[log])
            }
        }
        return .ackSigned(
            try store.storeOwn(of: device, in: space, beyond: said, now: clock.wall) { counter in
                let ack = Ack(space: space, device: device, counter: counter, watermark: held)
                let bytes = AckCodec().encode(ack)
                return UnverifiedAck(
                    ack, bytes: bytes, signature: keys.sign(Ack.label, bytes))
            })
    }

    /// Keeps an ack whose signature holds and that is the device's latest. One of its own that is not
    /// here any more says what is not true any more: it is said anew.
    func store(_ ack: UnverifiedAck, from session: SessionID) throws -> [EngineEvent] {
        let said = ack.said
        guard isSigned(ack) else { return [] }
        if said.device == device {
            guard let ledger = store.ledger(of: said.space) else { return [] }
            return [try acknowledge(said.space, ledger.watermark, beyond: said.counter)]
        }
        return try store.store(SignedAck(verified: ack)) ? [.ackStored(ack, from: session)] : []
    }

    func reportHoldings(of space: SpaceID, beyond said: UInt64 = 0) throws -> EngineEvent {
        let counts = try store.blobCounts(of: space)
        // What is not missing need not be looked for.
        let missing =
            counts.named == counts.verified
            ? [] : try store.missingBlobs(of: space, limit: Limits.holdingsMissing)
        return .holdingsSigned(
            try store.storeOwn(of: device, in: space, beyond: said, now: clock.wall) { counter in
                let holdings = Holdings(
                    space: space, device: device, counter: counter,
                    held: UInt64(counts.verified), missing: missing.map(\.blob),
                    missingCount: UInt64(counts.named - counts.verified),
                    missingBytes: counts.namedBytes - counts.verifiedBytes)
                let bytes = HoldingsCodec().encode(holdings)
                return UnverifiedHoldings(
                    holdings, bytes: bytes, signature: keys.sign(Holdings.label, bytes))
            })
    }

    func store(_ holdings: UnverifiedHoldings, from session: SessionID) throws -> [EngineEvent] {
        let said = holdings.said
        guard isSigned(holdings) else { return [] }
        if said.device == device {
            guard store.ledger(of: said.space) != nil else { return [] }
            return [try reportHoldings(of: said.space, beyond: said.counter)]
        }
        return try store.store(SignedHoldings(verified: holdings))
            ? [.holdingsStored(holdings, from: session)] : []
    }

    /// Whether the device that a statement names, and whose card was seen, has signed it.
    private func isSigned<Said>(_ statement: UnverifiedStatement<Said>) -> Bool {
        guard let key = store.keys[statement.said.device] else { return false }
        return signatures.isValid(
            signature: statement.signature, over: Said.label.framing(statement.bytes), by: key)
    }
}
