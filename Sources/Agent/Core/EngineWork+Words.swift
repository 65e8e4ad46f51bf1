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
        let counter = try nextCounter(in: space, beyond: said)
        var held = watermark
        if let ledger = store.ledger(of: space) {
            // A log may have turned out to be forked since: nothing counts beyond.
            for (log, fork) in ledger.forks where held.covers(log, fork.sequence) {
                held.cut(log, to: ledger.watermark.heads[log])
            }
        }
        let ack = Ack(space: space, device: device, counter: counter, watermark: held)
        let bytes = AckCodec().encode(ack)
        let signed = UnverifiedAck(
            ack: ack, bytes: bytes, signature: keys.sign(.acknowledgement, bytes))
        _ = try store.store(SignedAck(verified: signed))
        return .ackSigned(signed)
    }

    /// Keeps an ack whose signature holds and that is the device's latest. One of its own that is not
    /// here any more says what is not true any more: it is said anew.
    func store(_ ack: UnverifiedAck, from session: SessionID) throws -> [EngineEvent] {
        let said = ack.ack
        guard isSigned(ack.bytes, .acknowledgement, ack.signature, by: said.device) else {
            return []
        }
        if said.device == device {
            guard let ledger = store.ledger(of: said.space) else { return [] }
            return [try acknowledge(said.space, ledger.watermark, beyond: said.counter)]
        }
        return try store.store(SignedAck(verified: ack)) ? [.ackStored(ack, from: session)] : []
    }

    private func nextCounter(in space: SpaceID, beyond said: UInt64) throws -> UInt64 {
        let next = try store.nextCounter(of: device, in: space, now: clock.wall)
        return max(next, min(said, UInt64(Int64.max) - 1) + 1)
    }

    func reportHoldings(of space: SpaceID, beyond said: UInt64 = 0) throws -> EngineEvent {
        let counts = try store.blobCounts(of: space)
        let missing = try store.missingBlobs(of: space, limit: Limits.holdingsMissing)
        let holdings = Holdings(
            space: space, device: device,
            counter: try nextCounter(in: space, beyond: said),
            held: UInt64(counts.verified), missing: missing.map(\.blob),
            missingCount: UInt64(counts.named - counts.verified),
            missingBytes: counts.namedBytes - counts.verifiedBytes)
        let bytes = HoldingsCodec().encode(holdings)
        let signed = UnverifiedHoldings(
            holdings: holdings, bytes: bytes, signature: keys.sign(.holdings, bytes))
        _ = try store.store(SignedHoldings(verified: signed))
        return .holdingsSigned(signed)
    }

    func store(_ holdings: UnverifiedHoldings, from session: SessionID) throws -> [EngineEvent] {
        let said = holdings.holdings
        guard isSigned(holdings.bytes, .holdings, holdings.signature, by: said.device) else {
            return []
        }
        if said.device == device {
            guard store.ledger(of: said.space) != nil else { return [] }
            return [try reportHoldings(of: said.space, beyond: said.counter)]
        }
        return try store.store(SignedHoldings(verified: holdings))
            ? [.holdingsStored(holdings, from: session)] : []
    }

    /// Whether a device whose card was seen has signed these bytes for this purpose.
    private func isSigned(
        _ bytes: [UInt8], _ label: Label, _ signature: [UInt8], by device: DeviceID
    ) -> Bool {
        guard let key = store.keys[device] else { return false }
        return signatures.isValid(signature: signature, over: label.framing(bytes), by: key)
    }
}
