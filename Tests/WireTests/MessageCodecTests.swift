import SyncCore
import Testing
import Wire

@Suite("Messages and cards that are not well formed")
struct MessageCodecTests {
    private let sample: Sample
    private let codec = MessageCodec()

    init() throws {
        sample = try Sample()
    }

    @Test("A message of a newer version is skipped")
    func newerMessage() throws {
        let newer = ProtobufFields().appending(40, .bytes([1, 2, 3])).serialized
        #expect(try codec.decode(newer) == .unknown)
        #expect(try codec.decode([]) == .unknown)
        #expect(codec.encode(.unknown).isEmpty)
    }

    @Test("A goodbye with a reason of a newer version is a goodbye like any other")
    func newerReason() throws {
        for reason: UInt64 in [0, 99] {
            let bye = ProtobufFields().appending(1, .varint(reason)).serialized
            let message = ProtobufFields().appending(12, .bytes(bye)).serialized
            #expect(try codec.decode(message) == .bye(.other))
        }
    }

    @Test("A range of versions runs upward from 1")
    func versions() throws {
        let cases: [(UInt64, UInt64)] = [(0, 1), (3, 2), (4_294_967_295, 1)]
        for (lowest, highest) in cases {
            let hello = try part(.hello(sample.hello)).setting(1, .varint(lowest))
                .setting(2, .varint(highest))
            expect(.contradiction("hello.lowest_version"), message(1, hello))
        }
    }

    @Test("A port has 16 bits, a purpose is known, a card is there")
    func hello() throws {
        let hello = try part(.hello(sample.hello))
        expect(.outOfRange("hello.listening_port"), message(1, hello.setting(8, .varint(65_536))))
        expect(.unknownKind("hello.purpose"), message(1, hello.setting(7, .varint(0))))
        expect(.missing("hello.card"), message(1, hello.removing(3)))
    }

    @Test("A text that is too long is refused when it comes, and cut before it is sent")
    func longTexts() throws {
        let long = String(repeating: "é", count: 200)
        let limit = Limits.nameBytes
        let hello = try part(.hello(sample.hello)).setting(4, .bytes(Array(long.utf8)))
        expect(.tooLong("hello.agent_version"), message(1, hello))

        let offer = Offer(
            title: long, from: "a" + long, flags: .read, bytes: 1, schema: long)
        let summary = SpaceSummary(space: sample.space, digest: bytes32(1), offer: offer)
        let sent = codec.encode(.spaces([summary], answer: false))
        guard case .spaces(let received, _) = try codec.decode(sent) else {
            Issue.record("not the message sent")
            return
        }
        let read = try #require(received.first?.offer)
        #expect(read.title == String(repeating: "é", count: limit / 2))
        #expect(read.from == "a" + String(repeating: "é", count: limit / 2 - 1))
        #expect(read.schema == read.title)
    }

    @Test("A character that does not fit is left out whole")
    func clippedCharacter() throws {
        let family = "👩‍👩‍👧"
        let title = String(repeating: "a", count: Limits.nameBytes - 1) + family
        let offer = Offer(title: title, from: "", flags: .read, bytes: 1)
        let summary = SpaceSummary(space: sample.space, digest: bytes32(1), offer: offer)
        guard
            case .spaces(let received, _) = try codec.decode(
                codec.encode(.spaces([summary], answer: false)))
        else {
            Issue.record("not the message sent")
            return
        }
        #expect(received.first?.offer?.title == String(title.dropLast()))
    }

