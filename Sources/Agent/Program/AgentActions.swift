import Device
import Dispatch
import Files
internal import Logging
import Networking
import Node
import Status
import Store
import SyncCore
internal import Synchronization

/// Carries out the engine's actions, each kind on its own queue, so that the loop never waits.
/// ``EngineWork`` contains the work itself.
final class AgentActions: EngineActions {
    private let outputs: AgentOutputs
    private let node: AgentNode
    private let syncs: SyncRequests
    private let runs: SyncRunRecorder
    private let background: WorkQueue
    /// Signatures are verified on one queue; the store is written on another and read on a third.
    private let verifying = DispatchQueue(label: "peersync.verify")
    private let storing = DispatchQueue(label: "peersync.apply")
    private let reading = DispatchQueue(label: "peersync.load")
    private let stating = DispatchQueue(label: "peersync.statements")
    private struct Statements {
        /// Peers' acks and holdings that wait to be stored, each with its session.
        var arrived: [(action: EngineAction, session: SessionID)] = []
        /// Whether the acks that were stored are to be written down soon.
        var isWriteDue = false
    }

    private let statements = Mutex(Statements())

    private var sessions: SessionService { outputs.sessions }

    init(
        _ node: AgentNode, _ outputs: AgentOutputs, _ syncs: SyncRequests, _ runs: SyncRunRecorder,
        _ background: WorkQueue
    ) {
        (self.node, self.outputs, self.syncs, self.runs) = (node, outputs, syncs, runs)
        self.background = background
    }

    /// Returns when all requested work is done; call it once the loop has ended.
    func drain() async {
        for queue in [verifying, storing, reading, stating] {
            await withCheckedContinuation { done in queue.async { done.resume() } }
        }
        await withCheckedContinuation { done in
            stating.async {
                self.writeAcks()
                done.resume()
            }
        }
    }

    func perform(_ action: EngineAction) {
        let sessions = sessions
        switch action {
        case .send(let session, let message): sessions.send(message, on: session)
        case .close(let session, let reason): sessions.close(session, reason)
        case .verify(let session, _, _, _): work(verifying, action, for: session)
        case .apply(_, _, _, let session): work(storing, action, for: session)
        case .verifyAck(_, let session), .verifyHoldings(_, let session):
            store(action, for: session)
        case .verifyFork(_, _, let session): work(storing, action, for: session)
        case .loadForks(let session, _, _):
            reading.async {
                sessions.charge(session) { self.work(action, for: session) }
            }
        case .load(let session, let space, _, let cursor):
            reading.async {
                sessions.charge(session, loading: space, after: cursor) {
                    self.work(action, for: session)
                }
            }
        case .offer(_, _, let device):
            guard let session = sessions.open.session(with: device) else { return }
            work(storing, action, for: session)
        case .acknowledge: acknowledge(action)
        case .ownLogAhead, .reportHoldings:
            storing.async { self.work(action, for: nil) }
        case .inSync(let device):
            node.peers.noteSynced(device, hasExchanged: sessions.inSync(device))
        case .declined(let space, _, let device):
            outputs.noteError(of: device, "space \(space.logged)", as: "grant declined")
            guard let session = sessions.open.session(with: device) else { return }
            work(storing, action, for: session)
        case .sendBulk(let bulk, let message): sessions.send(message, on: bulk)
        case .closeBulk(let bulk): sessions.close(bulk)
        case .serve, .prepareBlob, .writeChunk, .storeSmallBlob, .finishBlob:
            outputs.blobs.perform(action)
        case .blobStalled(let need):
            node.logger.note(
                .warning, .files, "stalled", record: need.blob.logged,
                details: ["bytes": "\(need.size)", "space": "\(need.space.logged)"])
            outputs.blobs.perform(action)
        case .syncFinished(let request): syncs.finish(request)
        case .seek(let devices): Task { [outputs] in await outputs.network.seek(devices) }
        case .need(let needed): outputs.network.need(needed)
        case .hurry(let devices): Task { [outputs] in await outputs.network.hurry(devices) }
        }
    }

