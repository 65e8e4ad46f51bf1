import SyncCore
import Testing
import Wire

@Suite("Pairing messages that are not well formed")
struct PairingCodecTests {
    private let codec = PairingCodec()

    @Test("A share is 65 bytes", arguments: [0, 33, 64, 66])
    func share(count: Int) {
        let share = [UInt8](repeating: 4, count: count)
        let shareA = codec.encode(.shareA(pairingID: bytes16(1), share: share))
        let shareB = codec.encode(.shareB(share: share, confirmation: bytes32(1)))
        #expect(throws: WireError.wrongLength("pairing_share_a.share")) {
            try codec.decode(shareA)
        }
        #expect(throws: WireError.wrongLength("pairing_share_b.share")) {
            try codec.decode(shareB)
        }
    }

    @Test("Another version of pairing is refused")
    func version() {
        let hello = ProtobufFields().appending(1, .varint(2)).serialized
        let bytes = ProtobufFields().appending(1, .bytes(hello)).serialized
        #expect(throws: WireError.version(2)) { try codec.decode(bytes) }
    }

    @Test("A message or a refusal of no known kind is refused")
    func unknown() {
        #expect(throws: WireError.missing("pairing_message")) { try codec.decode([]) }
        let newer = ProtobufFields().appending(30, .bytes([])).serialized
        #expect(throws: WireError.missing("pairing_message")) { try codec.decode(newer) }
        for reason: UInt64 in [0, 8] {
            let refusal = ProtobufFields().appending(1, .varint(reason)).serialized
            let bytes = ProtobufFields().appending(9, .bytes(refusal)).serialized
            let field = "pairing_refusal.reason"
            #expect(throws: reason == 0 ? WireError.unknownKind(field) : .newerKind(field)) {
                try codec.decode(bytes)
            }
        }
    }

    @Test(
        "Every reason for a refusal has its number for good, and arrives",
        arguments: zip(
            [
                PairingRefusal.closed, .wrongCode, .expired, .declined, .busy, .misbehaved,
                .version,
            ], UInt8(1)...7))
    func refusals(refusal: PairingRefusal, number: UInt8) throws {
        let bytes = codec.encode(.refusal(refusal))
        #expect(bytes == [9 << 3 | 2, 2, 1 << 3, number])
        #expect(try codec.decode(bytes) == .refusal(refusal))
    }

    @Test("A request that is endorsed already is refused")
    func endorsedRequest() throws {
        let sample = try Sample()
        let introduction = PairingIntroduction(
            card: nil, request: sample.laptopCard.links.first, personName: "", deviceName: "",
            listeningPort: 0)
        let bytes = codec.encode(.introduction(introduction))
        #expect(throws: WireError.wrongLength("card_link.endorsement")) {
            try codec.decode(bytes)
        }
    }

    @Test("A message beyond what a stranger may send is refused")
    func size() {
        let bytes = [UInt8](repeating: 0, count: Limits.unauthenticatedBytes + 1)
        #expect(throws: WireError.tooLong("pairing_message")) { try codec.decode(bytes) }
    }
}
