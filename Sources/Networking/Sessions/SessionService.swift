package import Device
internal import Identity
import LocalAPI
internal import Logging
import Node
package import SyncCore
internal import Synchronization
package import Transport
internal import Wire

/// Connections that have authenticated: it says hello, hands what comes to the engine and sends
/// what the engine says. One task reads each connection, one writes it.
package final class SessionService: Sendable {
    /// What this device says of itself in Hello.
    struct Introduction: Sendable {
        /// Nil until the device belongs to a person: then it has no sessions.
        var card: UnverifiedCard?
        var agentVersion: String
        var listeningPort: UInt16
    }

    /// Those whose peer has said hello.
    package let open = OpenConnections()
    private let introduction: Mutex<Introduction>
    private let loop: EngineLoop
    private let clock: AgentClock
    private let log: SessionLog
    let work = RateLimiter()
    let codec = MessageCodec()
    private let verifier = CardVerifier()
    /// Hears of every peer that said hello, of every session and of what is said on it.
    private let node: AgentNode
    let peers: PeerDirectory

    package init(_ node: AgentNode, _ errors: PeerErrorLog) {
        introduction = Mutex(
            Introduction(
                card: node.identity.unverifiedCard, agentVersion: ProgramVersion.text,
                listeningPort: 0))
        (loop, clock, peers, self.node) = (node.loop, node.clock, node.peers, node)
        log = SessionLog(errors, node.clock)
    }

    func setListeningPort(_ port: UInt16) {
        introduction.withLock { $0.listeningPort = port }
    }

    package func setCard(_ card: UnverifiedCard) {
        introduction.withLock { $0.card = card }
    }

    /// Serves a connection until it ends. `purpose` is what this side wants of a connection it
    /// dialled; an accepted one says so itself.
    @discardableResult
    func serve(_ connection: Connection, purpose: Hello.Purpose) async -> SessionLog.End {
        log.opened(connection)
        let start = clock.now.monotonic
        let end: SessionLog.End
        do {
            end = try await talk(connection, purpose)
        } catch {
            end = .failed(error)
            if end.refusal == .version { await sayNotUnderstood(on: connection) }
        }
        connection.close()
        if let refusal = end.refusal {
            let device = DeviceID(sha256(connection.peerKey.bytes))
            peers.update { peers in
                peers.refused(device, refusal)
                if let isNewer = end.isNewerThere { peers.misunderstood(device, isNewer: isNewer) }
            }
            // Status requests and dialling look again.
            open.changes.update { $0 += 1 }
        }
        if end.isMisbehaviour { noteMisbehaviour(of: end.peer?.device) }
        log.closed(connection, end, after: clock.now.monotonic - start)
        return end
    }

    /// Its people may read why nothing comes of the connection.
    private func sayNotUnderstood(on connection: Connection) async {
        do {
            try await connection.send(.message(codec.encode(.bye(.version))))
        } catch {
            // It is gone, and this end is told of all the same.
        }
    }

    /// What came from a device was broken, or not what was written.
    package func noteMisbehaviour(of device: DeviceID?) {
        guard let device else { return }
        peers.note(.sentBrokenData, of: device)
        open.changes.update { $0 += 1 }
    }

    /// Notes for how long each connected device has confirmed nothing although it was sent something: neither by an
    /// answer nor by its computer, on none of its connections.
    package func noteSilences() async {
        let sessions = open.sessions
        let waiting = loop.inspect { [clock] engine in
            sessions.map { engine.sessions.waiting(on: $0, at: clock.now) }
        }
        var silences: [DeviceID: UInt64] = [:]
        for (session, waiting) in zip(sessions, waiting) {
            guard let live = open[session] else { continue }
            let silence = waiting == 0 ? 0 : min(await live.connection.silence(), waiting)
            let device = live.peer.device
            silences[device] = min(silence, silences[device] ?? silence)
        }
        peers.update { [silences] in $0.noteSilences(silences) }
    }

    /// For how many milliseconds a device has passed on changes and left out what comes before them.
    package func gap(of device: DeviceID) -> UInt64 {
        guard let session = open.session(with: device) else { return 0 }
        return loop.inspect { [clock] in $0.gap(on: session, at: clock.now) }
    }

    private func talk(
        _ connection: Connection, _ purpose: Hello.Purpose
    ) async throws -> SessionLog.End {
        let device = DeviceID(sha256(connection.peerKey.bytes))
        // A peer over its work budget waits here; its authentication timeout is already running.
        try await waitForTurn(device)
        work.charge(device, .milliseconds(Limits.greetingMilliseconds))
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
        note(hello, card, connection)
        guard hello.versions.contains(Limits.protocolVersion) else {
            // Whatever it speaks, it knows this word, and its people may read why.
            try await connection.send(.message(codec.encode(.bye(.version))))
            return .refused(.version)
        }
        connection.markAuthenticated()
        let peer = PeerInfo(
            device: card.device, person: card.person, dialed: connection.isDialed,
            tellsReach: hello.features.contains(Hello.reachFeature))
        log.authenticated(hello, peer, connection)
        let actual = connection.isDialed ? purpose : hello.purpose
        return await run(connection, peer, actual)
    }

    /// Returns once the device has worked off what it caused.
    private func waitForTurn(_ device: DeviceID) async throws {
        while work.mustWait(device) { try await Task.sleep(for: .milliseconds(20)) }
    }

    private func hello(_ purpose: Hello.Purpose) -> Hello? {
        let introduction = introduction.withLock { $0 }
        guard let card = introduction.card else { return nil }
        return Hello(
            versions: Limits.protocolVersion...Limits.protocolVersion,
            card: card, agentVersion: introduction.agentVersion, features: [Hello.reachFeature],
            wallClock: clock.wall, purpose: purpose, listeningPort: introduction.listeningPort)
    }

    private func note(_ hello: Hello, _ card: Card, _ connection: Connection) {
        let now = clock.wall
        peers.update { $0.greeted(card.device, by: hello, at: now) }
        DeviceDirectory(node).met(
            card, from: connection.remoteAddress.host, listeningOn: hello.listeningPort,
            skew: hello.skew(from: now))
    }

    private func run(
        _ connection: Connection, _ peer: PeerInfo, _ purpose: Hello.Purpose
    ) async -> SessionLog.End {
        let outbox = Outbox()
        let live = OpenConnection(connection: connection, outbox: outbox, peer: peer)
        let number = open.add(live, purpose)
        return await withDiscardingTaskGroup { group in
            group.addTask { await self.write(outbox, to: connection, peer.device) }
            let end =
                switch purpose {
                case .session: await read(live, as: SessionID(number))
                case .bulk: await read(live, as: BulkID(number))
                }
            outbox.finish()
            // The writer closes it once the goodbye is out.
            if !live.isLeaving.load(ordering: .relaxed) { connection.close() }
            // What this side said first is why the rest followed; but what a peer did wrong is told,
            // also when this side was about to leave for another reason.
            let said = live.goodbye.withLock { $0 }
            if end.isFault, said?.isFault != true { return end }
            return said ?? end
        }
    }

    private func write(
        _ outbox: Outbox, to connection: Connection, _ device: DeviceID
    ) async {
        for await frame in outbox.frames {
            outbox.took(frame)
            do {
                try await connection.send(frame)
                open.note(device) { $0.wireSent += Int64(frame.body.count) }
            } catch {
                // The reader sees the same end and reports it.
                return connection.close()
            }
        }
        connection.close()
    }

    private func read(
        _ live: OpenConnection, as session: SessionID
    ) async -> SessionLog.End {
        let peer = live.peer
        peers.update { [clock] in $0.opened(peer.device, at: clock.now.monotonic) }
        // First: a peer that loses rights meanwhile is told over the session before it ends.
        node.handle(.sessionOpened(session, peer.device))
        await loop.submit(.sessionOpened(session, peer))
        open.noteWithEngine(live)
        if peers.isDiskFullHere { put(.condition(Condition(isDiskFull: true)), live) }
        var end = SessionLog.End(peer: peer, why: ["why": "ended"])
        var isCompared = false
        do {
            for try await frame in live.connection.frames {
                guard !live.isLeaving.load(ordering: .relaxed) else { break }
                guard case .message(let payload) = frame else {
                    end.isFault = true
                    end.isMisbehaviour = true
                    end.why = ["why": "a chunk in a session"]
                    break
                }
                open.note(peer.device) { $0.wireReceived += Int64(payload.count) }
                let (message, cost) = try ThreadTime.measure { try codec.decode(payload) }
                if case .spaces(let spaces, _) = message {
                    log.compared(
                        live.connection, peer, spaces: spaces.count, isFirst: !isCompared)
                    isCompared = true
                }
                if let goodbye = await handle(message, on: session, of: live, decoding: cost) {
                    end = goodbye
                    break
                }
                // A peer that sends faster than this disk writes waits, not this memory.
                while live.work.load(ordering: .relaxed) >= Limits.sessionJobs {
                    try await Task.sleep(for: .milliseconds(5))
                }
                try await waitForTurn(peer.device)
            }
        } catch {
            end = .failed(error, peer)
            if end.refusal == .version { close(session, .version) }
        }
        open.remove(session)
        node.handle(.sessionClosed(session))
        await loop.submit(.sessionClosed(session))
        return end
    }

    /// Hands a message in and charges its sender with what that costs; a goodbye ends the session.
    private func handle(
        _ message: PeerMessage, on session: SessionID, of live: OpenConnection,
        decoding: Duration
    ) async -> SessionLog.End? {
        let peer = live.peer
        let handling = await loop.submit(.received(session, message))
        if case .bye(let reason) = message {
            peers.update { $0.ended(peer.device, reason) }
            if reason == .duplicate, open.isOnly(session, with: peer.device) {
                peers.noteDisplaced(peer.device, .here)
            }
            return .goodbye(reason, peer)
        }
        if case .condition(let condition) = message {
            peers.update { $0.said(peer.device, condition) }
        }
        let judging = ThreadTime.measure {
            if message.isOfRights { node.handle(.received(message, session)) }
        }.cost
        work.charge(
            peer.device,
            decoding + handling + judging + .microseconds(Limits.messageMicroseconds),
            onTrial: message.isCommits)
        return nil
    }

    private func read(_ live: OpenConnection, as bulk: BulkID) async -> SessionLog.End {
        let peer = live.peer
        await loop.submit(.bulkOpened(bulk, peer.device))
        var end = SessionLog.End(peer: peer, why: ["why": "ended"])
        var told = clock.now.monotonic
        do {
            reading: while let frame = try await live.connection.receive(onPart: {
                let now = clock.now.monotonic
                guard now >= told + Limits.bulkProgressMilliseconds else { return }
                told = now
                loop.post(.bulkProgressed(bulk))
            }) {
                switch frame {
                case .message(let payload):
                    open.note(peer.device) { $0.wireReceived += Int64(payload.count) }
                    let (message, cost) = try ThreadTime.measure { try codec.decode(payload) }
                    let handling = await loop.submit(.bulkReceived(bulk, message))
                    if case .bye(let reason) = message {
                        end = .goodbye(reason, peer)
                        break reading
                    }
                    work.charge(
                        peer.device, cost + handling + .microseconds(Limits.messageMicroseconds))
                    try await waitForTurn(peer.device)
                case .chunk(let chunk):
                    log.came(chunk, from: peer)
                    let isFile =
                        chunk.index == 0
                        && !loop.inspect { $0.isThumbnail(chunk.requestID, on: bulk) }
                    open.note(peer.device) { moved in
                        moved.filesReceived += isFile ? 1 : 0
                        moved.bytesReceived += Int64(chunk.data.count)
                        moved.wireReceived += Int64(chunk.data.count)
                    }
                    await loop.submit(
                        .chunkReceived(
                            bulk, request: chunk.requestID, index: chunk.index,
                            bytes: chunk.data))
                    await live.writes.drained()
                }
            }
        } catch {
            end = .failed(error, peer)
        }
        open.remove(bulk)
        await loop.submit(.bulkClosed(bulk))
        live.closed()
        return end
    }

    /// Everything both may read is the same on this device and on that one. Whether something was exchanged since
    /// the last time.
    package func inSync(_ device: DeviceID) -> Bool {
        log.synced(device, moved: open.moved[device] ?? OpenConnections.Moved())
    }
}
