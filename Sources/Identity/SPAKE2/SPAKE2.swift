/// The two roles of SPAKE2: they use different constants, so that nobody can be both.
package enum SPAKE2Role: Hashable, Sendable {
    /// A: sends its share first. In pairing the host.
    case first
    /// B: in pairing the joining device.
    case second
}

package enum SPAKE2Error: Error, Hashable {
    /// Not 65 bytes of an uncompressed point of the curve, or one that leads to infinity.
    case badShare
    /// Our own share came back.
    case reflectedShare
}

/// One side of one run of SPAKE2 over P-256 (RFC 9382): for one password, once.
package final class SPAKE2: Sendable {
    /// Bytes of randomness for one side's secret scalar: reduced, they have no bias that matters.
    package static let randomByteCount = 48

    private let role: SPAKE2Role
    private let password: P256Scalar
    private let secret: P256Scalar
    /// pA or pB, 65 bytes: what this side sends.
    package let share: [UInt8]

    /// Starts a run with the password w, at least 40 bytes from a slow hash of what people know, and
    /// with ``randomByteCount`` random bytes, never used again; both are reduced here.
    ///
    /// - Throws: ``SPAKE2Error/badShare`` when the random numbers are the one in 2^256 that gives
    ///   no share.
    package init(role: SPAKE2Role, password: [UInt8], random: [UInt8]) throws(SPAKE2Error) {
        self.role = role
        self.password = P256Scalar(reducing: password)
        secret = P256Scalar(reducing: random)
        let own = role == .first ? SPAKE2.pointM() : SPAKE2.pointN()
        let blinded = P256Point.generator(times: secret) + own.times(self.password)
        guard let share = blinded.uncompressed else { throw .badShare }
        self.share = share
    }

    /// The transcript with the other side's share.
    ///
    /// The cofactor of P-256 is 1, so every point of the curve is in the group and K is the
    /// product alone.
    package func transcript(
        peerShare: [UInt8], identityA: [UInt8], identityB: [UInt8]
    ) throws(SPAKE2Error) -> SPAKE2Transcript {
        guard peerShare != share else { throw .reflectedShare }
        guard let received = P256Point(uncompressed: peerShare) else { throw .badShare }
        let other = role == .first ? SPAKE2.pointN() : SPAKE2.pointM()
        let unblinded = received - other.times(password)
        guard let common = unblinded.times(secret).uncompressed else { throw .badShare }
        return SPAKE2Transcript(
            identityA: identityA, identityB: identityB, shareA: role == .first ? share : peerShare,
            shareB: role == .first ? peerShare : share, commonPoint: common,
            password: password.bytes)
    }

    /// M of RFC 9382 section 4 for P-256.
    private static func pointM() -> P256Point {
        P256Point.constant([
            0x02, 0x88, 0x6E, 0x2F, 0x97, 0xAC, 0xE4, 0x6E, 0x55, 0xBA, 0x9D,
            0xD7, 0x24, 0x25, 0x79, 0xF2, 0x99, 0x3B, 0x64, 0xE1, 0x6E, 0xF3,
            0xDC, 0xAB, 0x95, 0xAF, 0xD4, 0x97, 0x33, 0x3D, 0x8F, 0xA1, 0x2F,
        ])
    }

    /// N of RFC 9382 section 4 for P-256.
    private static func pointN() -> P256Point {
        P256Point.constant([
            0x03, 0xD8, 0xBB, 0xD6, 0xC6, 0x39, 0xC6, 0x29, 0x37, 0xB0, 0x4D,
            0x99, 0x7F, 0x38, 0xC3, 0x77, 0x07, 0x19, 0xC6, 0x29, 0xD7, 0x01,
            0x4D, 0x49, 0xA2, 0x4B, 0x4F, 0x98, 0xBA, 0xA1, 0x29, 0x2B, 0x49,
        ])
    }
}
