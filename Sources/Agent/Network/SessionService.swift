internal import Identity
internal import Logging
import SyncCore
internal import Synchronization
import Transport
internal import Wire

/// Connections that have authenticated: it says hello, hands what comes to the engine and sends
/// what the engine says. One task reads each connection, one writes it.
final class SessionService: Sendable {
    /// What this device says of itself in Hello.
    struct Introduction: Sendable {
        /// Nil until the device belongs to a person: then it has no sessions.
        var card: UnverifiedCard?
        var agentVersion: String
        var listeningPort: UInt16
    }

    private final class Live: Sendable {
        let connection: Connection
        let outbox: Outbox
        let peer: PeerInfo
        /// What came from this peer and is being worked on.
        let work = Atomic(0)
        /// Of a connection for blobs.
        let writes = PendingWrites()
        /// Why the session ends, once one side has said so.
        let goodbye = Mutex<SessionLog.End?>(nil)

        init(connection: Connection, outbox: Outbox, peer: PeerInfo) {
            self.connection = connection
            self.outbox = outbox
            self.peer = peer
        }

        /// This side ends the session; the first reason counts.
        func says(_ end: SessionLog.End) {
            goodbye.withLock { $0 = $0 ?? end }
        }
    }

    private struct State {
        var nextNumber: UInt64 = 1
        var sessions: [SessionID: Live] = [:]
        var bulks: [BulkID: Live] = [:]
        var introduction: Introduction
        var moved: [DeviceID: Moved] = [:]
    }

    /// What went over the connections with one device since the agent started.
    struct Moved: Hashable, Sendable {
        var commitsSent = 0
        var commitsReceived = 0
        var filesSent = 0
        var filesReceived = 0
        var bytesSent: Int64 = 0
        var bytesReceived: Int64 = 0
    }

    private let state: Mutex<State>
    private let loop: EngineLoop
    private let clock: AgentClock
    private let log: SessionLog
    private let codec = MessageCodec()
    private let verifier = CardVerifier()
    /// Told of every peer that said hello: its card, where it is, and whether the session stays.
    private let onPeer: @Sendable (PeerContact) -> Void
    /// Told of every connection for blobs that is over.
    private let listener = Mutex<BulkListener?>(nil)

    private struct BulkListener: Sendable {
        let ended: @Sendable (BulkID) -> Void
    }

    /// A peer that authenticated.
    struct PeerContact: Sendable {
        let card: Card
        let host: String
        /// Where it listens; 0 when it does not.
        let listeningPort: UInt16
        /// Its wall clock minus this device's, in milliseconds.
        let clockSkewMilliseconds: Int64
        let connection: UInt64
    }

    init(
        introduction: Introduction, loop: EngineLoop, clock: AgentClock, logger: Logger,
        onPeer: @escaping @Sendable (PeerContact) -> Void
    ) {
        state = Mutex(State(introduction: introduction))
        self.loop = loop
        self.clock = clock
        log = SessionLog(logger, clock)
        self.onPeer = onPeer
    }

    func setOnBulkEnd(_ body: @escaping @Sendable (BulkID) -> Void) {
        listener.withLock { $0 = BulkListener(ended: body) }
    }

    func setListeningPort(_ port: UInt16) {
        state.withLock { $0.introduction.listeningPort = port }
    }

    func setCard(_ card: UnverifiedCard) {
        state.withLock { $0.introduction.card = card }
    }

    /// Serves a connection until it ends. `purpose` is what this side wants of a connection it
    /// dialled; an accepted one says so itself.
    func serve(_ connection: Connection, purpose: Hello.Purpose) async {
        log.opened(connection)
        let start = clock.now.monotonic
        let end: SessionLog.End
        do {
            end = try await talk(connection, purpose)
        } catch {
            end = .failed(error)
        }
        connection.close()
        log.closed(connection, end, after: clock.now.monotonic - start)
    }

    private func talk(
        _ connection: Connection, _ purpose: Hello.Purpose
    ) async throws -> SessionLog.End {
        guard let own = hello(purpose) else { return .refused(.notTrusted) }
        try await connection.send(.message(codec.encode(.hello(own))))
        // A twin of a session that exists is closed before it says anything.
        guard let frame = try await connection.receive() else { return .twin }
        guard case .message(let payload) = frame,
            case .hello(let hello) = try codec.decode(payload)
        else { return .refused(.misbehaved) }
        let card = try verifier.verify(hello.card)
        guard card.content.signingKey == connection.peerKey else {
            return .refused(.misbehaved)
        }
        guard hello.versions.contains(Limits.protocolVersion) else { return .refused(.version) }
        connection.markAuthenticated()
        note(hello, card, connection)
        let peer = PeerInfo(
            device: card.device, person: card.person, dialed: connection.isDialed)
        log.authenticated(hello, peer, connection)
        let actual = connection.isDialed ? purpose : hello.purpose
        return await run(connection, peer, actual)
    }

