import Identity
import SyncCore
import Wire

/// What a device signs about itself: its card, what it has acknowledged, which files it holds.
extension FuzzTarget {
    /// A chain of cards.
    static let card = FuzzTarget("card") { input in
        let codec = CardCodec()
        guard let card = try? codec.decode(input) else { return }
        try require(card.encoded == input, "a chain is kept as it came")
        try require((1...Limits.cardLinks).contains(card.links.count), "links are bounded")
        let encoded = codec.encode(links: card.links)
        let again = try codec.decode(encoded)
        try require(again.links == card.links, "links come back as they were sent")
        try require(codec.encode(links: again.links) == encoded, "a chain has one encoding")
        _ = try? CardVerifier().verify(card)
        guard let verified = try? CardVerifier(signatures: AnySignature()).verify(card) else {
            return
        }
        try require(verified.linkCount == card.links.count, "every link is verified")
        try require(verified.content == card.links.last?.content, "the last link is the device")
        let people = Set(card.links.map(\.content.person))
        try require(people == [verified.person], "a chain is of one person")
    }

    /// An ack: 64 bytes of signature, then what it is over.
    static let ack = FuzzTarget("ack") { input in
        let codec = AckCodec()
        let signature = Array(input.prefix(Limits.signatureBytes))
        let bytes = Array(input.dropFirst(Limits.signatureBytes))
        guard let ack = try? codec.decode(bytes, signature: signature) else { return }
        try require(ack.bytes == bytes, "the signed bytes are kept as they came")
        let encoded = codec.encode(ack.said)
        let again = try codec.decode(encoded, signature: signature)
        try require(again.said == ack.said, "an ack comes back as it was sent")
        try require(codec.encode(again.said) == encoded, "an ack has one encoding")
        try require(ack.said.counter <= UInt64(Int64.max), "a counter fits its column")
        let positions = ack.said.watermark.positions
        try require(
            Watermark(positions.reversed()).digest() == ack.said.watermark.digest(),
            "the order of positions changes no digest")
        try require(ack.said.watermark.covers(ack.said.watermark), "a watermark covers itself")
        try require(
            ack.said.watermark.count(beyond: Watermark()) >= UInt64(positions.count),
            "counting all positions overflows nothing")
    }

    /// Holdings: 64 bytes of signature, then what it is over.
    static let holdings = FuzzTarget("holdings") { input in
        let codec = HoldingsCodec()
        let signature = Array(input.prefix(Limits.signatureBytes))
        let bytes = Array(input.dropFirst(Limits.signatureBytes))
        guard let holdings = try? codec.decode(bytes, signature: signature) else { return }
        try require(holdings.bytes == bytes, "the signed bytes are kept as they came")
        let value = holdings.said
        let encoded = codec.encode(value)
        let again = try codec.decode(encoded, signature: signature)
        try require(again.said == value, "holdings come back as they were sent")
        try require(codec.encode(again.said) == encoded, "holdings have one encoding")
        try require(value.missing.count <= Limits.holdingsMissing, "the list is bounded")
        try require(value.missing.count <= value.missingCount, "what is listed is counted")
    }
}

/// Takes every signature that does not begin with a zero, so that inputs get past verification and
/// can still fail there.
struct AnySignature: SignatureVerifying {
    func isValid(signature: [UInt8], over message: [UInt8], by key: Bytes32) -> Bool {
        signature.first != 0
    }
}
