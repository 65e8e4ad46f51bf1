import SyncCore
import TestKit
import Testing
import Wire

/// What is encoded decodes to the same value, for random values. The seed of a run is printed;
/// PEERSYNC_TEST_SEED repeats it.
@Suite("Random values come back as they were", .serialized)
struct RoundTripTests {
    private static let rounds = 500
    private let seed = TestSeeds.first

    @Test("Headers")
    func headers() throws {
        var values = RandomValues(seed: seed)
        for round in 0..<RoundTripTests.rounds {
            let header = values.header()
            let bytes = CommitCodec().encodeHeader(header)
            #expect(try CommitCodec().decodeHeader(bytes) == header, "seed \(seed), \(round)")
        }
    }

    @Test("Operations")
    func operations() throws {
        var values = RandomValues(seed: seed)
        for round in 0..<RoundTripTests.rounds {
            let operations = values.operations()
            let bytes = CommitCodec().encode(operations)
            #expect(
                try CommitCodec().decodeOperations(bytes) == operations, "seed \(seed), \(round)")
        }
    }

    @Test("Clear parts")
    func clearParts() throws {
        var values = RandomValues(seed: seed)
        for round in 0..<RoundTripTests.rounds {
            let clear = values.clearPart()
            let bytes = CommitCodec().encode(clear)
            #expect(try CommitCodec().decodeClearPart(bytes) == clear, "seed \(seed), \(round)")
        }
    }

    @Test("Messages of a session")
    func messages() throws {
        var values = RandomValues(seed: seed)
        for round in 0..<RoundTripTests.rounds {
            let message = values.message()
            let decoded = try MessageCodec().decode(MessageCodec().encode(message))
            #expect(decoded == message, "seed \(seed), \(round)")
        }
    }

    @Test("Messages of pairing")
    func pairing() throws {
        var values = RandomValues(seed: seed)
        for round in 0..<RoundTripTests.rounds {
            let message = values.pairingMessage()
            let decoded = try PairingCodec().decode(PairingCodec().encode(message))
            #expect(decoded == message, "seed \(seed), \(round)")
        }
    }
}
