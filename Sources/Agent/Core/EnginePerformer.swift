import Dispatch
internal import Identity
internal import Logging
import Store
import SyncCore
internal import Wire

/// Carries out what the engine asks for, each kind of work on its own queue so that the loop never
/// waits: signatures on one, the store's writing on another, reading on a third.
final class EnginePerformer: Sendable {
    private let core: AgentCore
    private let sessions: SessionService
    private let blobs: BlobService
    private let syncs: SyncRequests
    private let verifying = DispatchQueue(label: "peersync.verify")
    private let storing = DispatchQueue(label: "peersync.apply")
    private let reading = DispatchQueue(label: "peersync.load")
    private let acks = AckCodec()
    private let signatures = Ed25519Verifier()

    init(core: AgentCore, sessions: SessionService, blobs: BlobService, syncs: SyncRequests) {
        self.core = core
        self.sessions = sessions
        self.blobs = blobs
        self.syncs = syncs
    }

    func perform(_ action: EngineAction) {
        switch action {
        case .send(let session, let message): sessions.send(message, on: session)
        case .close(let session, let reason): sessions.close(session, reason)
        case .verify(let session, let space, let commits):
            work(verifying, for: session) { $0.verify(commits, of: space, from: session) }
        case .apply(let space, let commits, let session):
            work(storing, for: session) { $0.apply(commits, to: space, from: session) }
        case .load(let session, let space, let watermark, let cursor):
            reading.async { self.load(space, beyond: watermark, after: cursor, for: session) }
        case .acknowledge(let space, let watermark):
            storing.async { self.acknowledge(space, watermark) }
        case .verifyAck(let ack, let session):
            work(storing, for: session) { $0.store(ack, from: session) }
        case .ownLogAhead(let log): storing.async { self.leaveIncarnation(log) }
        case .reportHoldings(let space): storing.async { self.reportHoldings(of: space) }
        case .verifyHoldings(let holdings, let session):
            work(storing, for: session) { $0.store(holdings, from: session) }
        case .settled(let device): core.noteSynced(device)
        case .offer(let space, let offer, let device):
            storing.async { self.save(offer, of: space, from: device) }
        case .declined(let space, let device):
            core.logger.info(
                "grant declined", metadata: ["space": "\(space)", "device": "\(device)"])
        case .sendBulk(let bulk, let message): sessions.send(message, on: bulk)
        case .closeBulk(let bulk): sessions.close(bulk)
        case .serve, .prepareBlob, .writeChunk, .storeSmallBlob, .finishBlob:
            blobs.perform(action)
        case .blobStalled(let need):
            core.logger.warning("file stalled", metadata: ["blob": "\(need.blob)"])
            blobs.perform(action)
        case .syncFinished(let request): syncs.finish(request)
        }
    }

    /// Does what one session asked for; the session sends no more while much of it waits.
    private func work(
        _ queue: DispatchQueue, for session: SessionID,
        _ body: @escaping @Sendable (EnginePerformer) -> Void
    ) {
        sessions.began(session)
        queue.async {
            body(self)
            self.sessions.ended(session)
        }
    }

    /// Returns when everything that was asked for is done; to be called once the loop has ended.
    func finish() async {
        for queue in [verifying, storing, reading] {
            await withCheckedContinuation { done in queue.async { done.resume() } }
        }
    }

    private func verify(
        _ commits: [UnverifiedCommit], of space: SpaceID, from session: SessionID
    ) {
        let (verified, _, failed) = core.verifier.verify(commits, keys: core.store.keys)
        if let failed {
            core.logger.warning(
                "commit does not verify", metadata: ["commit": "\(failed)"])
        }
        core.loop.post(.verified(session, space, verified, complete: failed == nil))
    }

    private func apply(
        _ commits: [VerifiedCommit], to space: SpaceID, from session: SessionID
    ) {
        let before = core.watermark(of: space)
        let stored = commits.map(\.commit)
        let outcome: ApplyOutcome
        do {
            outcome = try core.store.apply(commits, to: space, now: core.clock.wall)
        } catch {
            core.notWritten("commits not stored", error)
            // What was committed before the failure stays; nothing is acknowledged.
            core.reopen(space)
            sessions.close(session, .shutdown)
            return
        }
        if let refusal = outcome.refusal {
            core.logger.info(
                "commit refused",
                metadata: ["commit": "\(refusal.commit)", "why": "\(refusal.reason)"])
        }
        sessions.received(commits: outcome.stored.count, on: session)
        stored.forEach { core.observe($0.header.clock) }
        if before.isEmpty { core.takeUp(space) }
        core.loop.post(
            .applied(core.report(outcome, before: before, commits: stored), from: session))
        if outcome.membershipChanged { core.membershipChanged(in: space) }
        if !outcome.stored.isEmpty { core.describe(space) }
    }

