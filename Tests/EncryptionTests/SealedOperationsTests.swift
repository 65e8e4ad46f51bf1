import Encryption
import SyncCore
import Testing

@Suite("Sealed operations")
struct SealedOperationsTests {
    private let secret: AgeIdentity
    private let salt = (64..<96).map { UInt8($0) }

    init() throws { secret = try AgeIdentity(privateKey: (0..<32).map { UInt8($0) }) }

    /// Made by the reader in Tests/Support/Reader, which shares no code with this.
    private static let golden = [
        "01404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f632a5c00ac00769a7da5f6",
        "9880025798bf8769740a3cefd1ea956ba1e1c4bad662083edb9d93bc10c838b1b52600c441d7f052aa09b5b3",
        "e97e949801846e709eb9a8a6828dd24f84a85a8b5d60cd4dfe56f77589adb20116b43836636a0dab0d01c2b6",
        "fef409126725be753025b043d7114d8beb1aff14028a4fcd8f1d8b481949d23a843ca757e9be4aae51dd40db",
        "b83f08ac2dacc30dfadee41c5cd531b42a2d55581e5dba1242864235a76a20c5e3ae65936ca9bd69efd889d7",
        "efed895af9520a5e55bfc6b282f28b0ce3b7107094c5612aeccc34f8e1afd242abc423622a71ab1542109e0d",
        "d6dac8e61ad777b9b6f7e2752a1ba59505f7922c1905d718fc238b06dc7224868fcbc0120958f35878",
    ].joined()

    private func repeated(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private func header(sequence: UInt64 = 7, space: UInt8 = 0xA1) throws -> CommitHeader {
        let id = FactReference(commit: .zero, index: 0)
        return CommitHeader(
            space: try #require(SpaceID(bytes: repeated(space))),
            log: LogID(
                device: try #require(DeviceID(bytes: repeated(0xD0))),
                incarnation: try #require(Incarnation([UInt8](repeating: 0x1C, count: 16)))),
            sequence: sequence, previous: .zero, clock: HybridTime(raw: 1), seen: [], grant: id,
            schema: SchemaID(.zero), schemaVersion: 1, clearHash: .zero, operationsHash: .zero)
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("have the bytes of their vector, and open again")
    func vector() throws {
        let text = Array("Piazza Grande".utf8)
        let sealed = SealedOperations.seal(text, under: secret, salt: salt, at: try header())
        #expect(hexadecimal(sealed) == Self.golden)
        #expect(
            SealedOperations.open(sealed, with: secret, at: try header()) == .opened(text))
        #expect(
            secret.recipient.text
                == "age13aqvttdk3ujkyjh9kg2w5an6dmy5mq5a84a4uxk3hfhnugfc9p0sy5p2wh")
    }

    @Test("do not open elsewhere, with another key, or changed")
    func tampered() throws {
        let sealed = SealedOperations.seal([1, 2, 3], under: secret, salt: salt, at: try header())
        func open(_ bytes: [UInt8], _ place: CommitHeader) -> Unsealed {
            SealedOperations.open(bytes, with: secret, at: place)
        }
        #expect(open(sealed, try header(sequence: 8)) == .broken)
        #expect(open(sealed, try header(space: 0xA2)) == .broken)
        #expect(
            SealedOperations.open(sealed, with: try .random(), at: try header()) == .broken)
        for index in 1..<sealed.count {
            var changed = sealed
            changed[index] ^= 1
            #expect(open(changed, try header()) == .broken, "byte \(index)")
        }
        for count in 1..<sealed.count {
            #expect(open(Array(sealed.prefix(count)), try header()) == .broken)
        }
        #expect(open([], try header()) == .broken)
        // A layout of a later version may be opened by a later program.
        #expect(open([2] + sealed.dropFirst(), try header()) == .closed)
    }

    @Test("are padded so that their lengths reveal little")
    func padding() throws {
        let lengths = [(1, 256), (256, 256), (257, 272), (300, 304), (1000, 1024)]
        for (length, padded) in lengths + [(4097, 4352), (100_000, 100_352)] {
            #expect(SealedOperations.padded(length) == padded)
        }
        for length in stride(from: 257, to: 200_000, by: 311) {
            let padded = SealedOperations.padded(length)
            #expect(padded >= length && Double(padded) < Double(length) * 1.12)
        }
    }

    @Test("a secret in a fact opens for its device, and only when it is the epoch's own")
    func wrapped() throws {
        var random = SystemRandomNumberGenerator()
        let device = try AgeIdentity.random()
        let (epoch, other) = (try AgeIdentity.random(), try AgeIdentity.random())
        let key = try #require(Bytes32(device.recipient.publicKey))
        let space = try header().space
        let id = try #require(DeviceID(bytes: repeated(1)))
        let commit = try #require(CommitID(bytes: repeated(2)))
        func ring(_ wrapped: AgeIdentity) throws -> EpochKeyRing {
            let ring = EpochKeyRing()
            ring.use(id, agreementSecret: try #require(Bytes32(device.privateKey)))
            let file = try WrappedSecrets.wrap([wrapped], for: key, using: &random)
            let fact = EpochFact(
                recipient: epoch.recipient.text, keys: [WrappedKey(device: id, ageFile: file)])
            ring.learn([.epoch(fact)], of: commit, in: space)
            return ring
        }
        #expect(try ring(epoch).holds(commit, in: space))
        #expect(try !ring(other).holds(commit, in: space))
        // A later one may be the right one.
        let late = try ring(other)
        let file = try WrappedSecrets.wrap([epoch], for: key, using: &random)
        let added = EpochFact(
            recipient: "", keys: [WrappedKey(device: id, ageFile: file)], addedTo: [commit])
        late.learn(
            [.epoch(added)], of: try #require(CommitID(bytes: repeated(3))), in: space)
        #expect(late.secret(of: commit, in: space)?.privateKey == epoch.privateKey)
    }
}
