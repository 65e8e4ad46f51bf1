package import SyncCore

/// Why a chain of cards counts for nothing; links are counted from 0, the person key's first.
package enum CardError: Error, Hashable {
    case empty
    case tooLong(links: Int)
    case tooLarge(bytes: Int)
    /// This link names another person than the first.
    case otherPerson(link: Int)
    /// The device of this link stands in the chain already.
    case repeatedDevice(link: Int)
    case badSelfSignature(link: Int)
    case badEndorsement(link: Int)
    /// A key does not follow from the one before.
    case badSuccession
    /// The device that was to endorse is not the one at the end of the chain.
    case notTheEndorser
}

/// Checks every signature of a chain, from the person key down to the device.
package struct CardVerifier: Sendable {
    private let signatures: any SignatureVerifying

    package init(signatures: any SignatureVerifying = Ed25519Verifier()) {
        self.signatures = signatures
    }

    /// The device's card, once the whole chain holds: 1 to ``Limits/cardLinks`` links of one
    /// person, no device twice, each link signed by its own device and endorsed by the person key
    /// (the first) or by the device before.
    package func verify(_ card: UnverifiedCard) throws(CardError) -> Card {
        guard let first = card.links.first, let last = card.links.last else { throw .empty }
        guard card.links.count <= Limits.cardLinks else {
            throw .tooLong(links: card.links.count)
        }
        guard card.encoded.count <= Limits.cardBytes else {
            throw .tooLarge(bytes: card.encoded.count)
        }
        guard
            var endorser = KeyExchangeVerifier(signatures: signatures).lastKey(
                card.successions, after: first.content.personKey)
        else { throw .badSuccession }
        var devices: Set<Bytes32> = []
        for (position, link) in card.links.enumerated() {
            guard link.content.personKey == first.content.personKey else {
                throw .otherPerson(link: position)
            }
            guard devices.insert(link.content.signingKey).inserted else {
                throw .repeatedDevice(link: position)
            }
            guard isSelfSigned(link) else { throw .badSelfSignature(link: position) }
            guard
                isValid(link.endorsement, .endorsement, over: link.encoded, by: endorser)
            else { throw .badEndorsement(link: position) }
            endorser = link.content.signingKey
        }
        return Card(verified: card, content: last.content)
    }

    /// Whether the device that `link` names has signed it: that it has the key, and that it agrees
    /// to belong to the person.
    package func isSelfSigned(_ link: CardLink) -> Bool {
        isValid(link.selfSignature, .card, over: link.encoded, by: link.content.signingKey)
    }

    private func isValid(
        _ signature: [UInt8], _ label: Label, over encoded: [UInt8], by key: Bytes32
    ) -> Bool {
        signature.count == Ed25519Verifier.signatureByteCount
            && signatures.isValid(signature: signature, over: label.framing(encoded), by: key)
    }
}
