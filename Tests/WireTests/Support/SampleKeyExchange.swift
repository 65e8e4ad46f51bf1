import SyncCore
import Wire

/// The person's recovery key is exchanged, and the new one lets a tablet in.
extension Sample {
    private func laterKey() throws -> SampleKeys { try SampleKeys(seed: 9) }

    func keyExchange() throws -> UnverifiedKeyExchange {
        let later = try laterKey()
        let said = KeyExchange(
            personKey: person.signingKey, oldKey: person.signingKey, newKey: later.signingKey,
            upholds: [try statement(.grant(grant)).id], keeps: [laptop.device])
        let bytes = KeyExchangeCodec().encode(said)
        return UnverifiedKeyExchange(
            said, bytes: bytes, oldSignature: try person.sign(.keyExchange, bytes),
            newSignature: try later.sign(.keyExchange, bytes))
    }

    /// The tablet's card, endorsed by the later key.
    func laterCard() throws -> UnverifiedCard {
        let later = try laterKey()
        let id = PersonID(key: person.signingKey)
        let succession = KeySuccession(
            key: later.signingKey,
            signature: try person.sign(
                .keySuccession, KeySuccession.message(id, later.signingKey)))
        let link = try Sample.link(of: try SampleKeys(seed: 10), endorser: later, person: person)
        return UnverifiedCard(
            links: [link], successions: [succession],
            encoded: CardCodec().encode(links: [link], successions: [succession]))
    }

    /// The exchange, and what the later key says.
    func keyExchangeCommit() throws -> UnverifiedCommit {
        let later = try laterKey()
        let body = UnverifiedPersonStatement.Body.grant(
            UnverifiedGrant(
                card: try laterCard(), parent: founderGrant, flags: .all, siblingIndex: 2))
        let bytes = PersonStatementCodec().encode(
            space: space, personKey: person.signingKey, key: later.signingKey, body: body)
        let statement = UnverifiedPersonStatement(
            bytes: bytes, space: space, personKey: person.signingKey, key: later.signingKey,
            body: body, signature: try later.sign(.personStatement, bytes))
        return try Sample.commit(
            header(of: laptopLog),
            clear: ClearPart(
                facts: [.keyExchange(try keyExchange()), .personStatement(statement)]),
            operations: [], by: laptop)
    }

    /// The laptop says that the key was exchanged, and the later key that the phone is lost.
    func keyExchangeLosses() throws -> [UnverifiedLossStatement] {
        let later = try laterKey()
        let codec = LossStatementCodec()
        let exchanged = LossStatement(
            personKey: person.signingKey, signer: laptop.device, nonce: bytes16(0x55),
            subject: .exchanged(try keyExchange()))
        let lost = LossStatement(
            personKey: person.signingKey, key: later.signingKey, signer: nil,
            nonce: bytes16(0x56), subject: .lost(phone.device, upholds: [], keeps: []))
        return [
            UnverifiedLossStatement(
                exchanged, bytes: codec.encode(exchanged),
                signature: try laptop.sign(.lossStatement, codec.encode(exchanged)),
                cards: [laptopCard]),
            UnverifiedLossStatement(
                lost, bytes: codec.encode(lost),
                signature: try later.sign(.lossStatement, codec.encode(lost)),
                cards: [phoneCard]),
        ]
    }
}
