internal import NIOCore
internal import SyncCore
internal import Synchronization

/// The bytes that one connection has received and that no task has consumed yet.
///
/// The event loop appends, and one task consumes. If too much waits, or too much arrived before
/// authentication, the queue tells the loop to stop reading, and later to continue: so a slow
/// consumer makes the sender wait, through TCP, and never fills memory.
final class InboundQueue: Sendable {
    enum End: Hashable, Sendable {
        case closedHere
        case closedByPeer
        case failed(TransportError)
    }

    enum Delivery: Sendable {
        case bytes(ByteBuffer)
        case end(End)
        case cancelled
    }

    private struct State {
        var buffers = CircularBuffer<ByteBuffer>()
        var waiting = 0
        /// All bytes ever received.
        var total = 0
        var isAuthenticated = false
        var isPaused = false
        var end: End?
        var taker: CheckedContinuation<Delivery, Never>?
    }

    /// Smaller pieces are joined: each one holds a buffer of up to 1 MiB.
    private static let smallBytes = 64 * 1024

    private let state = Mutex(State())
    private let allWaiting: SharedCount
    private let resume: @Sendable () -> Void

    /// `allWaiting` counts for all connections of an endpoint. `resume` is called, from any thread,
    /// when reading may continue.
    init(allWaiting: SharedCount, resume: @escaping @Sendable () -> Void) {
        (self.allWaiting, self.resume) = (allWaiting, resume)
    }

    deinit {
        allWaiting.add(-state.withLock { $0.waiting })
    }

    /// All bytes ever received.
    var total: Int { state.withLock { $0.total } }
    var isAuthenticated: Bool { state.withLock { $0.isAuthenticated } }
    var isPaused: Bool { state.withLock { $0.isPaused } }

    func append(_ buffer: ByteBuffer) {
        let bytes = buffer.readableBytes
        let taker = state.withLock { state in
            guard state.end == nil else { return nil as CheckedContinuation<Delivery, Never>? }
            state.total += bytes
            if let taker = state.taker.take() { return taker }
            state.waiting += bytes
            allWaiting.add(bytes)
            InboundQueue.enqueue(buffer, in: &state.buffers)
            return nil
        }
        taker?.resume(returning: .bytes(buffer))
    }

    private static func enqueue(_ buffer: ByteBuffer, in buffers: inout CircularBuffer<ByteBuffer>)
    {
        guard buffer.readableBytes < smallBytes else { return buffers.append(buffer) }
        if var last = buffers.popLast() {
            guard last.readableBytes < smallBytes else {
                buffers.append(last)
                return buffers.append(ByteBuffer(bytes: buffer.readableBytesView))
            }
            last.writeImmutableBuffer(buffer)
            buffers.append(last)
        } else {
            buffers.append(ByteBuffer(bytes: buffer.readableBytesView))
        }
    }

    /// Called by the event loop before each read. If it returns false, `resume` follows later.
    func mayRead() -> Bool {
        state.withLock { state in
            state.isPaused = isFull(state)
            return !state.isPaused
        }
    }

    private func isFull(_ state: State) -> Bool {
        guard state.end == nil else { return false }
        guard state.isAuthenticated else { return state.total >= Limits.unauthenticatedBytes }
        return state.waiting >= Limits.receivedBytesPerConnection
            || state.waiting > 0 && allWaiting.value >= Limits.receivedBytes
    }

    /// Lifts the limit on bytes before authentication.
    func authenticate() {
        change { $0.isAuthenticated = true }
    }

    /// Ends the stream: waiting bytes are still delivered, unless this side has closed.
    func finish(_ end: End) {
        let taker = change { state in
            guard state.end == nil else { return nil as CheckedContinuation<Delivery, Never>? }
            state.end = end
            if end == .closedHere {
                allWaiting.add(-state.waiting)
                state.waiting = 0
                state.buffers.removeAll()
            }
            return state.taker.take()
        }
        taker?.resume(returning: .end(end))
    }

    /// The next piece of the stream, at least one byte. Only one task may wait at a time.
    func next() async -> Delivery {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let delivery: Delivery? = change { state in
                    if let buffer = state.buffers.popFirst() {
                        state.waiting -= buffer.readableBytes
                        allWaiting.add(-buffer.readableBytes)
                        return .bytes(buffer)
                    }
                    if let end = state.end { return .end(end) }
                    if Task.isCancelled || state.taker != nil { return .cancelled }
                    state.taker = continuation
                    return nil
                }
                if let delivery { continuation.resume(returning: delivery) }
            }
        } onCancel: {
            state.withLock { $0.taker.take() }?.resume(returning: .cancelled)
        }
    }

    /// Changes the state, and resumes reading if that made room: only once half of the room is
    /// free, so that reading does not stop and start with every piece.
    private func change<Result>(_ body: (inout State) -> sending Result) -> Result {
        let (result, resumes) = state.withLock { state in
            let result = body(&state)
            let hasRoom = state.waiting <= Limits.receivedBytesPerConnection / 2
            let resumes = state.isPaused && hasRoom && !isFull(state)
            if resumes { state.isPaused = false }
            return (result, resumes)
        }
        if resumes { resume() }
        return result
    }
}

/// A count that several threads change.
final class SharedCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ change: Int) {
        count.wrappingAdd(change, ordering: .relaxed)
    }
}
