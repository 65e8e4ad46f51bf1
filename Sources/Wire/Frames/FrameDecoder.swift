import SyncCore

/// Cuts a stream of bytes into frames, in whatever pieces the bytes arrive.
///
/// A frame's bytes are copied once, into the array that becomes its payload; nothing is allocated
/// for a frame before its length was found to be allowed. After an error the decoder stays at
/// that error, for there is no way to find the next frame.
package struct FrameDecoder: Sendable {
    /// The largest length taken from now on, in bytes; a frame whose length was read before keeps
    /// the limit of its time. `Limits.frameBytes` bounds it in any case.
    package var maximumLength: Int

    private enum Stage {
        /// Fewer bytes than the header has.
        case header
        case body(missing: Int)
        case broken(FrameError)
    }

    private var stage = Stage.header
    private var header: [UInt8] = []
    private var body: [UInt8] = []

    package init(maximumLength: Int = Limits.frameBytes) { self.maximumLength = maximumLength }

    /// Whether bytes of an unfinished frame have been taken: an end of the stream now cuts it off.
    package var isInsideFrame: Bool {
        !header.isEmpty
    }

    /// Takes bytes up to the end of the next frame.
    ///
    /// Returns how many of `bytes` were taken, and the frame when they completed one. Without a
    /// frame all of them were taken; with one the rest must be handed in again.
    package mutating func consume(
        _ bytes: RawSpan
    ) throws(FrameError) -> (taken: Int, frame: Frame?) {
        do throws(FrameError) {
            return try advance(bytes)
        } catch {
            stage = .broken(error)
            body = []
            throw error
        }
    }

    private mutating func advance(
        _ bytes: RawSpan
    ) throws(FrameError) -> (taken: Int, frame: Frame?) {
        var taken = 0
        while true {
            switch stage {
            case .broken(let error): throw error
            case .header:
                guard taken < bytes.byteCount else { return (taken, nil) }
                header.append(unsafe bytes.unsafeLoad(fromByteOffset: taken, as: UInt8.self))
                taken += 1
                try startBodyIfHeaderIsWhole()
            case .body(let missing):
                let count = min(missing, bytes.byteCount - taken)
                let piece = bytes.extracting(taken..<taken + count)
                unsafe piece.withUnsafeBytes { unsafe body.append(contentsOf: $0) }
                taken += count
                stage = .body(missing: missing - count)
                guard missing == count else { return (taken, nil) }
                return (taken, consumeFrame())
            }
        }
    }

    /// Checks as soon as the bytes that a check needs are here.
    private mutating func startBodyIfHeaderIsWhole() throws(FrameError) {
        let prefix = FrameLayout.lengthBytes + FrameLayout.kindBytes
        if header.count == FrameLayout.lengthBytes {
            try checkLength()
        } else if header.count == prefix {
            try checkKind()
        }
        let isChunk = header.count > FrameLayout.lengthBytes && kind == FrameLayout.chunkKind
        let headerBytes = isChunk ? prefix + FrameLayout.chunkHeaderBytes : prefix
        guard header.count == headerBytes else { return }
        // Cannot be negative: checkLength and checkKind have seen the length.
        let missing = Int(length) + FrameLayout.lengthBytes - headerBytes
        body.reserveCapacity(missing)
        stage = .body(missing: missing)
    }

    private func checkLength() throws(FrameError) {
        guard length > 0 else { throw .empty }
        guard length <= min(maximumLength, Limits.frameBytes) else {
            throw .tooLong(length: length)
        }
    }

    private func checkKind() throws(FrameError) {
        switch kind {
        case FrameLayout.messageKind: return
        case FrameLayout.chunkKind:
            let fixed = FrameLayout.kindBytes + FrameLayout.chunkHeaderBytes
            guard length >= fixed else { throw .chunkTooShort }
            guard Int(length) - fixed <= Limits.chunkBytes else { throw .chunkTooLong }
        default: throw .unknownKind(kind)
        }
    }

    private mutating func consumeFrame() -> Frame {
        let frame: Frame =
            if kind == FrameLayout.chunkKind {
                .chunk(
                    ChunkPayload(
                        requestID: word(at: FrameLayout.lengthBytes + FrameLayout.kindBytes),
                        index: word(at: FrameLayout.lengthBytes + FrameLayout.kindBytes + 4),
                        data: body))
            } else {
                .message(body)
            }
        body = []
        header.removeAll(keepingCapacity: true)
        stage = .header
        return frame
    }

    private var length: UInt32 { word(at: 0) }

    private var kind: UInt8 { header[FrameLayout.lengthBytes] }

    private func word(at offset: Int) -> UInt32 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
