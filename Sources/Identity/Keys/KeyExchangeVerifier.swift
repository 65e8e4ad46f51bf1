package import SyncCore

/// Checks what one key of a person says of the next.
package struct KeyExchangeVerifier: Sendable {
    private let signatures: any SignatureVerifying

    package init(signatures: any SignatureVerifying = Ed25519Verifier()) {
        self.signatures = signatures
    }

    /// Whether both signatures hold.
    package func verify(_ exchange: UnverifiedKeyExchange) -> Bool {
        let signed = [
            (exchange.said.oldKey, exchange.oldSignature),
            (exchange.said.newKey, exchange.newSignature),
        ]
        return signed.allSatisfy { key, signature in
            isValid(signature, .keyExchange, over: exchange.bytes, by: key)
        }
    }

    /// The key that a person has after these; nil when one does not follow from the one before, or there are
    /// too many.
    func lastKey(_ successions: [KeySuccession], after first: Bytes32) -> Bytes32? {
        guard successions.count <= Limits.keySuccessions else { return nil }
        let person = PersonID(key: first)
        var key = first
        for succession in successions {
            let message = KeySuccession.message(person, succession.key)
            guard isValid(succession.signature, .keySuccession, over: message, by: key) else {
                return nil
            }
            key = succession.key
        }
        return key
    }

    private func isValid(
        _ signature: [UInt8], _ label: Label, over message: [UInt8], by key: Bytes32
    ) -> Bool {
        signature.count == Limits.signatureBytes
            && signatures.isValid(signature: signature, over: label.framing(message), by: key)
    }
}
