import SyncCore

/// One frame of a connection, as it is sent and received.
///
/// On the wire a frame is a 4-byte big-endian `length`, then `length` bytes: a 1-byte kind and the
/// payload. So `length` counts the kind and the payload but not itself; it is at least 1 and at
/// most `Limits.frameBytes`.
///
/// | kind | payload |
/// | --- | --- |
/// | 0 | one serialized protobuf message, opaque here |
/// | 1 | 4-byte request id, 4-byte chunk index, both big-endian, then at most 1 MiB of data |
package enum Frame: Hashable, Sendable {
    /// Kind 0: a serialized `peersync.v1.Message`; on a pairing connection a `PairingMessage`.
    case message([UInt8])
    /// Kind 1.
    case chunk(ChunkPayload)
}

/// One chunk of a blob, as the answer to a request.
package struct ChunkPayload: Hashable, Sendable {
    /// The id the requesting side chose.
    package var requestID: UInt32
    /// Position in the blob, counted in chunks from 0.
    package var index: UInt32
    /// At most `Limits.chunkBytes`.
    package var data: [UInt8]

    package init(requestID: UInt32, index: UInt32, data: [UInt8]) {
        (self.requestID, self.index, self.data) = (requestID, index, data)
    }
}

/// Why bytes are no frame, or a frame cannot be sent. A connection that meets one is closed.
package enum FrameError: Error, Hashable, Sendable {
    /// The length is 0, so not even a kind fits.
    case empty
    /// The length is over what the connection may carry at this moment.
    case tooLong(length: UInt32)
    case unknownKind(UInt8)
    /// A chunk without room for its request id and index.
    case chunkTooShort
    /// A chunk with more than `Limits.chunkBytes` of data.
    case chunkTooLong
}

/// The fixed sizes of the frame format.
enum FrameLayout {
    static let lengthBytes = 4
    static let kindBytes = 1
    /// Request id and chunk index.
    static let chunkHeaderBytes = 8
    static let messageKind: UInt8 = 0
    static let chunkKind: UInt8 = 1
}

extension Frame {
    /// What follows the header on the wire. It is apart from the header so that a chunk of 1 MiB
    /// is not copied to get 13 bytes in front of it.
    package var body: [UInt8] {
        switch self {
        case .message(let bytes): bytes
        case .chunk(let chunk): chunk.data
        }
    }

    /// Length and kind, and for a chunk its request id and index: 5 or 13 bytes.
    ///
    /// Throws `tooLong` or `chunkTooLong` for a frame that no peer would take.
    package func header() throws(FrameError) -> [UInt8] {
        var payloadBytes = body.count
        if case .chunk(let chunk) = self {
            guard chunk.data.count <= Limits.chunkBytes else { throw .chunkTooLong }
            payloadBytes += FrameLayout.chunkHeaderBytes
        }
        let length = UInt32(clamping: payloadBytes + FrameLayout.kindBytes)
        guard length <= Limits.frameBytes else { throw .tooLong(length: length) }
        var header: [UInt8] = []
        header.reserveCapacity(
            FrameLayout.lengthBytes + FrameLayout.kindBytes + FrameLayout.chunkHeaderBytes)
        header.append(bigEndian: length)
        switch self {
        case .message: header.append(FrameLayout.messageKind)
        case .chunk(let chunk):
            header.append(FrameLayout.chunkKind)
            header.append(bigEndian: chunk.requestID)
            header.append(bigEndian: chunk.index)
        }
        return header
    }

    /// Header and body in one piece. Throws what `header()` throws.
    package func encoded() throws(FrameError) -> [UInt8] {
        try header() + body
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian value: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
