internal import Crypto
internal import FoundationEssentials

/// Everything both sides of SPAKE2 must agree on, and the keys that follow from it
/// (RFC 9382 sections 3.3 and 4, SHA-256, HKDF and HMAC).
package struct SPAKE2Transcript: Sendable {
    /// Who is A and who is B; empty when there is no name.
    package let identityA: [UInt8]
    package let identityB: [UInt8]
    /// The shares and the common point, 65 bytes each.
    package let shareA: [UInt8]
    package let shareB: [UInt8]
    package let commonPoint: [UInt8]
    /// The password scalar, 32 bytes, big-endian.
    package let password: [UInt8]

    /// TT: each part behind its length, eight bytes, little-endian.
    package var bytes: [UInt8] {
        var transcript: [UInt8] = []
        for part in [identityA, identityB, shareA, shareB, commonPoint, password] {
            let length = UInt64(part.count)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                transcript.append(UInt8(truncatingIfNeeded: length >> shift))
            }
            transcript.append(contentsOf: part)
        }
        return transcript
    }

    /// The key schedule; `additionalData` goes into the confirmation keys.
    package func keys(additionalData: [UInt8]) -> SPAKE2Keys {
        let transcript = bytes
        let hash = Array(SHA256.hash(data: transcript))
        let authentication = Array(hash[16...])
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: authentication),
            info: Array("ConfirmationKeys".utf8) + additionalData, outputByteCount: 32)
        let confirmation = unsafe derived.withUnsafeBytes { unsafe Array($0) }
        return SPAKE2Keys(
            encryption: Array(hash[..<16]), authentication: authentication,
            confirmationKeyA: Array(confirmation[..<16]),
            confirmationKeyB: Array(confirmation[16...]), transcript: transcript)
    }
}

/// What a transcript gives, in the RFC's words Ke, Ka, KcA, KcB, cA and cB.
package struct SPAKE2Keys: Sendable {
    /// Ke and Ka, 16 bytes each.
    package let encryption: [UInt8]
    package let authentication: [UInt8]
    /// KcA and KcB, 16 bytes each.
    package let confirmationKeyA: [UInt8]
    package let confirmationKeyB: [UInt8]
    fileprivate let transcript: [UInt8]

    /// cA, 32 bytes: what side A sends to show that it has the same keys.
    package var confirmationA: [UInt8] { authenticate(by: confirmationKeyA) }
    /// cB, 32 bytes.
    package var confirmationB: [UInt8] { authenticate(by: confirmationKeyB) }

    /// Compares in constant time.
    package func isConfirmationA(_ received: [UInt8]) -> Bool {
        isValid(received, by: confirmationKeyA)
    }

    package func isConfirmationB(_ received: [UInt8]) -> Bool {
        isValid(received, by: confirmationKeyB)
    }

    private func authenticate(by key: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: transcript, using: SymmetricKey(data: key)))
    }

    private func isValid(_ received: [UInt8], by key: [UInt8]) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            received, authenticating: transcript, using: SymmetricKey(data: key))
    }
}
