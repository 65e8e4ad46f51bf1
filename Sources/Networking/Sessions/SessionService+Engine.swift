import Device
internal import Logging
import Node
package import SyncCore
internal import Synchronization
import Transport
package import Wire

/// What the engine asks of connections.
extension SessionService {
    package func send(_ message: PeerMessage, on session: SessionID) {
        guard let live = open[session] else { return }
        if case .commits(let space, let commits, _) = message {
            let count = live.sent.withLock { $0.add(commits.lazy.map(\.header), of: space) }
            open.note(live.peer.device) { $0.commitsSent += count }
        }
        put(message, live)
    }

    func put(_ message: PeerMessage, _ live: OpenConnection) {
        guard !live.outbox.put(.message(codec.encode(message))) else { return }
        live.says(
            SessionLog.End(peer: live.peer, why: ["why": "peer does not read"], isFault: true))
        live.outbox.finish()
        live.connection.close()
    }

    /// Work for what this session sent begins, and is done.
    package func began(_ session: SessionID) {
        guard let live = open[session] else { return }
        live.work.add(1, ordering: .relaxed)
    }

    package func ended(_ session: SessionID, after cost: Duration) {
        guard let live = open[session] else { return }
        live.work.subtract(1, ordering: .relaxed)
        let transaction = Duration.milliseconds(Limits.transactionMilliseconds)
        work.charge(live.peer.device, cost + transaction, onTrial: true)
    }

    /// Does what a session asked for, as work that it caused.
    package func charge(_ session: SessionID, _ body: () -> Void) {
        let cost = ThreadTime.measure(body).cost
        if let live = open[session] { work.charge(live.peer.device, cost) }
    }

    /// Reads commits for a session: what was read before counts as work that it caused.
    package func charge(
        _ session: SessionID, loading space: SpaceID, after cursor: Int64, _ body: () -> Void
    ) {
        let cost = ThreadTime.measure(body).cost
        guard let live = open[session] else { return }
        let isNew = live.readThrough.withLock { readThrough in
            guard cursor > readThrough[space] ?? -1 else { return false }
            readThrough[space] = cursor
            return true
        }
        if !isNew { work.charge(live.peer.device, cost) }
    }

    /// A chunk that this connection brought is being written; call what is returned when it is.
    package func beganWriting(_ bulk: BulkID) -> @Sendable () -> Void {
        guard let live = open[bulk] else { return {} }
        live.writes.began()
        return { live.writes.ended() }
    }

    /// The peer at the other end; nil when the connection is gone.
    package func device(of bulk: BulkID) -> DeviceID? { open[bulk]?.peer.device }
    package func device(of session: SessionID) -> DeviceID? { open[session]?.peer.device }

    /// Something of a device went wrong that the next sync's figures are to show.
    package func noteError(of device: DeviceID?) {
        if let device { open.note(device) { $0.errors += 1 } }
    }

    package func received(commits count: Int, on session: SessionID) {
        guard let device = open[session]?.peer.device else { return }
        open.note(device) { $0.commitsReceived += count }
        if count > 0 { work.refund(device) }
    }

    package func send(_ message: PeerMessage, on bulk: BulkID) {
        guard let live = open[bulk] else { return }
        put(message, live)
    }

    /// Sends an answer in order with the chunks that follow it; false when the connection is gone.
    package func answer(_ have: Have, on bulk: BulkID) async -> Bool {
        guard let live = open[bulk] else { return false }
        if !have.held {
            work.charge(live.peer.device, .microseconds(Limits.vainRequestMicroseconds))
        }
        do {
            try await live.connection.send(.message(codec.encode(.have(have))))
            return true
        } catch {
            return false
        }
    }

    /// Sends a chunk and waits for its share of what may wait to be written; false when the
    /// connection is gone.
    package func send(_ chunk: ChunkPayload, isThumbnail: Bool, on bulk: BulkID) async -> Bool {
        guard let live = open[bulk] else { return false }
        do {
            try await live.connection.send(.chunk(chunk))
            open.note(live.peer.device) { moved in
                moved.filesSent += chunk.index == 0 && !isThumbnail ? 1 : 0
                moved.bytesSent += Int64(chunk.data.count)
                moved.wireSent += Int64(chunk.data.count)
            }
            return true
        } catch {
            return false
        }
    }

    /// Says goodbye with a reason and ends the session; what was sent before still goes out.
    package func close(_ session: SessionID, _ reason: ByeReason) {
        let live = open[session]
        guard let live else { return }
        live.says(
            SessionLog.End(
                peer: live.peer, why: ["why": "here: \(reason)"], isFault: reason == .misbehaved,
                isMisbehaviour: reason == .misbehaved, isLetGo: reason == .enough))
        if reason == .duplicate { peers.noteDisplaced(live.peer.device, .there) }
        if [.misbehaved, .duplicate, .silent, .notTrusted, .version].contains(reason) {
            live.isLeaving.store(true, ordering: .relaxed)
        }
        put(.bye(reason), live)
        live.outbox.finish()
        // A peer that does not read the goodbye is hung up on all the same.
        Task.after(.seconds(Limits.farewellSeconds)) { live.connection.close() }
    }

    /// Ends a connection for blobs that broke the protocol, or on which nothing comes.
    package func close(_ bulk: BulkID) {
        guard let live = open[bulk] else { return }
        live.says(
            SessionLog.End(peer: live.peer, why: ["why": "here: of no use"], isFault: true))
        live.connection.close()
    }

    /// Calls once a connection is gone; at once when it is already.
    package func whenClosed(_ bulk: BulkID, _ body: @escaping @Sendable () -> Void) {
        guard let live = open[bulk] else { return body() }
        live.whenClosed(body)
    }

    /// Tells every peer when the disk of this device is full, and when it has room again.
    package func setDiskFull(_ isFull: Bool) {
        guard peers.update({ $0.noteOwnDisk(isFull: isFull) }) else { return }
        for session in open.sessions {
            if let live = open[session] {
                put(.condition(Condition(isDiskFull: isFull)), live)
            }
        }
    }

    /// Sessions with devices that are not trusted any more end with a word about it; the numbers of
    /// their connections.
    package func closeUntrusted(_ isTrusted: (Bytes32) -> Bool) -> Set<UInt64> {
        var leaving: Set<UInt64> = []
        for session in open.sessions {
            guard let live = open[session], !isTrusted(live.connection.peerKey) else { continue }
            leaving.insert(live.connection.id)
            close(session, .notTrusted)
        }
        return leaving
    }

    /// Ends everything, saying why.
    package func closeAll(_ reason: ByeReason) {
        for session in open.sessions { close(session, reason) }
        for bulk in open.bulks { bulk.connection.close() }
    }
}

extension Limits {
    /// How often the engine hears of a large frame that is still coming.
    package static let bulkProgressMilliseconds: UInt64 = 1_000
}
