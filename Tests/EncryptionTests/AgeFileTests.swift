import Encryption
import Testing

/// A file that was longer when it was opened.
private struct ShrunkInput: ByteInput {
    let left: [UInt8]
    let length: UInt64

    func read(_ range: Range<UInt64>) -> [UInt8] { MemoryInput(left).read(range) }
}

@Suite("Age files")
struct AgeFileTests {
    /// As many plaintext bytes as a chunk has, by the format.
    private static let chunk = 65_536

    @Test(
        "a file of many chunks comes back, and is as long as was said", arguments: [0, 1, 63, 70])
    func many(chunks: Int) async throws {
        let identity = try AgeIdentity.random()
        let plain = AgeFiles.noise(chunks * Self.chunk + chunks % 2)
        let writer = try AgeWriter(recipients: [identity.recipient])
        var file: [UInt8] = []
        try await writer.write(MemoryInput(plain)) { file += $0 }
        #expect(UInt64(file.count) == writer.length(of: UInt64(plain.count)))
        #expect(try await AgeFiles.opened(file, with: identity) == plain)
    }

    @Test("bytes that the caller keeps stay unchanged, although memory is reused")
    func kept() async throws {
        let identity = try AgeIdentity.random()
        let plain = AgeFiles.noise(80 * Self.chunk)
        var sealed: [[UInt8]] = []
        try await AgeWriter(recipients: [identity.recipient]).write(MemoryInput(plain)) {
            sealed.append($0)
        }
        #expect(sealed.count > 5)
        let reader = try AgeReader(
            MemoryInput(Array(sealed.joined())), identities: [identity])
        var opened: [[UInt8]] = []
        try await reader.readAll { opened.append($0) }
        #expect(opened.count > 4)
        #expect(Array(opened.joined()) == plain)
    }

    @Test("a file that becomes shorter releases only verified bytes", arguments: [1, 17])
    func shrinking(chunks: Int) async throws {
        let identity = try AgeIdentity.random()
        let plain = AgeFiles.noise(20 * Self.chunk)
        let file = try await AgeFiles.encrypted(plain, to: [identity.recipient])
        let left = file.count - (20 - chunks) * (Self.chunk + 16)
        let input = ShrunkInput(left: Array(file.prefix(left)), length: UInt64(file.count))
        let reader = try AgeReader(input, identities: [identity])
        var released: [UInt8] = []
        await #expect(throws: AgeError.damagedPayload) {
            try await reader.readAll { released += $0 }
        }
        #expect(released == Array(plain.prefix(chunks * Self.chunk)))
    }

    @Test("a part is read without the rest")
    func ranges() async throws {
        let identity = try AgeIdentity.random()
        let plain = AgeFiles.noise(3 * Self.chunk + 100)
        var file = try await AgeFiles.encrypted(plain, to: [identity.recipient])
        // Parts that are not read may be damaged.
        file[file.count - Self.chunk] ^= 1
        let opened = try AgeReader(MemoryInput(file), identities: [identity]).plaintext()
        #expect(opened.length == UInt64(plain.count))
        let end = UInt64(plain.count)
        for range in [0..<1, 0..<65_537, 65_000..<66_000, end - 50..<end, end - 1..<end + 50] {
            let expected = plain[Int(range.lowerBound)..<min(Int(range.upperBound), plain.count)]
            #expect(try opened.read(range) == Array(expected))
        }
        #expect(throws: AgeError.damagedPayload) { try opened.read(0..<end) }
        #expect(try opened.read(end + 1..<end + 2).isEmpty)
    }

    @Test("a truncated file is damaged", arguments: [1, 17, 65_552, 65_553])
    func cut(bytes: Int) async throws {
        let identity = try AgeIdentity.random()
        let file = try await AgeFiles.encrypted(
            AgeFiles.noise(2 * Self.chunk), to: [identity.recipient])
        let cut = MemoryInput(Array(file.dropLast(bytes)))
        let reader = try AgeReader(cut, identities: [identity])
        #expect(throws: AgeError.damagedPayload) { try reader.plaintext() }
        await #expect(throws: AgeError.damagedPayload) { try await reader.readAll { _ in } }
    }

    @Test("a changed bit is found at every place")
    func flipped() async throws {
        let identity = try AgeIdentity.random()
        let file = try await AgeFiles.encrypted(
            Array("Piazza Grande".utf8), to: [identity.recipient])
        for place in file.indices {
            var changed = file
            changed[place] ^= 1
            await #expect(throws: AgeError.self, "byte \(place)") {
                _ = try await AgeFiles.opened(changed, with: identity)
            }
        }
    }

    @Test("others cannot open it, and two files with the same content have nothing in common")
    func strangers() async throws {
        let identity = try AgeIdentity.random()
        let files = [
            try await AgeFiles.encrypted([1], to: [identity.recipient]),
            try await AgeFiles.encrypted([1], to: [identity.recipient]),
        ]
        #expect(files[0] != files[1])
        let stranger = try AgeIdentity.random()
        await #expect(throws: AgeError.noMatch) {
            _ = try await AgeFiles.opened(files[0], with: stranger)
        }
    }

    @Test("a recipient of low order, which everybody could open, is refused")
    func lowOrder() throws {
        let recipient = try AgeRecipient(publicKey: [UInt8](repeating: 0, count: 32))
        #expect(throws: AgeError.malformedKey) { try AgeWriter(recipients: [recipient]) }
    }

    @Test(
        "refuses texts that are not keys",
        arguments: [
            "", "age1", "age1xyz", "1", "AGE-SECRET-KEY-1", "age-secret-key-1qqqq",
            // Another check sum, and mixed case.
            "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwk",
            "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwJ",
        ])
    func keys(text: String) {
        #expect(throws: AgeError.malformedKey) { try AgeRecipient(text: text) }
        #expect(throws: AgeError.malformedKey) { try AgeIdentity(text: text) }
    }
}
