internal import NIOCore
package import Wire

/// The frames of one connection, consumed one at a time by one task.
package struct InboundFrames: AsyncSequence, Sendable {
    package typealias Element = Frame
    package typealias Failure = TransportError

    let connection: Connection

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let connection: Connection

        package mutating func next() async throws(TransportError) -> Frame? {
            try await connection.receive()
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> Frame? {
            try await connection.receive()
        }
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(connection: connection)
    }
}

/// Cuts frames out of the pieces of a stream. Runs in the consuming task, so that copying a chunk
/// costs the event loop nothing.
struct FrameReader: Sendable {
    /// The rest of the last piece.
    var buffer = ByteBuffer()
    private var decoder = FrameDecoder()

    var isInsideFrame: Bool { decoder.isInsideFrame }

    /// The next frame, or nil when another piece is needed.
    mutating func next(maximumLength: Int) throws(FrameError) -> Frame? {
        guard buffer.readableBytes > 0 else { return nil }
        decoder.maximumLength = maximumLength
        // A second reference to the same bytes: the span must not keep `self` borrowed.
        let piece = buffer
        let (taken, frame) = try decoder.consume(piece.readableBytesSpan)
        buffer.moveReaderIndex(forwardBy: taken)
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        return frame
    }
}