    @Test("Chunk numbers are bounded, and a list of hashes is whole")
    func chunks() throws {
        let messages = try sample.sessionMessages()
        let want = try part(try #require(messages.first { $0.name == "want" }).message)
        let have = try part(try #require(messages.first { $0.name == "have" }).message)
        let beyond = UInt64(Limits.chunksPerBlob + 1)
        expect(.outOfRange("want.first_chunk"), message(7, want.setting(5, .varint(beyond))))
        expect(.outOfRange("want.chunk_count"), message(7, want.setting(6, .varint(beyond))))
        expect(.outOfRange("have.length"), message(8, have.setting(3, .varint(.max))))
        let ragged = [UInt8](repeating: 1, count: 33)
        expect(.wrongLength("have.chunk_hashes"), message(8, have.setting(4, .bytes(ragged))))
        let many = [UInt8](repeating: 1, count: (Limits.chunksPerBlob + 1) * 32)
        expect(.tooMany("have.chunk_hashes"), message(8, have.setting(4, .bytes(many))))
    }

    @Test("A commit without a body part is refused; an empty part is not a missing one")
    func headerOnly() throws {
        let commits = try part(.commits(sample.space, [sample.genesis], live: false))
        guard case .bytes(let bytes)? = commits.fields.first(where: { $0.number == 2 })?.content,
            let commit = ProtobufFields(bytes)
        else {
            Issue.record("no commit")
            return
        }
        #expect(commit.fields.map(\.number) == [1, 2, 3, 4])
        for (number, name) in [(3, "clear"), (4, "operations")] {
            let bare = commits.setting(2, .bytes(commit.removing(number).serialized))
            expect(.missing("commit.\(name)"), message(4, bare))
        }
    }

    @Test("Holdings list no more than the limit and count no fewer than they list")
    func holdings() throws {
        var holdings = try sample.holdings().said
        holdings.missing = (0..<Limits.holdingsMissing + 5).map { _ in BlobID(bytes32(3)) }
        let signature = [UInt8](repeating: 0, count: 64)
        let bytes = HoldingsCodec().encode(holdings)
        let decoded = try HoldingsCodec().decode(bytes, signature: signature).said
        #expect(decoded.missing.count == Limits.holdingsMissing)
        #expect(decoded.missingCount == 5_000)

        let fields = try #require(ProtobufFields(bytes))
        #expect(throws: WireError.contradiction("holdings.missing_count")) {
            try HoldingsCodec().decode(
                fields.setting(6, .varint(4)).serialized, signature: signature)
        }
        // Places in the list, each greater than the one before.
        for places in [[UInt8(1), 1], [1, 0], [0xFF, 0x7F]] {
            #expect(throws: WireError.contradiction("holdings.unwanted")) {
                try HoldingsCodec().decode(
                    fields.appending(8, .bytes(places)).serialized, signature: signature)
            }
        }
        let more = fields.appending(5, .bytes(bytes32(4).bytes)).serialized
        #expect(throws: WireError.tooMany("holdings.missing")) {
            try HoldingsCodec().decode(more, signature: signature)
        }
    }

    @Test("A counter that no signed 64-bit column can hold is refused")
    func counters() throws {
        let ack = try sample.ack()
        let bytes = try #require(ProtobufFields(ack.bytes)).setting(3, .varint(.max)).serialized
        #expect(throws: WireError.outOfRange("ack.counter")) {
            try AckCodec().decode(bytes, signature: ack.signature)
        }
    }

    // MARK: Cards

    @Test("A chain has 1 to 16 links")
    func chainLength() throws {
        let link = try #require(sample.laptopCard.links.first)
        let codec = CardCodec()
        let longest = [CardLink](repeating: link, count: Limits.cardLinks)
        #expect(try codec.decode(codec.encode(links: longest)).links == longest)
        #expect(throws: WireError.tooMany("card_chain.links")) {
            try codec.decode(codec.encode(links: longest + [link]))
        }
        #expect(throws: WireError.missing("card_chain.links")) { try codec.decode([]) }
        #expect(throws: WireError.tooLong("card_chain")) {
            try codec.decode([UInt8](repeating: 0, count: Limits.cardBytes + 1))
        }
    }

    @Test("A card has a version, three keys and two signatures")
    func cardFields() throws {
        let link = try #require(sample.laptopCard.links.first)
        func chain(_ card: ProtobufFields, self signature: Int = 64, endorsed: Int = 64) -> [UInt8]
        {
            let fields = ProtobufFields().appending(1, .bytes(card.serialized))
                .appending(2, .bytes([UInt8](repeating: 1, count: signature)))
                .appending(3, .bytes([UInt8](repeating: 1, count: endorsed)))
            return ProtobufFields().appending(1, .bytes(fields.serialized)).serialized
        }
        let card = try #require(ProtobufFields(link.encoded))
        func fails(_ error: WireError, _ bytes: [UInt8]) {
            #expect(throws: error) { try CardCodec().decode(bytes) }
        }
        fails(.version(2), chain(card.setting(1, .varint(2))))
        for (number, name) in [(2, "signing_key"), (3, "agreement_key"), (4, "person_key")] {
            fails(.wrongLength("card.\(name)"), chain(card.setting(number, .bytes([1]))))
        }
        fails(.wrongLength("card_link.self_signature"), chain(card, self: 63))
        fails(.wrongLength("card_link.endorsement"), chain(card, endorsed: 0))
    }

    @Test("A card inside a message goes on with fields of a newer version")
    func newerCard() throws {
        let chain = try #require(ProtobufFields(sample.phoneCard.encoded))
            .appending(50, .bytes([1])).serialized
        let bytes = message(1, try part(.hello(sample.hello)).setting(3, .bytes(chain)))
        guard case .hello(let hello) = try codec.decode(bytes) else {
            Issue.record("not a hello")
            return
        }
        #expect(hello.card.encoded == chain)
        #expect(hello.card.links == sample.phoneCard.links)
        let again = try part(.hello(hello)).fields.first { $0.number == 3 }
        #expect(again?.content == .bytes(chain))
    }

    // MARK: Support

    private func expect(
        _ error: WireError, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: error, sourceLocation: sourceLocation) { try codec.decode(bytes) }
    }

    /// The fields of the one message inside.
    private func part(_ message: PeerMessage) throws -> ProtobufFields {
        guard case .bytes(let bytes)? = ProtobufFields(codec.encode(message))?.fields.first?.content
        else { throw WireError.malformed("message") }
        return try #require(ProtobufFields(bytes))
    }

    private func message(_ number: Int, _ part: ProtobufFields) -> [UInt8] {
        ProtobufFields().appending(number, .bytes(part.serialized)).serialized
    }
}
