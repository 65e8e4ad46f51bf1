package import SyncCore

/// Checks statements about lost devices.
package struct LossVerifier: Sendable {
    private let signatures: any SignatureVerifying

    package init(signatures: any SignatureVerifying = Ed25519Verifier()) {
        self.signatures = signatures
    }

    /// Nil unless every signature holds: that of who says it, by its card when that is a device, and those
    /// of the cards beside, which are of the same person.
    package func verify(_ statement: UnverifiedLossStatement) -> VerifiedLossStatement? {
        let said = statement.said
        let cardVerifier = CardVerifier(signatures: signatures)
        if case .exchanged(let exchange) = said.subject {
            let isOwn = exchange.said.personKey == said.personKey && said.signer != nil
            guard isOwn, KeyExchangeVerifier(signatures: signatures).verify(exchange) else {
                return nil
            }
        }
        var key = said.signer == nil ? said.key ?? said.personKey : nil
        for chain in statement.cards {
            guard let card = try? cardVerifier.verify(chain), card.person == said.person else {
                return nil
            }
            if card.device == said.signer { key = card.content.signingKey }
        }
        guard let key, statement.signature.count == Limits.signatureBytes,
            signatures.isValid(
                signature: statement.signature, over: Label.lossStatement.framing(statement.bytes),
                by: key)
        else { return nil }
        return VerifiedLossStatement(verified: statement)
    }
}
