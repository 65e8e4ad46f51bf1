internal import FoundationEssentials
internal import SwiftProtobuf
package import SyncCore

/// Cards and their chains of endorsements <-> bytes.
package struct CardCodec: Sendable {
    /// The version of a card, the only one so far.
    static let version: UInt32 = 1

    package init() {}

    /// The serialized card, which both signatures of a link are over.
    package func encode(_ content: CardContent) -> [UInt8] {
        var card = Peersync_V1_Card()
        card.version = CardCodec.version
        card.signingKey = Data(content.signingKey.bytes)
        card.agreementKey = Data(content.agreementKey.bytes)
        card.personKey = Data(content.personKey.bytes)
        return card.serialized
    }

    /// The serialized chain, from the person's first device down to the device the chain is of.
    package func encode(links: [CardLink], successions: [KeySuccession] = []) -> [UInt8] {
        Peersync_V1_CardChain(links, successions).serialized
    }

    /// Decodes a serialized chain, which is kept as it came.
    package func decode(_ chain: [UInt8]) throws(WireError) -> UnverifiedCard {
        guard chain.count <= Limits.cardBytes else { throw .tooLong("card_chain") }
        return try Peersync_V1_CardChain(decoding: chain).decoded(from: chain)
    }
}

extension Peersync_V1_CardChain {
    init(_ links: [CardLink], _ successions: [KeySuccession]) {
        self.init()
        self.links = links.map(Peersync_V1_CardLink.init)
        self.successions = successions.map { succession in
            var encoded = Peersync_V1_KeySuccession()
            encoded.key = Data(succession.key.bytes)
            encoded.signature = Data(succession.signature)
            return encoded
        }
    }

    /// The chain as it was received, so that fields of a newer version go on unchanged.
    init(_ card: UnverifiedCard) {
        self =
            (try? Peersync_V1_CardChain(decoding: card.encoded))
            ?? .init(card.links, card.successions)
    }

    func decoded() throws(WireError) -> UnverifiedCard {
        let encoded = serialized
        guard encoded.count <= Limits.cardBytes else { throw .tooLong("card_chain") }
        return try decoded(from: encoded)
    }

    fileprivate func decoded(from encoded: [UInt8]) throws(WireError) -> UnverifiedCard {
        let all = try successions.atMost(Limits.keySuccessions, "card_chain.successions")
        let successions = try all.map { succession throws(WireError) in
            KeySuccession(
                key: try succession.key.bytes32("key_succession.key"),
                signature: try succession.signature.signature("key_succession.signature"))
        }
        return UnverifiedCard(
            links: try decodedLinks(), successions: successions, encoded: encoded)
    }

    private func decodedLinks() throws(WireError) -> [CardLink] {
        guard !links.isEmpty else { throw .missing("card_chain.links") }
        return try links.atMost(Limits.cardLinks, "card_chain.links").map {
            link throws(WireError) in try link.decoded()
        }
    }
}

extension Peersync_V1_CardLink {
    init(_ link: CardLink) {
        self.init()
        card = Data(link.encoded)
        selfSignature = Data(link.selfSignature)
        endorsement = Data(link.endorsement)
    }

    fileprivate func decoded() throws(WireError) -> CardLink {
        try decoded(endorsement: try endorsement.signature("card_link.endorsement"))
    }

    /// A link that asks to be endorsed: it has no endorsement yet.
    func decodedRequest() throws(WireError) -> CardLink {
        guard endorsement.isEmpty else { throw .wrongLength("card_link.endorsement") }
        return try decoded(endorsement: [])
    }

    private func decoded(endorsement: [UInt8]) throws(WireError) -> CardLink {
        guard card.count <= Limits.cardBytes else { throw .tooLong("card_link.card") }
        return CardLink(
            encoded: [UInt8](card), content: try Peersync_V1_Card(decoding: card).decoded(),
            selfSignature: try selfSignature.signature("card_link.self_signature"),
            endorsement: endorsement)
    }
}

extension Peersync_V1_Card {
    fileprivate func decoded() throws(WireError) -> CardContent {
        guard version == CardCodec.version else { throw .version(version) }
        return CardContent(
            signingKey: try signingKey.bytes32("card.signing_key"),
            agreementKey: try agreementKey.bytes32("card.agreement_key"),
            personKey: try personKey.bytes32("card.person_key"))
    }
}
