import SyncCore
import TestKit
import Testing
import Wire

/// Bytes from the network never trap: each decoder returns or throws, and what it returns encodes.
@Suite("Hostile bytes", .serialized)
struct MutationTests {
    private static let rounds = 300
    private let seed = TestSeeds.first

    @Test("Random bytes never trap")
    func randomBytes() {
        var values = RandomValues(seed: seed)
        var decoded = 0
        for _ in 0..<10_000 {
            decoded += decodeEverything(values.bytes(values.below(80)), signature: values.bytes(64))
        }
        // Most are no message of any kind, some are an empty one with unknown fields.
        #expect(decoded > 0)
    }

    @Test("Mutated vectors never trap")
    func mutatedVectors() throws {
        var values = RandomValues(seed: seed)
        let vectors = try Vector.every()
        #expect(vectors.count >= 29)
        for (_, vector) in vectors {
            for entry in vector.entries.values where entry.count > 1 {
                for _ in 0..<MutationTests.rounds {
                    _ = decodeEverything(
                        mutated(entry, &values), signature: [UInt8](repeating: 0, count: 64))
                }
            }
        }
    }

    @Test("Every vector cut short anywhere never traps")
    func truncatedVectors() throws {
        for (_, vector) in try Vector.every() {
            for entry in vector.entries.values {
                for count in 0..<min(entry.count, 400) {
                    _ = decodeEverything(
                        Array(entry.prefix(count)), signature: [UInt8](repeating: 0, count: 64))
                }
            }
        }
    }

    // MARK: Support

    private func mutated(_ bytes: [UInt8], _ values: inout RandomValues) -> [UInt8] {
        var result = bytes
        for _ in 0...values.below(4) where !result.isEmpty {
            let place = values.below(result.count)
            let length = min(values.below(12), result.count - place)
            switch values.below(5) {
            case 0: result[place] = UInt8(values.below(256))
            case 1: result[place] ^= 1 << UInt8(values.below(8))
            case 2: result.removeSubrange(place..<place + length)
            case 3: result.insert(contentsOf: result[place..<place + length], at: place)
            // A varint of ten bytes: the greatest number.
            default: result.insert(contentsOf: [UInt8](repeating: 0xFF, count: 9) + [1], at: place)
            }
        }
        return result
    }

    /// How many decoders took the bytes. Whatever they return is encoded again.
    private func decodeEverything(_ bytes: [UInt8], signature: [UInt8]) -> Int {
        let commits = CommitCodec()
        let taken: [Bool] = [
            (try? commits.decodeHeader(bytes)).map(commits.encodeHeader) != nil,
            (try? commits.decodeClearPart(bytes)).map { commits.encode($0) } != nil,
            (try? commits.decodeOperations(bytes)).map { commits.encode($0) } != nil,
            (try? MessageCodec().decode(bytes)).map(MessageCodec().encode) != nil,
            (try? PairingCodec().decode(bytes)).map(PairingCodec().encode) != nil,
            (try? CardCodec().decode(bytes)).map { CardCodec().encode(links: $0.links) } != nil,
            (try? AckCodec().decode(bytes, signature: signature))
                .map { AckCodec().encode($0.said) } != nil,
            (try? HoldingsCodec().decode(bytes, signature: signature))
                .map { HoldingsCodec().encode($0.said) } != nil,
            (try? PersonStatementCodec().decode(bytes, signature: signature)) != nil,
            decodesCommit(bytes),
        ]
        return taken.count { $0 }
    }

    /// The bytes as each part of a commit whose hashes hold.
    private func decodesCommit(_ bytes: [UInt8]) -> Bool {
        var header = CommitHeader(
            space: SpaceID(bytes32(1)), log: LogID(device: .zero, incarnation: .zero), sequence: 2,
            previous: CommitID(bytes32(2)), clock: HybridTime(raw: 1), seen: [],
            grant: FactReference(commit: CommitID(bytes32(3)), index: 0), schema: .zero,
            schemaVersion: 1, clearHash: .zero, operationsHash: .zero)
        header.clearHash = Label.clearPart.hash(bytes)
        header.operationsHash = Label.operationsPart.hash(bytes)
        let encoded = EncodedCommit(
            header: CommitCodec().encodeHeader(header), signature: [UInt8](repeating: 0, count: 64),
            clear: bytes, operations: bytes)
        return (try? CommitCodec().decode(encoded)) != nil
    }
}
