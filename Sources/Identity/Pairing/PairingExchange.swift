package import SyncCore

/// One side's run of SPAKE2, bound to this pairing and to the keys of both TLS ends: somebody who
/// stands between the devices has other keys at one end, and so another transcript, even with the
/// right code.
struct PairingExchange: Sendable {
    private let spake: SPAKE2
    private let pairingID: Bytes16
    private let identityA: [UInt8]
    private let identityB: [UInt8]

    init(
        role: SPAKE2Role, secret: PairingSecret, pairingID: Bytes16, hostKey: Bytes32,
        joinKey: Bytes32, random: [UInt8]
    ) throws(SPAKE2Error) {
        spake = try SPAKE2(
            role: role, password: secret.password(pairingID: pairingID), random: random)
        self.pairingID = pairingID
        identityA = Array("peersync host".utf8) + hostKey.bytes
        identityB = Array("peersync join".utf8) + joinKey.bytes
    }

    /// What this side sends, 65 bytes.
    var share: [UInt8] { spake.share }

    func keys(peerShare: [UInt8]) throws(SPAKE2Error) -> SPAKE2Keys {
        let transcript = try spake.transcript(
            peerShare: peerShare, identityA: identityA, identityB: identityB)
        return transcript.keys(additionalData: Label.pairing.framing(pairingID.bytes))
    }
}

/// The randomness of one machine, drawn outside and used once.
package struct PairingRandomness: Sendable {
    /// The pairing's id; the host's counts.
    package let pairingID: Bytes16
    /// ``SPAKE2/randomByteCount`` bytes.
    package let scalar: [UInt8]

    package init(random generator: inout some RandomNumberGenerator) {
        pairingID = Bytes16(random: &generator)
        scalar = (0..<SPAKE2.randomByteCount).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
    }
}
