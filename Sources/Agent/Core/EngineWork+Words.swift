internal import Identity
internal import Store
internal import SyncCore
internal import Wire

/// Signed words: acknowledgements and holdings, own ones and those of others.
extension EngineWork {
    func acknowledge(_ space: SpaceID, _ watermark: Watermark) throws -> EngineEvent {
        let counter = try store.nextCounter(of: device, in: space, now: clock.wall)
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

    /// Keeps an ack whose signature holds and that is the device's latest.
    func store(_ ack: UnverifiedAck, from session: SessionID) throws -> [EngineEvent] {
        guard isSigned(ack.bytes, .acknowledgement, ack.signature, by: ack.ack.device),
            try store.store(SignedAck(verified: ack))
        else { return [] }
        return [.ackStored(ack, from: session)]
    }

    func reportHoldings(of space: SpaceID) throws -> EngineEvent {
        let counts = try store.blobCounts(of: space)
        let missing = try store.missingBlobs(of: space, limit: Limits.holdingsMissing)
        let holdings = Holdings(
            space: space, device: device,
            counter: try store.nextCounter(of: device, in: space, now: clock.wall),
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
        let device = holdings.holdings.device
        guard isSigned(holdings.bytes, .holdings, holdings.signature, by: device),
            try store.store(SignedHoldings(verified: holdings))
        else { return [] }
        return [.holdingsStored(holdings, from: session)]
    }

    /// Whether a device whose card was seen has signed these bytes for this purpose.
    private func isSigned(
        _ bytes: [UInt8], _ label: Label, _ signature: [UInt8], by device: DeviceID
    ) -> Bool {
        guard let key = store.keys[device] else { return false }
        return signatures.isValid(signature: signature, over: label.framing(bytes), by: key)
    }
}
