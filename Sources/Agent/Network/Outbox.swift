import SyncCore
internal import Synchronization
package import Wire

/// Frames that wait to be written to one peer: so many bytes and no more.
package final class Outbox: Sendable {
    /// For one writer, who says of each frame that it ``took(_:)`` it.
    package let frames: AsyncStream<Frame>
    private let continuation: AsyncStream<Frame>.Continuation
    private let waitingBytes = Mutex(0)

    package init() {
        (frames, continuation) = AsyncStream.makeStream()
    }

    /// False when too much waits already: the peer does not read.
    package func put(_ frame: Frame) -> Bool {
        let bytes = frame.body.count
        let hasRoom = waitingBytes.withLock { waiting in
            guard waiting + bytes <= Limits.outboxBytes else { return false }
            waiting += bytes
            return true
        }
        if hasRoom { continuation.yield(frame) }
        return hasRoom
    }

    /// The frame is on its way: it makes room for another.
    package func took(_ frame: Frame) {
        waitingBytes.withLock { $0 -= frame.body.count }
    }

    /// What was put in before still comes out.
    package func finish() {
        continuation.finish()
    }
}
