import SyncCore
import Wire

extension FuzzTarget {
    /// A stream of bytes cut into frames: three bytes say how it is cut and what length is allowed,
    /// the rest is the stream.
    static let frame = FuzzTarget("frame", allocationMebibytes: 4) { input in
        var source = ByteSource(input)
        let cut = 1 + source.below(64)
        let limit = 1 << source.below(24)
        let stream = source.remainder()
        let whole = FrameRun(stream, piece: max(1, stream.count), limit: limit)
        let pieces = FrameRun(stream, piece: cut, limit: limit)
        try require(whole.frames == pieces.frames, "how the bytes arrive changes no frame")
        try require(whole.error == pieces.error, "how the bytes arrive changes no error")
        var encoded: [UInt8] = []
        for frame in whole.frames {
            try require(frame.body.count <= Limits.frameBytes, "a frame is within its limit")
            encoded += try frame.encoded()
        }
        try require(stream.starts(with: encoded), "frames encode to the bytes they came from")
        guard whole.error == nil else { return }
        try require(
            whole.isInsideFrame == (encoded.count < stream.count),
            "what is left is the beginning of a frame")
    }
}

/// What a decoder makes of a stream that arrives in pieces.
private struct FrameRun {
    private(set) var frames: [Frame] = []
    private(set) var error: FrameError?
    private(set) var isInsideFrame = false

    init(_ stream: [UInt8], piece: Int, limit: Int) {
        var decoder = FrameDecoder(maximumLength: limit)
        do throws(FrameError) {
            var start = 0
            while start < stream.count {
                let end = min(start + piece, stream.count)
                start += try decode(stream[start..<end], &decoder)
            }
        } catch {
            self.error = error
        }
        isInsideFrame = decoder.isInsideFrame
    }

    private mutating func decode(
        _ bytes: ArraySlice<UInt8>, _ decoder: inout FrameDecoder
    ) throws(FrameError) -> Int {
        let (taken, frame) = unsafe try decoder.consume(bytes.span.bytes)
        if let frame { frames.append(frame) }
        return taken
    }
}
