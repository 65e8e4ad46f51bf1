import Dispatch
internal import Logging
import Store
import SyncCore
internal import Transport

/// Carries out what the engine asks for, each kind of work on its own queue so that the loop never
/// waits: signatures on one, the store's writing on another, reading on a third. What the work is
/// stands in ``EngineWork``.
final class EnginePerformer: Sendable {
    private let node: AgentNode
    private let sessions: SessionService
    private let blobs: BlobService
    private let syncs: SyncRequests
    private let runs: SyncRunRecorder
    private let verifying = DispatchQueue(label: "peersync.verify")
    private let storing = DispatchQueue(label: "peersync.apply")
    private let reading = DispatchQueue(label: "peersync.load")

    init(
        node: AgentNode, sessions: SessionService, blobs: BlobService, syncs: SyncRequests,
        runs: SyncRunRecorder
    ) {
        self.node = node
        self.runs = runs
        self.sessions = sessions
        self.blobs = blobs
        self.syncs = syncs
    }

    func perform(_ action: EngineAction) {
        switch action {
        case .send(let session, let message): sessions.send(message, on: session)
        case .close(let session, let reason): sessions.close(session, reason)
        case .verify(let session, _, _): work(verifying, action, for: session)
        case .apply(_, _, let session): work(storing, action, for: session)
        case .verifyAck(_, let session): work(storing, action, for: session)
        case .verifyHoldings(_, let session): work(storing, action, for: session)
        case .verifyFork(_, _, let session): work(storing, action, for: session)
        case .loadForks(let session, _, _, _):
            reading.async { self.sessions.charge(session) { self.work(action, for: session) } }
        case .load(let session, let space, _, let cursor):
            reading.async {
                self.sessions.charge(session, loading: space, after: cursor) {
                    self.work(action, for: session)
                }
            }
        case .offer(_, _, let device):
            guard let session = sessions.open.session(with: device) else { return }
            work(storing, action, for: session)
        case .acknowledge, .ownLogAhead, .reportHoldings:
            storing.async { self.work(action, for: nil) }
        case .inSync(let device):
            node.noteSynced(device)
            sessions.inSync(device)
        case .declined(let space, let device):
            node.errors.note(device, "space \(space.logged)", as: "grant declined")
        case .sendBulk(let bulk, let message): sessions.send(message, on: bulk)
        case .closeBulk(let bulk): sessions.close(bulk)
        case .serve, .prepareBlob, .writeChunk, .storeSmallBlob, .finishBlob:
            blobs.perform(action)
        case .blobStalled(let need):
            node.logger.note(
                .warning, .files, "stalled", record: need.blob.logged,
                details: ["bytes": "\(need.size)", "space": "\(need.space.logged)"])
            blobs.perform(action)
        case .syncFinished(let request): syncs.finish(request)
        }
    }

    /// Does what one session asked for; the session sends no more while much of it waits.
    private func work(_ queue: DispatchQueue, _ action: EngineAction, for session: SessionID) {
        sessions.began(session)
        queue.async {
            let start = ThreadTime.now
            self.work(action, for: session)
            self.sessions.ended(session, after: ThreadTime.now - start)
        }
    }

    /// Returns when everything that was asked for is done; to be called once the loop has ended.
    func finish() async {
        for queue in [verifying, storing, reading] {
            await withCheckedContinuation { done in queue.async { done.resume() } }
        }
    }

    private func work(_ action: EngineAction, for session: SessionID?) {
        guard let done = node.work.perform(action) else {
            preconditionFailure("nobody carries out \(action)")
        }
        node.take(done, from: session.flatMap(sessions.device(of:)))
        guard let session else { return }
        if done.closesSession { sessions.close(session, .shutdown) }
        if done.received > 0 { sessions.received(commits: done.received, on: session) }
        guard let device = sessions.device(of: session) else { return }
        if case .apply(let space, _, _) = action, !done.touched.isEmpty {
            runs.note(done.touched, of: space, from: device)
        }
        if done.closesSession || done.notes.contains(where: \.isRefusal) {
            sessions.noteError(of: device)
        }
    }
}

extension EngineWork.Note {
    /// Changes of a peer were not taken.
    fileprivate var isRefusal: Bool {
        switch self {
        case .invalid, .refused: true
        case .keyless, .tooManyOffers, .newIncarnation, .forked, .falseProof: false
        }
    }
}