    private func hello(_ purpose: Hello.Purpose) -> Hello? {
        let introduction = state.withLock { $0.introduction }
        guard let card = introduction.card else { return nil }
        return Hello(
            versions: Limits.protocolVersion...Limits.protocolVersion,
            card: card, agentVersion: introduction.agentVersion, features: [],
            wallClock: clock.wall, purpose: purpose, listeningPort: introduction.listeningPort)
    }

    private func note(_ hello: Hello, _ card: Card, _ connection: Connection) {
        let skew = Int64(hello.wallClock.value) - Int64(clock.wall.value)
        onPeer(
            PeerContact(
                card: card, host: connection.remoteAddress.host,
                listeningPort: hello.listeningPort, clockSkewMilliseconds: skew,
                connection: connection.id))
    }

    private func run(
        _ connection: Connection, _ peer: PeerInfo, _ purpose: Hello.Purpose
    ) async -> SessionLog.End {
        let outbox = Outbox()
        let live = Live(connection: connection, outbox: outbox, peer: peer)
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            switch purpose {
            case .session: state.sessions[SessionID(state.nextNumber)] = live
            case .bulk: state.bulks[BulkID(state.nextNumber)] = live
            }
            return state.nextNumber
        }
        return await withDiscardingTaskGroup { group in
            group.addTask { await self.write(outbox, to: connection) }
            let end =
                switch purpose {
                case .session: await read(live, as: SessionID(number))
                case .bulk: await read(live, as: BulkID(number))
                }
            outbox.finish()
            connection.close()
            return end
        }
    }

    private func write(_ outbox: Outbox, to connection: Connection) async {
        for await frame in outbox.frames {
            outbox.took(frame)
            do {
                try await connection.send(frame)
            } catch {
                // The reader sees the same end and reports it.
                return connection.close()
            }
        }
        connection.close()
    }

    private func read(_ live: Live, as session: SessionID) async -> SessionLog.End {
        let peer = live.peer
        await loop.submit(.sessionOpened(session, peer))
        var end = SessionLog.End(peer: peer, why: ["why": "ended"])
        var isCompared = false
        do {
            for try await frame in live.connection.frames {
                guard case .message(let payload) = frame else {
                    end.isFault = true
                    end.why = ["why": "a chunk in a session"]
                    break
                }
                let message = try codec.decode(payload)
                switch message {
                case .spaces(let spaces, _):
                    log.compared(
                        live.connection, peer, spaces: spaces.count, isFirst: !isCompared)
                    isCompared = true
                case .bye(let reason): end.why = ["why": "peer: \(reason)"]
                default: break
                }
                await loop.submit(.received(session, message))
                // A peer that sends faster than this disk writes waits, not this memory.
                while live.work.load(ordering: .relaxed) >= Limits.sessionJobs {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
        } catch {
            end = .failed(error, peer)
        }
        state.withLock { $0.sessions[session] = nil }
        await loop.submit(.sessionClosed(session))
        // What this side said first is why the rest followed.
        return live.goodbye.withLock { $0 } ?? end
    }

    private func read(_ live: Live, as bulk: BulkID) async -> SessionLog.End {
        let peer = live.peer
        await loop.submit(.bulkOpened(bulk, peer.device))
        var end = SessionLog.End(peer: peer, why: ["why": "ended"])
        do {
            for try await frame in live.connection.frames {
                switch frame {
                case .message(let payload):
                    await loop.submit(.bulkReceived(bulk, try codec.decode(payload)))
                case .chunk(let chunk):
                    log.came(chunk, from: peer)
                    note(peer.device) { moved in
                        moved.filesReceived += chunk.index == 0 ? 1 : 0
                        moved.bytesReceived += Int64(chunk.data.count)
                    }
                    await loop.submit(
                        .chunkReceived(
                            bulk, request: chunk.requestID, index: chunk.index,
                            bytes: chunk.data))
                    await live.writes.settled()
                }
            }
        } catch {
            end = .failed(error, peer)
        }
        state.withLock { $0.bulks[bulk] = nil }
        await loop.submit(.bulkClosed(bulk))
        listener.withLock { $0 }?.ended(bulk)
        return end
    }
}

/// What the engine asks of connections.
extension SessionService {
    func send(_ message: PeerMessage, on session: SessionID) {
        guard let live = state.withLock({ $0.sessions[session] }) else { return }
        if case .commits(_, let commits, _) = message {
            note(live.peer.device) { $0.commitsSent += commits.count }
        }
        put(message, live)
    }

    private func put(_ message: PeerMessage, _ live: Live) {
        guard !live.outbox.put(.message(codec.encode(message))) else { return }
        live.says(
            SessionLog.End(peer: live.peer, why: ["why": "peer does not read"], isFault: true))
        live.outbox.finish()
        live.connection.close()
    }

    /// Work for what this session sent begins, and is done.
    func began(_ session: SessionID) {
        guard let live = state.withLock({ $0.sessions[session] }) else { return }
        live.work.add(1, ordering: .relaxed)
    }

    func ended(_ session: SessionID) {
        guard let live = state.withLock({ $0.sessions[session] }) else { return }
        live.work.subtract(1, ordering: .relaxed)
    }

    /// A chunk that this connection brought is being written; call what is returned when it is.
    func beganWriting(_ bulk: BulkID) -> @Sendable () -> Void {
        guard let live = state.withLock({ $0.bulks[bulk] }) else { return {} }
        live.writes.began()
        return { live.writes.ended() }
    }

    /// Who is at the other end; nil when the connection is gone.
    func device(of bulk: BulkID) -> DeviceID? { state.withLock { $0.bulks[bulk]?.peer.device } }

    func device(of session: SessionID) -> DeviceID? {
        state.withLock { $0.sessions[session]?.peer.device }
    }

    /// Everything both may read is the same on this device and on that one.
    func settled(_ device: DeviceID) {
        log.synced(device, moved: moved[device] ?? Moved())
    }

    /// What was exchanged with each device since the agent started.
    var moved: [DeviceID: Moved] { state.withLock { $0.moved } }

    func received(commits count: Int, on session: SessionID) {
        guard let device = state.withLock({ $0.sessions[session]?.peer.device }) else { return }
        note(device) { $0.commitsReceived += count }
    }

    private func note(_ device: DeviceID, _ change: (inout Moved) -> Void) {
        state.withLock { change(&$0.moved[device, default: Moved()]) }
    }

    func send(_ message: PeerMessage, on bulk: BulkID) {
        guard let live = state.withLock({ $0.bulks[bulk] }) else { return }
        put(message, live)
    }

    /// Sends an answer in order with the chunks that follow it; false when the connection is gone.
    func answer(_ have: Have, on bulk: BulkID) async -> Bool {
        guard let live = state.withLock({ $0.bulks[bulk] }) else { return false }
        do {
            try await live.connection.send(.message(codec.encode(.have(have))))
            return true
        } catch {
            return false
        }
    }

    /// Sends a chunk and waits for its share of what may wait to be written; false when the
    /// connection is gone.
    func send(_ chunk: ChunkPayload, on bulk: BulkID) async -> Bool {
        guard let live = state.withLock({ $0.bulks[bulk] }) else { return false }
        do {
            try await live.connection.send(.chunk(chunk))
            note(live.peer.device) { moved in
                moved.filesSent += chunk.index == 0 ? 1 : 0
                moved.bytesSent += Int64(chunk.data.count)
            }
            return true
        } catch {
            return false
        }
    }

    /// Says goodbye with a reason and ends the session; what was sent before still goes out.
    func close(_ session: SessionID, _ reason: ByeReason) {
        guard let live = state.withLock({ $0.sessions[session] }) else { return }
        live.says(
            SessionLog.End(
                peer: live.peer, why: ["why": "here: \(reason)"], isFault: reason == .misbehaved))
        put(.bye(reason), live)
        live.outbox.finish()
        // A peer that does not read the goodbye is hung up on all the same.
        Task {
            do {
                try await Task.sleep(for: .seconds(Limits.farewellSeconds))
            } catch {
                return
            }
            live.connection.close()
        }
    }

    func close(_ bulk: BulkID) {
        state.withLock { $0.bulks[bulk] }?.connection.close()
    }

    /// Ends everything, saying why.
    func closeAll(_ reason: ByeReason) {
        let (sessions, bulks) = state.withLock { (Array($0.sessions.keys), Array($0.bulks.keys)) }
        for session in sessions { close(session, reason) }
        for bulk in bulks { close(bulk) }
    }

    /// The devices that a session is open with, and where they are.
    var connected: [DeviceID: RemoteAddress] {
        state.withLock { state in
            Dictionary(
                state.sessions.values.map { ($0.peer.device, $0.connection.remoteAddress) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Whether the session with a device is one that this side dialled.
    func isDialing(_ device: DeviceID) -> Bool {
        state.withLock { state in
            state.sessions.values.contains { $0.peer.device == device && $0.peer.dialed }
        }
    }
}
