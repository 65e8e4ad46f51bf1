import Identity
import SyncCore
import Testing

@Suite("Statements about lost devices")
struct LossVerifierTests {
    private let issuer = CardIssuer(encoding: PlainCardEncoding())
    private let person = PersonKey.generate()
    private let laptop = DeviceKeys.generate()
    private let verifier = LossVerifier()

    private var laptopCard: UnverifiedCard { issuer.firstCard(of: laptop, person: person) }

    /// Its bytes are whatever the test says: the codec has its own tests.
    private func statement(
        of personKey: Bytes32, signer: DeviceID?, signature: ([UInt8]) -> [UInt8],
        cards: [UnverifiedCard]
    ) -> UnverifiedLossStatement {
        let bytes = Array("a statement".utf8)
        let said = LossStatement(
            personKey: personKey, signer: signer, nonce: .zero,
            subject: .lost(DeviceKeys.generate().device, upholds: [], keeps: []))
        return UnverifiedLossStatement(
            said, bytes: bytes, signature: signature(bytes), cards: cards)
    }

    @Test("one by a device holds with its card, and one by the key without any")
    func sound() throws {
        let byDevice = statement(
            of: person.publicKey, signer: laptop.device,
            signature: { laptop.sign(.lossStatement, $0) }, cards: [laptopCard])
        let verified = try #require(verifier.verify(byDevice))
        #expect(verified.id == byDevice.id && verified.chains.map(\.devices) == [[laptop.device]])
        let byKey = statement(
            of: person.publicKey, signer: nil, signature: { person.sign(.lossStatement, $0) },
            cards: [])
        #expect(verifier.verify(byKey) != nil)
    }

    @Test(
        "what somebody else signed, for another purpose, or with a card of others counts for nothing"
    )
    func forged() throws {
        let stranger = PersonKey.generate()
        let thief = DeviceKeys.generate()
        let thiefCard = issuer.firstCard(of: thief, person: stranger)
        let sign = { (bytes: [UInt8]) in thief.sign(.lossStatement, bytes) }
        let forged = [
            // In the name of the laptop.
            statement(
                of: person.publicKey, signer: laptop.device, signature: sign, cards: [laptopCard]),
            // A device of another person.
            statement(
                of: person.publicKey, signer: thief.device, signature: sign, cards: [thiefCard]),
            // Without a card nobody knows whose key it is.
            statement(of: person.publicKey, signer: thief.device, signature: sign, cards: []),
            // In the name of the key.
            statement(of: person.publicKey, signer: nil, signature: sign, cards: []),
            // Signed for something else.
            statement(
                of: person.publicKey, signer: laptop.device,
                signature: { laptop.sign(.commit, $0) }, cards: [laptopCard]),
            // A card beside that is of somebody else.
            statement(
                of: person.publicKey, signer: laptop.device,
                signature: { laptop.sign(.lossStatement, $0) }, cards: [laptopCard, thiefCard]),
        ]
        for (number, one) in forged.enumerated() {
            #expect(verifier.verify(one) == nil, "number \(number)")
        }
    }
}
