import SyncCore
import Testing

@Suite("Blob ids")
struct BlobHashTests {
    /// Computed by Python's hashlib over `"peersync blob v1\0" ‖ length ‖ SHA-256 of each MiB`.
    @Test(
        "agree with an independent computation",
        arguments: [
            (0, "d2342c11366b39b437cb9a7da71760d19f83de2a8f455e19968808ba13443cdb"),
            (65_535, "03ef784e12f6e2ddedd990aef8f5b7e3c50c1033fe7120cf4b3dae6d9a1df0f1"),
            (1_048_576, "0637c481e986dc51693f9e1cfaa83684e92ed923d1811f059a6056fe2cb9567a"),
            (1_048_577, "d3e98284036875593bdb79c46dde3b4265379590f29a5d0ad0118fb04a608a92"),
            (3_158_073, "16f76ec0c5d8a0c7753464475077dae0cc0c3d0692b0a75c54572d4f81141db6"),
        ])
    func golden(length: Int, expected: String) throws {
        let list = try BlobHash.chunkList(of: pattern(length))
        #expect(list.blobID.description == expected)
        #expect(list.length == UInt64(length))
    }

    @Test("of three letters is the published example")
    func letters() throws {
        let list = try BlobHash.chunkList(of: Array("abc".utf8))
        #expect(
            list.blobID.description
                == "1dde4769cdb30d099f99f8af0e71eef5e68a174ab5288621d88f18752e3ea935")
    }

    @Test("do not depend on how the bytes were cut", arguments: [1, 4096, 700_001, 1 << 20])
    func cuts(step: Int) throws {
        let bytes = pattern(step == 1 ? 3000 : (2 << 20) + 5)
        var hash = BlobHash()
        for start in stride(from: 0, to: bytes.count, by: step) {
            try hash.update(Array(bytes[start..<min(start + step, bytes.count)]))
        }
        #expect(try hash.finish() == BlobHash.chunkList(of: bytes))
    }

    @Test("need as many hashes as the length has chunks, and a length within the limit")
    func counts() throws {
        let hash = Bytes32.zero
        #expect(throws: ChunkListError.wrongCount) { try ChunkList(length: 1, hashes: []) }
        #expect(throws: ChunkListError.wrongCount) { try ChunkList(length: 0, hashes: [hash]) }
        #expect(throws: ChunkListError.wrongCount) {
            try ChunkList(length: 1 << 20, hashes: [hash, hash])
        }
        #expect(throws: ChunkListError.tooLong) {
            try ChunkList(length: Limits.blobBytes + 1, hashes: [])
        }
        #expect(throws: ChunkListError.tooLong) { try ChunkList(length: .max, hashes: [hash]) }
        #expect(ChunkList.chunkCount(length: Limits.blobBytes) == 16_384)
    }

    @Test("come with chunk bounds that cover the blob once")
    func bounds() throws {
        let list = try BlobHash.chunkList(of: pattern((1 << 20) + 7))
        #expect(list.bounds(ofChunk: 0) == 0..<1_048_576)
        #expect(list.bounds(ofChunk: 1) == 1_048_576..<1_048_583)
        #expect(list.bounds(ofChunk: 2) == nil)
        #expect(list.bounds(ofChunk: -1) == nil)
        #expect(ChunkList.bounds(ofChunk: 0, length: .max) == nil)
    }
}
