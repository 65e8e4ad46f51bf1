import Encryption
import SyncCore
import Testing

@Suite("Encrypted files")
struct EncryptedFilesTests {
    private let content = Array("Duomo".utf8)

    /// Made with the Python package cryptography, from Protocol.md and the specification of age.
    private static let golden = [
        "6167652d656e6372797074696f6e2e6f72672f76310a2d3e2058323535313920387565527050473473546e33",
        "51674d50666e52454a5446534542366c7677546d4253766472337046796e340a6b6447494759734675694c4f",
        "576372394868484d784a5a764d364f54743869794e5a7a493951746634616b0a2d2d2d205a456852547a5437",
        "52484b7158682f3464787435477273696372642b7a4569664274506c4a2b392b5647630a7919b2b2e4d8f745",
        "f2ff5ad98d6c0e08b163ee2e2d42279f650d5ecdde471ef2947e30e0c5",
    ].joined()

    private func encrypted(_ content: [UInt8], first: UInt8) throws -> [UInt8] {
        let epoch = try AgeIdentity(privateKey: (0..<32).map { first &+ $0 })
        let id = try BlobHash.chunkList(of: content).blobID
        return try AgeWriter(id, for: epoch).file(content)
    }

    @Test("match their vector on every device, and open with the key of the epoch")
    func vector() throws {
        let file = try encrypted(content, first: 0)
        #expect(hexadecimal(file) == Self.golden)
        let epoch = try AgeIdentity(privateKey: (0..<32).map { $0 })
        let plain = try AgeReader(MemoryInput(file), identities: [epoch]).plaintext()
        #expect(try plain.read(0..<plain.length) == content)
    }

    @Test("differ by content and epoch, also in their unencrypted parts")
    func differ() throws {
        let files = [
            try encrypted(content, first: 0), try encrypted(content, first: 1),
            try encrypted(content + [0], first: 0),
        ]
        // The stanza's share, and the nonce of the payload.
        #expect(Set(files.map { Array($0[32..<75]) }).count == 3)
        #expect(Set(files.map { Array($0[168..<184]) }).count == 3)
    }
}
