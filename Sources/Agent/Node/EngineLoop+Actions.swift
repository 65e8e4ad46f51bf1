import Dispatch
internal import Logging
import Node
import Store
import SyncCore
internal import Synchronization
internal import Transport

/// Doing what the engine asks for. What the work itself is stands in ``EngineWork``.
extension EngineLoop {
    func perform(_ action: EngineAction, _ parts: Parts) {
        let sessions = parts.sessions
        switch action {
        case .send(let session, let message): sessions.send(message, on: session)
        case .close(let session, let reason): sessions.close(session, reason)
        case .verify(let session, _, _): work(verifying, action, for: session, parts)
        case .apply(_, _, let session): work(storing, action, for: session, parts)
        case .verifyAck(_, let session), .verifyHoldings(_, let session):
            store(action, for: session, parts)
        case .verifyFork(_, _, let session): work(storing, action, for: session, parts)
        case .loadForks(let session, _, _, _):
            reading.async {
                sessions.charge(session) { self.work(action, for: session, parts) }
            }
        case .load(let session, let space, _, let cursor):
            reading.async {
                sessions.charge(session, loading: space, after: cursor) {
                    self.work(action, for: session, parts)
                }
            }
        case .offer(_, _, let device):
            guard let session = sessions.open.session(with: device) else { return }
            work(storing, action, for: session, parts)
        case .acknowledge, .ownLogAhead, .reportHoldings:
            storing.async { self.work(action, for: nil, parts) }
        case .inSync(let device):
            parts.node.noteSynced(device)
            sessions.inSync(device)
        case .declined(let space, let device):
            parts.node.errors.note(device, "space \(space.logged)", as: "grant declined")
        case .sendBulk(let bulk, let message): sessions.send(message, on: bulk)
        case .closeBulk(let bulk): sessions.close(bulk)
        case .serve, .prepareBlob, .writeChunk, .storeSmallBlob, .finishBlob:
            parts.blobs.perform(action)
        case .blobStalled(let need):
            parts.node.logger.note(
                .warning, .files, "stalled", record: need.blob.logged,
                details: ["bytes": "\(need.size)", "space": "\(need.space.logged)"])
            parts.blobs.perform(action)
        case .syncFinished(let request): parts.syncs.finish(request)
        case .seek(let devices): Task { await parts.network.seek(devices) }
        }
    }

    /// Does what one session asked for; the session sends no more while much of it waits.
    private func work(
        _ queue: DispatchQueue, _ action: EngineAction, for session: SessionID, _ parts: Parts
    ) {
        parts.sessions.began(session)
        queue.async {
            let start = ThreadTime.now
            self.work(action, for: session, parts)
            parts.sessions.ended(session, after: ThreadTime.now - start)
        }
    }

    /// Statements of others do not hold up commits. All that wait are stored with one write, behind the
    /// commits that came before them: those may bring the keys that they are signed with.
    private func store(_ statement: EngineAction, for session: SessionID, _ parts: Parts) {
        parts.sessions.began(session)
        statements.withLock { $0.append((statement, session)) }
        storing.async { self.stating.async { self.storeStatements(parts) } }
    }

    private func storeStatements(_ parts: Parts) {
        let waiting = statements.withLock { statements in
            defer { statements = [] }
            return statements
        }
        guard !waiting.isEmpty else { return }
        let start = ThreadTime.now
        take(parts.node.work.perform(together: waiting.map(\.action)), from: nil, parts)
        let cost = (ThreadTime.now - start) / waiting.count
        for statement in waiting { parts.sessions.ended(statement.session, after: cost) }
    }

    private func work(_ action: EngineAction, for session: SessionID?, _ parts: Parts) {
        let sessions = parts.sessions
        guard let done = parts.node.work.perform(action) else {
            preconditionFailure("nobody carries out \(action)")
        }
        let device = session.flatMap(sessions.device(of:))
        // Before the engine hears of it: the run that this belongs to may end with that.
        if let session, done.received > 0 { sessions.received(commits: done.received, on: session) }
        if let device, case .apply(let space, _, _) = action, !done.touched.isEmpty {
            parts.runs.note(done.touched, of: space, from: device)
        }
        take(done, from: device, parts)
        if let session, done.closesSession { sessions.close(session, .shutdown) }
        guard let device else { return }
        if done.closesSession || done.notes.contains(where: \.isRefusal) {
            sessions.noteError(of: device)
        }
    }

    private func take(_ done: EngineWork.Done, from device: DeviceID?, _ parts: Parts) {
        parts.node.note(done, from: device)
        for event in done.events { post(event) }
        parts.node.noteRights(done)
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
