import SyncCore
import Testing
import Wire

/// The bytes of protocol 1, pinned: a value encodes to its vector, and the vector decodes to it.
@Suite("Golden vectors")
struct VectorTests {
    private let sample: Sample

    init() throws {
        sample = try Sample()
    }

    @Test("A card chain of two links has the bytes of its vector")
    func cardChain() throws {
        let card = sample.phoneCard

        let vector = try Vector.check(
            "card-chain", about: "Person key (seed 01), laptop (02), phone (03): the phone's card.",
            message: "CardChain", entries: [("bytes", CardCodec().encode(links: card.links))])

        #expect(try CardCodec().decode(try #require(vector.entries["bytes"])) == card)
        for (link, endorser) in zip(card.links, [sample.person, sample.laptop]) {
            #expect(endorser.signed(.endorsement, link.encoded, link.endorsement))
        }
    }

    @Test("A card that a later key endorsed has the bytes of its vector")
    func laterCard() throws {
        let card = try sample.laterCard()
        let vector = try Vector.check(
            "card-chain-later-key",
            about: "Person key (seed 01), its successor (09), tablet (0a): the tablet's card.",
            message: "CardChain", entries: [("bytes", card.encoded)])
        #expect(try CardCodec().decode(try #require(vector.entries["bytes"])) == card)
    }

    @Test("A genesis has the bytes of its vector, and its id is the space")
    func genesis() throws {
        let commit = sample.genesis

        try check(
            commit, "commit-genesis", about: "The first commit of a shared space, by the laptop.",
            author: sample.laptop)

        #expect(commit.space.value == commit.id.value)
    }

    @Test("A commit with every kind of value has the bytes of its vector")
    func data() throws {
        try check(
            try sample.dataCommit(), "commit-data",
            about: "Every kind of value, a set element, replaces, a deletion, blobs, a schema.",
            author: sample.phone)
    }

    @Test("A commit with every kind of membership fact has the bytes of its vector")
    func membership() throws {
        try check(
            try sample.membershipCommit(), "commit-membership",
            about: "Grant, revocation, epoch, fork and two person statements, by the laptop.",
            author: sample.laptop)
    }

    @Test("A commit that exchanges a recovery key has the bytes of its vector")
    func keyExchange() throws {
        try check(
            try sample.keyExchangeCommit(), "commit-key-exchange",
            about:
                "The key of the person (seed 01) becomes another (09), which lets a tablet in (0a).",
            author: sample.laptop)
    }

    @Test("A commit that redates another device has the bytes of its vector")
    func redating() throws {
        try check(
            try sample.redatingCommit(), "commit-redating",
            about: "The phone's commits of three days count as two days earlier, by the laptop.",
            author: sample.laptop)
    }

    @Test("A commit that asks for a right has the bytes of its vector")
    func request() throws {
        try check(
            try sample.requestCommit(), "commit-request",
            about: "The phone asks that its person may delete.", author: sample.phone)
    }

    @Test("A commit of a group has the bytes of its vector")
    func group() throws {
        let commit = try sample.groupCommit()
        try check(
            commit, "commit-group", about: "The first of three commits that count together.",
            author: sample.phone)
        #expect(commit.header.groupEnd == commit.header.sequence + 2)
    }

    @Test("Sealed operations stay bytes")
    func sealed() throws {
        let encoded = try sample.sealedCommit()

        let decoded = try decodeVector(
            encoded, "commit-sealed", about: "Operations sealed under an epoch.",
            author: sample.phone)

        #expect(decoded.operations.isEmpty)
        #expect(decoded.encoded == encoded)
        #expect(decoded.header.epoch == CommitID(bytes32(0xEE)))
    }

    @Test("An ack has the bytes of its vector")
    func ack() throws {
        let ack = try sample.ack()

        let vector = try Vector.check(
            "ack", about: "The phone acknowledges a watermark of two logs; the device signs.",
            message: "Ack",
            entries: [
                ("bytes", ack.bytes), ("signature", ack.signature),
                ("signing_key", sample.phone.signingKey.bytes),
            ])

        let signature = try #require(vector.entries["signature"])
        let decoded = try AckCodec().decode(
            try #require(vector.entries["bytes"]), signature: signature)
        #expect(decoded.said == ack.said)
        #expect(sample.phone.signed(.acknowledgement, decoded.bytes, signature))
    }

    @Test("Holdings have the bytes of their vector")
    func holdings() throws {
        let holdings = try sample.holdings()

        let vector = try Vector.check(
            "holdings", about: "What the phone holds and lacks; the device signs.",
            message: "Holdings",
            entries: [
                ("bytes", holdings.bytes), ("signature", holdings.signature),
                ("signing_key", sample.phone.signingKey.bytes),
            ])

        let signature = try #require(vector.entries["signature"])
        let decoded = try HoldingsCodec().decode(
            try #require(vector.entries["bytes"]), signature: signature)
        #expect(decoded.said == holdings.said)
        #expect(sample.phone.signed(.holdings, decoded.bytes, signature))
    }

    @Test("Each message of a session has the bytes of its vector")
    func session() throws {
        for (name, message) in try sample.sessionMessages() {
            let vector = try Vector.check(
                "message-\(name)", about: "Session message: \(name).", message: "Message",
                entries: [("bytes", MessageCodec().encode(message))])
            let decoded = try MessageCodec().decode(try #require(vector.entries["bytes"]))
            #expect(decoded == message, "\(name)")
        }
    }

    @Test("Each message of pairing has the bytes of its vector")
    func pairing() throws {
        for (name, message) in try sample.pairingMessages() {
            let vector = try Vector.check(
                "pairing-\(name)", about: "Pairing message: \(name).", message: "PairingMessage",
                entries: [("bytes", PairingCodec().encode(message))])
            #expect(
                try PairingCodec().decode(try #require(vector.entries["bytes"])) == message,
                "\(name)")
        }
    }

    // MARK: Commits

    private func check(
        _ commit: UnverifiedCommit, _ name: String, about: String, author: SampleKeys
    ) throws {
        let decoded = try decodeVector(commit.encoded, name, about: about, author: author)
        #expect(decoded == commit)
        #expect(sample.codec.encodeHeader(decoded.header) == commit.encoded.header)
        #expect(sample.codec.encode(decoded.clear) == commit.encoded.clear)
        #expect(sample.codec.encode(decoded.operations) == commit.encoded.operations)
    }

    private func decodeVector(
        _ encoded: EncodedCommit, _ name: String, about: String, author: SampleKeys
    ) throws -> UnverifiedCommit {
        let vector = try Vector.check(
            name, about: about, message: "Commit",
            entries: [
                ("header", encoded.header), ("signature", encoded.signature),
                ("clear", encoded.clear), ("operations", encoded.operations),
                ("id", encoded.id.bytes), ("signing_key", author.signingKey.bytes),
            ])
        let stored = EncodedCommit(
            header: try #require(vector.entries["header"]),
            signature: try #require(vector.entries["signature"]),
            clear: try #require(vector.entries["clear"]),
            operations: try #require(vector.entries["operations"]))
        #expect(author.signed(.commit, stored.header, stored.signature))
        return try CommitCodec().decode(stored)
    }
}
