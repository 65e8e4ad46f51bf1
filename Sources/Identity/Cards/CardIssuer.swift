package import SyncCore

/// Makes cards: the first of a person, and those of the person's further devices.
///
/// A further device signs its own part first (``request(by:for:)``), as the person key is known to
/// it from the endorser's card; so the endorser holds the finished chain and can grant with it.
package struct CardIssuer: Sendable {
    private let encoding: any CardEncoding
    private let verifier: CardVerifier

    package init(encoding: any CardEncoding, verifier: CardVerifier = CardVerifier()) {
        (self.encoding, self.verifier) = (encoding, verifier)
    }

    /// The card of a person's first device, or of one that comes back, endorsed by the person key itself.
    package func firstCard(of keys: DeviceKeys, person: PersonKey) -> UnverifiedCard {
        let link = request(by: keys, for: person.firstKey)
        return chain(
            [endorsed(link, by: person.sign(.endorsement, link.encoded))], person.successions)
    }

    /// A device's own part of a card, signed by itself; its endorsement is still empty.
    package func request(by keys: DeviceKeys, for personKey: Bytes32) -> CardLink {
        let content = CardContent(
            signingKey: keys.signingKey, agreementKey: keys.agreementKey, personKey: personKey)
        let encoded = encoding.encode(content)
        return CardLink(
            encoded: encoded, content: content, selfSignature: keys.sign(.card, encoded),
            endorsement: [])
    }

    /// The finished card of a further device: the chain of `endorser`, whose device has `keys`,
    /// and the endorsed `request` as its last link.
    package func endorse(
        _ request: CardLink, endorser: UnverifiedCard, keys: DeviceKeys
    ) throws(CardError) -> UnverifiedCard {
        guard endorser.links.last?.content.signingKey == keys.signingKey else {
            throw .notTheEndorser
        }
        let link = endorsed(request, by: keys.sign(.endorsement, request.encoded))
        let card = chain(endorser.links + [link], endorser.successions)
        _ = try verifier.verify(card)
        return card
    }

    private func endorsed(_ link: CardLink, by endorsement: [UInt8]) -> CardLink {
        CardLink(
            encoded: link.encoded, content: link.content, selfSignature: link.selfSignature,
            endorsement: endorsement)
    }

    private func chain(_ links: [CardLink], _ successions: [KeySuccession]) -> UnverifiedCard {
        UnverifiedCard(
            links: links, successions: successions,
            encoded: encoding.encode(links: links, successions: successions))
    }
}
