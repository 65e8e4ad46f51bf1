package import SyncCore

/// Checks that a person's old and new key say the same.
package struct KeyExchangeVerifier: Sendable {
    private let signatures: any SignatureVerifying

    package init(signatures: any SignatureVerifying = Ed25519Verifier()) {
        self.signatures = signatures
    }

    /// Whether both signatures hold.
    package func verify(_ exchange: UnverifiedKeyExchange) -> Bool {
        let message = Label.keyExchange.framing(exchange.bytes)
        let signed = [
            (exchange.said.oldKey, exchange.oldSignature),
            (exchange.said.newKey, exchange.newSignature),
        ]
        return signed.allSatisfy { key, signature in
            signature.count == Limits.signatureBytes
                && signatures.isValid(signature: signature, over: message, by: key)
        }
    }
}
