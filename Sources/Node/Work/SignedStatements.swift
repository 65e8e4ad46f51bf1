internal import Identity
internal import Store
package import SyncCore
internal import Wire

/// Signed words: acknowledgements and holdings, own ones and those of others.
package struct SignedStatements: Sendable {
    private let work: EngineWork
    private var store: SyncStore { work.store }
    private var device: DeviceID { work.device }

    init(_ work: EngineWork) { self.work = work }

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
            try store.statements.keepOwn(of: device, in: space, beyond: said, now: work.clock.wall)
            {
                counter in
                let ack = Ack(space: space, device: device, counter: counter, watermark: held)
                let bytes = AckCodec().encode(ack)
                return UnverifiedAck(
                    ack, bytes: bytes, signature: work.keys.sign(Ack.label, bytes))
            })
    }

    /// Keeps an ack whose signature holds and that is the device's latest. One of this device that is no
    /// longer here is outdated: it is signed again.
    func store(_ ack: UnverifiedAck, from session: SessionID) throws -> [EngineEvent] {
        let said = ack.said
        guard let ack = whole(ack) else { return refusal(of: ack, from: session) }
        if said.device == device {
            guard let ledger = store.ledger(of: said.space) else { return [] }
            return [try acknowledge(said.space, ledger.watermark, beyond: said.counter)]
        }
        return try store.statements.keep(SignedAck(verified: ack))
            ? [.ackStored(ack, from: session)] : []
    }

    /// The ack with its bytes, when they are what its device signed. One that came as a difference is
    /// put together here; its value has one encoding.
    private func whole(_ ack: UnverifiedAck) -> UnverifiedAck? {
        let bytes = ack.bytes.isEmpty ? AckCodec().encode(ack.said) : ack.bytes
        let whole = UnverifiedAck(ack.said, bytes: bytes, signature: ack.signature)
        return isSigned(whole) ? whole : nil
    }

    private func refusal(
        of ack: UnverifiedAck, from session: SessionID
    ) -> [EngineEvent] {
        ack.bytes.isEmpty ? [.ackRefused(ack.said.space, ack.said.device, from: session)] : []
    }

    /// Several acks and holdings of others at once, with one write to the disk at most: acks are kept in memory until
    /// ``SyncStore/statements`` are told to write them down.
    package func store(together statements: [EngineAction]) -> EngineWork.Done {
        var done = EngineWork.Done()
        var acks: [(UnverifiedAck, SessionID)] = []
        var holdings: [(UnverifiedHoldings, SessionID)] = []
        for statement in statements {
            switch statement {
            case .verifyAck(let said, let session) where said.said.device != device:
                if let ack = whole(said) {
                    acks.append((ack, session))
                } else {
                    done.events += refusal(of: said, from: session)
                }
            case .verifyHoldings(let said, let session) where said.said.device != device:
                guard isSigned(said) else { continue }
                holdings.append((said, session))
            default:
                if let alone = work.perform(statement) { done.merge(alone) }
            }
        }
        keep(acks, &done)
        keep(holdings, &done)
        return work.answers.noting(done)
    }

    private func keep(_ acks: [(UnverifiedAck, SessionID)], _ done: inout EngineWork.Done) {
        do {
            let kept = try store.statements.keepWaiting(
                acks.map { SignedAck(verified: $0.0) })
            for ((ack, session), isKept) in zip(acks, kept) where isKept {
                done.events.append(.ackStored(ack, from: session))
            }
        } catch {
            // One that cannot be kept must not keep the others out.
            for (ack, session) in acks {
                if let alone = work.perform(.verifyAck(ack, from: session)) { done.merge(alone) }
            }
        }
    }

    private func keep(
        _ holdings: [(UnverifiedHoldings, SessionID)], _ done: inout EngineWork.Done
    ) {
        do {
            let kept = try store.statements.keep(holdings.map { SignedHoldings(verified: $0.0) })
            for ((said, session), isKept) in zip(holdings, kept) where isKept {
                done.events.append(.holdingsStored(said, from: session))
            }
        } catch {
            for (said, session) in holdings {
                if let alone = work.perform(.verifyHoldings(said, from: session)) {
                    done.merge(alone)
                }
            }
        }
    }

    func reportHoldings(of space: SpaceID, beyond said: UInt64 = 0) throws -> EngineEvent {
        let counts = try store.files.counts(of: space)
        // What is not missing need not be looked for.
        let missing =
            counts.named == counts.verified
            ? []
            : try store.files.missing(
                of: space, withFreed: true, limit: Limits.holdingsMissing)
        let listed = try listable(missing.map(\.blob), in: space)
        let freed = missing.isEmpty ? [] : Set(try store.freedFiles.all())
        let absentBytes = counts.namedBytes - counts.verifiedBytes
        let freedBytes = missing.reduce(0) { freed.contains($1.blob) ? $0 &+ $1.size : $0 }
        var holdings = Holdings(
            space: space, device: device, counter: 0, held: UInt64(counts.verified),
            missing: listed, missingCount: UInt64(counts.named - counts.verified),
            missingBytes: absentBytes - min(absentBytes, freedBytes),
            unwanted: freed.intersection(listed))
        if let last = try store.statements.holdings(of: space, by: device).first,
            last.said.counter > said
        {
            holdings.counter = last.said.counter
            // Nothing has changed since it was said.
            if holdings == last.said { return .holdingsSigned(last.unverified) }
        }
        return .holdingsSigned(
            try store.statements.keepOwn(of: device, in: space, beyond: said, now: work.clock.wall)
            {
                counter in
                holdings.counter = counter
                let bytes = HoldingsCodec().encode(holdings)
                return UnverifiedHoldings(
                    holdings, bytes: bytes, signature: work.keys.sign(Holdings.label, bytes))
            })
    }

    /// Where there are vaults, they are told no hash of what a file holds: such files are counted and
    /// not listed.
    private func listable(_ missing: [BlobID], in space: SpaceID) throws -> [BlobID] {
        guard !missing.isEmpty, store.ledger(of: space)?.membership.vaults.isEmpty == false else {
            return missing
        }
        let plain = try store.files.plain(of: space)
        return missing.filter { !plain.contains($0) }
    }

    func store(_ holdings: UnverifiedHoldings, from session: SessionID) throws -> [EngineEvent] {
        let said = holdings.said
        guard isSigned(holdings) else { return [] }
        if said.device == device {
            guard store.ledger(of: said.space) != nil else { return [] }
            return [try reportHoldings(of: said.space, beyond: said.counter)]
        }
        return try store.statements.keep(SignedHoldings(verified: holdings))
            ? [.holdingsStored(holdings, from: session)] : []
    }

    /// Whether the device that a statement names, and whose card was seen, has signed it.
    private func isSigned<Said>(_ statement: UnverifiedStatement<Said>) -> Bool {
        guard let key = store.keys[statement.said.device] else { return false }
        return work.signatures.isValid(
            signature: statement.signature, over: Said.label.framing(statement.bytes), by: key)
    }
}
