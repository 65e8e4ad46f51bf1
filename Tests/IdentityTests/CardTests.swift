import Identity
import SyncCore
import Testing

@Suite("Cards")
struct CardTests {
    private let issuer = CardIssuer(encoding: PlainCardEncoding())
    private let verifier = CardVerifier()
    private let person = PersonKey.generate()

    @Test("The first device's card holds and names its device and person")
    func firstCard() throws {
        let keys = DeviceKeys.generate()
        let card = try verifier.verify(issuer.firstCard(of: keys, person: person))
        #expect(card.device == keys.device)
        #expect(card.person == person.person)
        #expect(card.content.agreementKey == keys.agreementKey)
        #expect(card.linkCount == 1)
    }

    @Test("A card of a later key is of the same person, and needs the word of the key before")
    func laterKey() throws {
        let next = try #require(person.successor())
        let keys = DeviceKeys.generate()
        let chain = issuer.firstCard(of: keys, person: next)
        let card = try verifier.verify(chain)
        #expect(card.person == person.person && card.device == keys.device)
        let second = DeviceKeys.generate()
        let further = try issuer.endorse(
            issuer.request(by: second, for: next.firstKey), endorser: chain, keys: keys)
        #expect(try verifier.verify(further).person == person.person)
        // Of another key of the same person, of a stranger's, and without any.
        let other = try #require(person.successor())
        let strangers = try #require(PersonKey.generate().successor())
        for successions in [other.successions, strangers.successions, []] {
            let forged = UnverifiedCard(
                links: chain.links, successions: successions, encoded: chain.encoded)
            #expect(throws: CardError.self) { try verifier.verify(forged) }
        }
    }

    @Test("A chain holds up to sixteen devices, and a seventeenth cannot be endorsed by the last")
    func longChain() throws {
        var keys = DeviceKeys.generate()
        var chain = issuer.firstCard(of: keys, person: person)
        for count in 2...Limits.cardLinks {
            let next = DeviceKeys.generate()
            chain = try issuer.endorse(
                issuer.request(by: next, for: person.publicKey), endorser: chain, keys: keys)
            keys = next
            #expect(try verifier.verify(chain).linkCount == count)
        }
        #expect(throws: CardError.tooLong(links: 17)) {
            try issuer.endorse(
                issuer.request(by: .generate(), for: person.publicKey), endorser: chain, keys: keys)
        }
    }

    @Test("A card whose chain is broken anywhere counts for nothing")
    func brokenChains() throws {
        let (first, second) = (DeviceKeys.generate(), DeviceKeys.generate())
        let one = issuer.firstCard(of: first, person: person)
        let two = try issuer.endorse(
            issuer.request(by: second, for: person.publicKey), endorser: one, keys: first)
        let (root, leaf) = (two.links[0], two.links[1])
        let zeros = [UInt8](repeating: 0, count: 64)
        let cases: [(String, [CardLink], CardError)] = [
            ("no link", [], .empty),
            ("no root", [leaf], .badEndorsement(link: 0)),
            ("order", [leaf, root], .badEndorsement(link: 0)),
            ("twice", [root, root], .repeatedDevice(link: 1)),
            ("no self", [root, changed(leaf, own: [])], .badSelfSignature(link: 1)),
            ("zero self", [root, changed(leaf, own: zeros)], .badSelfSignature(link: 1)),
            (
                "long self", [changed(root, own: root.selfSignature + [0])],
                .badSelfSignature(link: 0)
            ),
            ("no endorsement", [root, changed(leaf, endorsement: [])], .badEndorsement(link: 1)),
            (
                "endorsed by itself",
                [root, changed(leaf, endorsement: second.sign(.endorsement, leaf.encoded))],
                .badEndorsement(link: 1)
            ),
            (
                "endorsed by the person key, not by the device before",
                [root, changed(leaf, endorsement: person.sign(.endorsement, leaf.encoded))],
                .badEndorsement(link: 1)
            ),
            (
                "a signature made for another purpose",
                [root, changed(leaf, own: second.sign(.endorsement, leaf.encoded))],
                .badSelfSignature(link: 1)
            ),
        ]
        for (name, links, expected) in cases {
            let card = UnverifiedCard(links: links, encoded: [])
            #expect(throws: expected, "\(name)") { try verifier.verify(card) }
        }
    }

    @Test("A person who endorses a device of another person does not make it their own")
    func otherPerson() throws {
        let keys = DeviceKeys.generate()
        let chain = issuer.firstCard(of: keys, person: person)
        let stranger = issuer.request(by: .generate(), for: PersonKey.generate().publicKey)
        #expect(throws: CardError.otherPerson(link: 1)) {
            try issuer.endorse(stranger, endorser: chain, keys: keys)
        }
    }

    @Test("Only the device at the end of the chain endorses, and only who signed the request")
    func endorser() throws {
        let keys = DeviceKeys.generate()
        let chain = issuer.firstCard(of: keys, person: person)
        let request = issuer.request(by: .generate(), for: person.publicKey)
        #expect(throws: CardError.notTheEndorser) {
            try issuer.endorse(request, endorser: chain, keys: .generate())
        }
        let forged = changed(request, own: keys.sign(.card, request.encoded))
        #expect(throws: CardError.badSelfSignature(link: 1)) {
            try issuer.endorse(forged, endorser: chain, keys: keys)
        }
    }

    @Test("A chain of more bytes than a card may have is refused")
    func tooLarge() {
        let card = issuer.firstCard(of: .generate(), person: person)
        let bytes = Limits.cardBytes + 1
        let padded = UnverifiedCard(
            links: card.links, encoded: [UInt8](repeating: 0, count: bytes))
        #expect(throws: CardError.tooLarge(bytes: bytes)) { try verifier.verify(padded) }
    }

    private func changed(
        _ link: CardLink, own: [UInt8]? = nil, endorsement: [UInt8]? = nil
    ) -> CardLink {
        CardLink(
            encoded: link.encoded, content: link.content,
            selfSignature: own ?? link.selfSignature,
            endorsement: endorsement ?? link.endorsement)
    }
}

@Suite("Signatures")
struct SignatureTests {
    private let verifier = Ed25519Verifier()

    @Test("A signature counts for its label, message and key alone")
    func binding() {
        let keys = DeviceKeys.generate()
        let signature = keys.sign(.commit, [1, 2, 3])
        let message = Label.commit.framing([1, 2, 3])
        #expect(verifier.isValid(signature: signature, over: message, by: keys.signingKey))
        #expect(
            !verifier.isValid(
                signature: signature, over: Label.card.framing([1, 2, 3]), by: keys.signingKey))
        #expect(
            !verifier.isValid(
                signature: signature, over: message, by: DeviceKeys.generate().signingKey))
        for wrong in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(!verifier.isValid(signature: wrong, over: message, by: keys.signingKey))
        }
    }

    @Test("The first test vector of RFC 8032 section 7.1 holds")
    func vector() throws {
        let key = try #require(
            bytes(
                hexadecimal: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
            ).flatMap { Bytes32($0) })
        let signature = try #require(
            bytes(
                hexadecimal: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                    + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"))
        #expect(verifier.isValid(signature: signature, over: [], by: key))
        #expect(!verifier.isValid(signature: signature, over: [0], by: key))
    }
}
