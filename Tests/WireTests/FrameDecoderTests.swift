import SyncCore
import Testing
import Wire

@Suite("Frames on the wire")
struct FrameDecoderTests {
    private static let frames: [Frame] = [
        .message([]),
        .message([1, 2, 3]),
        .chunk(ChunkPayload(requestID: 0x0102_0304, index: 0xFFFF_FFFF, data: [9, 8, 7])),
        .chunk(ChunkPayload(requestID: 0, index: 0, data: [])),
        .message(Array(repeating: 5, count: 20)),
    ]

    @Test("A message is length, kind and payload, and the length counts kind and payload")
    func messageBytes() throws {
        // Given a message of two bytes, when it is encoded
        let bytes = try Frame.message([0xAA, 0xBB]).encoded()
        // Then every byte stands where Protocol.md says
        #expect(bytes == [0, 0, 0, 3, 0, 0xAA, 0xBB])
    }

    @Test("A chunk carries request id and index big-endian before its data")
    func chunkBytes() throws {
        let chunk = ChunkPayload(requestID: 0x0102_0304, index: 5, data: [0xCC])
        let bytes = try Frame.chunk(chunk).encoded()
        #expect(bytes == [0, 0, 0, 10, 1, 1, 2, 3, 4, 0, 0, 0, 5, 0xCC])
    }

    @Test("Frames come out the same wherever the stream is split in two")
    func everySplit() throws {
        // Given a stream of frames of both kinds, empty ones among them
        let stream = try Self.frames.flatMap { try $0.encoded() }
        for split in 0...stream.count {
            // When it arrives in two pieces
            var decoder = FrameDecoder()
            let first = try decoder.all(in: stream[..<split])
            let second = try decoder.all(in: stream[split...])
            // Then the frames are those that were sent
            #expect(first + second == Self.frames)
            #expect(!decoder.isInsideFrame)
        }
    }

    @Test("Frames come out the same one byte at a time")
    func byteByByte() throws {
        var decoder = FrameDecoder()
        var decoded: [Frame] = []
        for byte in try Self.frames.flatMap({ try $0.encoded() }) {
            decoded += try decoder.all(in: [byte][...])
        }
        #expect(decoded == Self.frames)
    }

    @Test("A decoder takes one frame at a time and leaves the rest")
    func oneFrameAtATime() throws {
        let stream = try Frame.message([1]).encoded() + [0, 0]
        var decoder = FrameDecoder()
        let (taken, frame) = unsafe try decoder.consume(stream.span.bytes)
        #expect(taken == 6)
        #expect(frame == .message([1]))
    }

    @Test("A stream that ends anywhere but between frames is noticed")
    func cutOff() throws {
        let stream = try Frame.chunk(ChunkPayload(requestID: 1, index: 2, data: [3])).encoded()
        for end in 1..<stream.count {
            var decoder = FrameDecoder()
            #expect(try decoder.all(in: stream[..<end]).isEmpty)
            #expect(decoder.isInsideFrame)
        }
    }

    private static let impossibleLengths: [(UInt32, FrameError)] = [
        (0, .empty),
        (1_114_113, .tooLong(length: 1_114_113)),
        (0x7FFF_FFFF, .tooLong(length: 0x7FFF_FFFF)),
        (0xFFFF_FFFF, .tooLong(length: 0xFFFF_FFFF)),
    ]

    @Test("Impossible lengths are refused after four bytes", arguments: impossibleLengths)
    func lengths(length: UInt32, expected: FrameError) {
        var decoder = FrameDecoder()
        #expect(throws: expected) { try decoder.all(in: Self.bytes(of: length)[...]) }
        // And the decoder does not recover into the middle of a stream.
        #expect(throws: expected) { try decoder.all(in: [0, 0, 0, 1, 0]) }
    }

    @Test("A length of one is a frame without payload")
    func lengthOne() throws {
        var decoder = FrameDecoder()
        #expect(try decoder.all(in: [0, 0, 0, 1, 0]) == [.message([])])
    }

    @Test("Every other kind is refused", arguments: UInt8(2)...UInt8.max)
    func unknownKinds(kind: UInt8) {
        var decoder = FrameDecoder()
        #expect(throws: FrameError.unknownKind(kind)) {
            try decoder.all(in: [0, 0, 0, 1, kind])
        }
    }

    @Test("A chunk frame too short for its ids is refused", arguments: UInt32(1)...8)
    func shortChunks(length: UInt32) {
        var decoder = FrameDecoder()
        #expect(throws: FrameError.chunkTooShort) {
            try decoder.all(in: (Self.bytes(of: length) + [1])[...])
        }
    }

    @Test("A chunk of 1 MiB passes and one byte more is refused, sending and receiving")
    func chunkLimit() throws {
        let largest = Frame.chunk(
            ChunkPayload(
                requestID: 1, index: 1, data: Array(repeating: 1, count: Limits.chunkBytes)))
        let over = Frame.chunk(
            ChunkPayload(
                requestID: 1, index: 1, data: Array(repeating: 1, count: Limits.chunkBytes + 1)))
        var decoder = FrameDecoder()
        #expect(try decoder.all(in: largest.encoded()[...]) == [largest])
        #expect(throws: FrameError.chunkTooLong) { try over.encoded() }
        let length = UInt32(Limits.chunkBytes + 10)
        #expect(throws: FrameError.chunkTooLong) {
            try decoder.all(in: (Self.bytes(of: length) + [1])[...])
        }
    }

    @Test("A message over the limit of a frame cannot be sent")
    func messageLimit() throws {
        let largest = Frame.message(Array(repeating: 1, count: Limits.frameBytes - 1))
        #expect(try largest.encoded().count == Limits.frameBytes + 4)
        let over = Frame.message(Array(repeating: 1, count: Limits.frameBytes))
        #expect(throws: FrameError.tooLong(length: UInt32(Limits.frameBytes) + 1)) {
            try over.encoded()
        }
    }

    @Test("A lower limit holds until it is lifted")
    func liftedLimit() throws {
        let frame = Frame.message(Array(repeating: 1, count: 100))
        var decoder = FrameDecoder(maximumLength: 10)
        #expect(try decoder.all(in: [0, 0, 0, 1, 0]) == [.message([])])
        decoder.maximumLength = 200
        #expect(try decoder.all(in: frame.encoded()[...]) == [frame])
        decoder.maximumLength = 10
        #expect(throws: FrameError.tooLong(length: 101)) {
            try decoder.all(in: frame.encoded()[...])
        }
    }

    private static func bytes(of length: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) }
    }
}

extension FrameDecoder {
    /// Every frame that `bytes` completes.
    fileprivate mutating func all(in bytes: ArraySlice<UInt8>) throws(FrameError) -> [Frame] {
        var rest = bytes
        var frames: [Frame] = []
        // Zero bytes can complete nothing here: a frame ends with its last byte, never after it.
        while !rest.isEmpty {
            let (taken, frame) = unsafe try consume(rest.span.bytes)
            rest = rest.dropFirst(taken)
            if let frame { frames.append(frame) }
        }
        return frames
    }
}
