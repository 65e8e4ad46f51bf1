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
        let bytes = Self.cost(of: frame)
        let hasRoom = waitingBytes.withLock { waiting in
            guard waiting + bytes <= Limits.outboxBytes else { return false }
            waiting += bytes
            return true
        }
        if hasRoom { continuation.yield(frame) }
        return hasRoom
    }

    /// Small frames take more memory than they have bytes.
    private static func cost(of frame: Frame) -> Int {
        frame.body.count + Limits.waitingFrameBytes
    }

    /// The frame is on its way: it makes room for another.
    package func took(_ frame: Frame) {
        let bytes = Self.cost(of: frame)
        waitingBytes.withLock { $0 -= bytes }
    }

    /// What was put in before still comes out.
    package func finish() {
        continuation.finish()
    }
}

extension Limits {
    /// Memory of a frame that waits, besides its bytes: array, enumeration and a place in the queue.
    package static let waitingFrameBytes = 256
}
