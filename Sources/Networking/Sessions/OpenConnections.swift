import Device
package import SyncCore
internal import Synchronization
package import Transport

/// A connection whose peer has said hello.
final class OpenConnection: Sendable {
    let connection: Connection
    let outbox: Outbox
    let peer: PeerInfo
    /// What came from this peer and is being worked on.
    let work = Atomic(0)
    /// Of a connection for blobs.
    let writes = PendingWrites()
    /// Why it ends, once this side has said so.
    let goodbye = Mutex<SessionLog.End?>(nil)
    /// Nothing more is taken from it: only its goodbye is still on the way.
    let isLeaving = Atomic(false)
    /// The engine has heard of it, a session.
    let isWithEngine = Atomic(false)
    /// How far each space was read for it: reading on is free, reading again is not.
    let readThrough = Mutex<[SpaceID: Int64]>([:])
    /// The commits that a session sent to it.
    let sent = Mutex(SentCommits())

    /// Called when it ends; nil once that was done.
    private let waiting = Mutex<[@Sendable () -> Void]?>([])

    init(connection: Connection, outbox: Outbox, peer: PeerInfo) {
        (self.connection, self.outbox, self.peer) = (connection, outbox, peer)
    }

    /// Calls once it is gone; at once when that was told already.
    func whenClosed(_ body: @escaping @Sendable () -> Void) {
        let isOpen = waiting.withLock { waiting in
            waiting?.append(body)
            return waiting != nil
        }
        if !isOpen { body() }
    }

    /// It is gone, and the engine knows.
    func closed() {
        let told = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for body in told { body() }
    }

    /// This side ends it; the first reason counts.
    func says(_ end: SessionLog.End) {
        goodbye.withLock { $0 = $0 ?? end }
    }
}

/// The connections that are open, by the names the engine knows them by, and what went over them.
package final class OpenConnections: Sendable {
    /// What went over the connections with one device since the agent started.
    package struct Moved: Hashable, Sendable {
        package var commitsSent = 0
        package var commitsReceived = 0
        /// Files that people added; thumbnails count in bytes only.
        package var filesSent = 0
        package var filesReceived = 0
        package var bytesSent: Int64 = 0
        package var bytesReceived: Int64 = 0
        /// All messages and chunks.
        package var wireSent: Int64 = 0
        package var wireReceived: Int64 = 0
        /// Files that were not kept, chunks that were wrong, changes that were refused.
        package var errors = 0

        package init() {}
    }

    private struct State {
        var nextNumber: UInt64 = 1
        var sessions: [SessionID: OpenConnection] = [:]
        var bulks: [BulkID: OpenConnection] = [:]
        var moved: [DeviceID: Moved] = [:]
    }

    private let state = Mutex(State())
    /// Counts sessions that opened or ended, and with them what else decides whether somebody who
    /// waits for others has waited long enough.
    let changes = Observable(0)

    /// The number it is known by from now on; sessions and connections for blobs share them.
    func add(_ open: OpenConnection, _ purpose: Hello.Purpose) -> UInt64 {
        defer { changes.update { $0 += 1 } }
        return state.withLock { state in
            defer { state.nextNumber += 1 }
            switch purpose {
            case .session: state.sessions[SessionID(state.nextNumber)] = open
            case .bulk: state.bulks[BulkID(state.nextNumber)] = open
            }
            return state.nextNumber
        }
    }

    /// Nil when it is gone.
    subscript(session: SessionID) -> OpenConnection? { state.withLock { $0.sessions[session] } }
    subscript(bulk: BulkID) -> OpenConnection? { state.withLock { $0.bulks[bulk] } }

    /// The engine has heard of a session: those who wait for its device find it there, too.
    func noteWithEngine(_ open: OpenConnection) {
        open.isWithEngine.store(true, ordering: .relaxed)
        changes.update { $0 += 1 }
    }

    func remove(_ session: SessionID) {
        state.withLock { $0.sessions[session] = nil }
        changes.update { $0 += 1 }
    }

    func remove(_ bulk: BulkID) { state.withLock { $0.bulks[bulk] = nil } }

    package var sessions: [SessionID] { state.withLock { Array($0.sessions.keys) } }
    var bulks: [OpenConnection] { state.withLock { Array($0.bulks.values) } }

    /// A session that is open with a device.
    package func session(with device: DeviceID) -> SessionID? {
        state.withLock { $0.sessions.first { $0.value.peer.device == device }?.key }
    }

    /// Whether no other session is open with a device.
    func isOnly(_ session: SessionID, with device: DeviceID) -> Bool {
        state.withLock { state in
            state.sessions.allSatisfy { $0.key == session || $0.value.peer.device != device }
        }
    }

    /// The devices that a session is open with, and where they are.
    package var connected: [DeviceID: RemoteAddress] {
        state.withLock { state in
            Dictionary(
                state.sessions.values.map { ($0.peer.device, $0.connection.remoteAddress) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// The devices with which the engine has a session.
    var devicesWithEngine: Set<DeviceID> {
        state.withLock { state in
            let sessions = state.sessions.values
            return Set(
                sessions.filter { $0.isWithEngine.load(ordering: .relaxed) }.map(\.peer.device))
        }
    }

    /// The devices that a session is open with, and whether this side dialled one.
    var dialed: [DeviceID: Bool] {
        state.withLock { state in
            Dictionary(
                state.sessions.values.map { ($0.peer.device, $0.peer.dialed) },
                uniquingKeysWith: { $0 || $1 })
        }
    }

    /// Whether the session with a device is one that this side dialled.
    func isDialing(_ device: DeviceID) -> Bool { dialed[device] == true }

    // MARK: What went over them

    /// What was exchanged with each device since the agent started.
    package var moved: [DeviceID: Moved] { state.withLock { $0.moved } }

    func note(_ device: DeviceID, _ change: (inout Moved) -> Void) {
        state.withLock { change(&$0.moved[device, default: Moved()]) }
    }
}