    private func acknowledge(_ action: EngineAction) {
        storing.async {
            self.work(action, for: nil)
            // Acks of others are added to those that wait, and all written down, on one queue.
            self.stating.async { self.writeAcksSoon() }
        }
    }

    /// Carries out the work for one session; the session stops receiving while much of it waits.
    private func work(_ queue: DispatchQueue, _ action: EngineAction, for session: SessionID) {
        sessions.began(session)
        queue.async { [sessions] in
            let start = ThreadTime.now
            self.work(action, for: session)
            sessions.ended(session, after: ThreadTime.now - start)
        }
    }

    /// Statements of peers must not delay commits. All waiting statements are stored with one
    /// write, after the commits that arrived before them: those may contain the keys that the
    /// statements are signed with.
    private func store(_ statement: EngineAction, for session: SessionID) {
        sessions.began(session)
        statements.withLock { $0.arrived.append((statement, session)) }
        storing.async { self.stating.async { self.storeStatements() } }
    }

    private func storeStatements() {
        let waiting = statements.withLock { statements in
            defer { statements.arrived = [] }
            return statements.arrived
        }
        guard !waiting.isEmpty else { return }
        let start = ThreadTime.now
        node.adopt(node.work.statements.store(together: waiting.map(\.action)))
        let cost = (ThreadTime.now - start) / waiting.count
        for statement in waiting { sessions.ended(statement.session, after: cost) }
        writeAcksSoon()
    }

    /// The first ack that waits is written down some seconds later, with those that came after it.
    private func writeAcksSoon() {
        let count = node.store.statements.waitingCount
        if count >= Limits.acksWaiting { return writeAcks() }
        guard count > 0 else { return }
        let isDue = statements.withLock { statements in
            defer { statements.isWriteDue = true }
            return statements.isWriteDue
        }
        guard !isDue else { return }
        stating.asyncAfter(deadline: .now() + .seconds(Limits.ackSeconds)) { [weak self] in
            guard let self, self.statements.withLock({ $0.isWriteDue }) else { return }
            self.writeAcks()
        }
    }

    private func writeAcks() {
        statements.withLock { $0.isWriteDue = false }
        do {
            try node.store.statements.writeWaiting()
        } catch {
            node.storage.notWritten("acks not written", error)
        }
    }

    private func work(_ action: EngineAction, for session: SessionID?) {
        guard let done = node.work.perform(action) else {
            preconditionFailure("nobody carries out \(action)")
        }
        let device = session.flatMap(sessions.device(of:))
        // Before the engine learns of it: that may end the sync run that these commits belong to.
        if let session, done.received > 0 { sessions.received(commits: done.received, on: session) }
        if let device, case .apply(let space, _, _, _) = action, !done.touched.isEmpty {
            runs.note(done.touched, of: space, from: device)
        }
        node.adopt(done, from: device)
        let changed = done.appliedSetsChanged
        if !changed.isEmpty { background.add(.settleDataSets(DataSetScope(spaces: changed))) }
        if let next = done.next { perform(next) }
        if let session, done.closesSession { sessions.close(session, .shutdown) }
        guard let device else { return }
        if done.closesSession || done.notes.contains(where: \.isRefusal) {
            sessions.noteError(of: device)
        }
    }
}

extension Limits {
    /// How long acks wait to be written down, and how many.
    fileprivate static let ackSeconds = 5
    fileprivate static let acksWaiting = 256
}

extension EngineWork.Note {
    /// Whether a peer's changes were refused.
    fileprivate var isRefusal: Bool {
        switch self {
        case .invalid, .refused: true
        case .keyless, .tooManyOffers, .newIncarnation, .forked, .falseProof, .leftElsewhere,
            .offerTakenBack:
            false
        }
    }
}
