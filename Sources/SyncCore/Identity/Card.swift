/// What a device's card binds together, as one link of a chain carries it. No names.
package struct CardContent: Hashable, Sendable {
    /// Ed25519, signs commits; also the key of the device's TLS certificate.
    package let signingKey: Bytes32
    /// X25519, receives wrapped keys.
    package let agreementKey: Bytes32
    /// Ed25519, of the person the device belongs to.
    package let personKey: Bytes32

    /// Hashes of the keys, made once: membership asks for them all the time.
    package let device: DeviceID
    package let person: PersonID

    package init(signingKey: Bytes32, agreementKey: Bytes32, personKey: Bytes32) {
        (self.signingKey, self.agreementKey, self.personKey) = (signingKey, agreementKey, personKey)
        device = DeviceID(sha256(signingKey.bytes))
        person = PersonID(key: personKey)
    }
}

/// One link of a card chain as it was received.
package struct CardLink: Hashable, Sendable {
    /// The serialized card, the bytes both signatures are over.
    package let encoded: [UInt8]
    package let content: CardContent
    /// 64 bytes by the card's own signing key, label ``Label/card``.
    package let selfSignature: [UInt8]
    /// 64 bytes by the person key (first link) or by the previous link's signing key, label
    /// ``Label/endorsement``.
    package let endorsement: [UInt8]

    package init(
        encoded: [UInt8], content: CardContent, selfSignature: [UInt8], endorsement: [UInt8]
    ) {
        (self.encoded, self.content) = (encoded, content)
        (self.selfSignature, self.endorsement) = (selfSignature, endorsement)
    }
}

/// That a key of a person comes after another one; a card needs it that the later key endorsed.
package struct KeySuccession: Hashable, Sendable {
    package let key: Bytes32
    /// 64 bytes by the key before, label ``Label/keySuccession``.
    package let signature: [UInt8]

    package init(key: Bytes32, signature: [UInt8]) {
        (self.key, self.signature) = (key, signature)
    }

    /// What the signature is over.
    package static func message(_ person: PersonID, _ key: Bytes32) -> [UInt8] {
        person.bytes + key.bytes
    }
}

/// A chain of cards whose signatures nobody has checked yet: a person it merely claims counts for nothing.
package struct UnverifiedCard: Hashable, Sendable {
    /// 1 to ``Limits/cardLinks`` links; the last is the device.
    package let links: [CardLink]
    /// From the person's first key to the one that endorsed the first link; none where that is the first.
    package let successions: [KeySuccession]
    /// The serialized chain, kept as received.
    package let encoded: [UInt8]

    package init(links: [CardLink], successions: [KeySuccession] = [], encoded: [UInt8]) {
        (self.links, self.successions, self.encoded) = (links, successions, encoded)
    }
}

/// A device's card whose chain of signatures holds from the person key down to the device.
package struct Card: Hashable, Sendable {
    package let content: CardContent
    /// The serialized chain, to be sent on unchanged.
    package let encoded: [UInt8]
    /// Links of the chain: how many devices stand between the person key and this device, plus one.
    package let linkCount: Int

    package var device: DeviceID { content.device }
    package var person: PersonID { content.person }

    /// For the code that has verified the chain, and for nobody else.
    package init(verified card: UnverifiedCard, content: CardContent) {
        self.content = content
        self.encoded = card.encoded
        self.linkCount = card.links.count
    }
}

extension Limits {
    /// How often a person can exchange their recovery key.
    package static let keySuccessions = 8
}

/// Verifies an Ed25519 signature; the core asks for one so that it needs no key types of its own.
package protocol SignatureVerifying: Sendable {
    /// Whether `signature` (64 bytes) over `message` is of the Ed25519 public key `key`.
    func isValid(signature: [UInt8], over message: [UInt8], by key: Bytes32) -> Bool
}