    private func load(
        _ space: SpaceID, beyond watermark: Watermark, after cursor: Int64,
        for session: SessionID
    ) {
        do {
            let page = try core.store.commits(
                of: space, beyond: watermark, after: cursor, byteLimit: Limits.commitBatchBytes)
            let commits = try page.commits.map { try core.codec.decode($0.commit) }
            let loaded = LoadedCommits(
                commits: commits, cursor: page.next ?? page.commits.last?.place ?? cursor,
                isLast: page.next == nil)
            core.loop.post(.loaded(session, space, loaded))
        } catch {
            core.logger.error("commits not read", metadata: ["why": "\(error)"])
            sessions.close(session, .shutdown)
        }
    }

    private func acknowledge(_ space: SpaceID, _ watermark: Watermark) {
        do {
            let device = core.identity.deviceID
            let counter = try core.store.nextCounter(
                of: device, in: space, now: core.clock.wall)
            let ack = Ack(space: space, device: device, counter: counter, watermark: watermark)
            let bytes = acks.encode(ack)
            let signed = UnverifiedAck(
                ack: ack, bytes: bytes,
                signature: core.identity.keys.sign(.acknowledgement, bytes))
            _ = try core.store.store(SignedAck(verified: signed))
            core.loop.post(.ackSigned(signed))
        } catch {
            core.notWritten("ack not stored", error)
        }
    }

    /// Keeps an ack whose signature holds and that is the device's latest.
    private func store(_ ack: UnverifiedAck, from session: SessionID) {
        guard isSigned(ack.bytes, .acknowledgement, ack.signature, by: ack.ack.device) else {
            return
        }
        do {
            guard try core.store.store(SignedAck(verified: ack)) else { return }
            core.loop.post(.ackStored(ack, from: session))
        } catch {
            core.notWritten("ack not stored", error)
        }
    }

    /// A restored backup went on writing in a log that others know further: the next commit opens a
    /// new one.
    private func leaveIncarnation(_ log: LogID) {
        do {
            guard try core.store.incarnation() == log.incarnation else { return }
            // Nothing proves what a peer claims to know: it must not use up all logs.
            let used =
                core.store.ledgers.values.map { ledger in
                    ledger.watermark.heads.keys.count { $0.device == log.device }
                }.max() ?? 0
            guard used < Limits.claimedIncarnations else { return }
            var random = SystemRandomNumberGenerator()
            _ = try core.store.startNewIncarnation(random: &random)
            core.logger.warning("this store was restored: writing goes on in a new log")
        } catch {
            core.notWritten("no new incarnation", error)
        }
    }

    private func reportHoldings(of space: SpaceID) {
        do {
            let device = core.identity.deviceID
            let counts = try core.store.blobCounts(of: space)
            let missing = try core.store.missingBlobs(of: space, limit: Limits.holdingsMissing)
            let holdings = Holdings(
                space: space, device: device,
                counter: try core.store.nextCounter(
                    of: device, in: space, now: core.clock.wall),
                held: UInt64(counts.verified), missing: missing.map(\.blob),
                missingCount: UInt64(counts.named - counts.verified),
                missingBytes: counts.namedBytes - counts.verifiedBytes)
            let bytes = HoldingsCodec().encode(holdings)
            let signed = UnverifiedHoldings(
                holdings: holdings, bytes: bytes,
                signature: core.identity.keys.sign(.holdings, bytes))
            _ = try core.store.store(SignedHoldings(verified: signed))
            core.loop.post(.holdingsSigned(signed))
        } catch {
            core.notWritten("holdings not stored", error)
        }
    }

    private func store(_ holdings: UnverifiedHoldings, from session: SessionID) {
        let device = holdings.holdings.device
        guard isSigned(holdings.bytes, .holdings, holdings.signature, by: device) else { return }
        do {
            guard try core.store.store(SignedHoldings(verified: holdings)) else { return }
            core.loop.post(.holdingsStored(holdings, from: session))
        } catch {
            core.notWritten("holdings not stored", error)
        }
    }

    /// Whether a device whose card was seen has signed these bytes for this purpose.
    private func isSigned(
        _ bytes: [UInt8], _ label: Label, _ signature: [UInt8], by device: DeviceID
    ) -> Bool {
        guard let key = core.store.keys[device] else { return false }
        return signatures.isValid(signature: signature, over: label.framing(bytes), by: key)
    }

    private func save(_ offer: Offer, of space: SpaceID, from device: DeviceID) {
        do {
            // The same offer comes with every comparison: that writes nothing.
            if let known = try core.store.space(space) {
                guard known.standing == .offered, known.offer != offer else { return }
            } else {
                let waiting = try core.store.spaces().count {
                    $0.standing == .offered && $0.offeredBy == device
                }
                guard waiting < Limits.offersPerDevice else {
                    core.logger.warning("too many offers", metadata: ["device": "\(device)"])
                    return
                }
            }
            _ = try core.store.saveOffer(offer, of: space, by: device)
        } catch {
            core.notWritten("offer not kept", error)
        }
    }
}
