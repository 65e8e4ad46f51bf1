import Identity
import SyncCore
import Testing

@Suite("SPAKE2 (RFC 9382)")
struct SPAKE2Tests {
    @Test("Both sides of each vector reach every intermediate value", arguments: SPAKE2Vector.all)
    func vectors(vector: SPAKE2Vector) throws {
        // Given both sides with the vector's password and scalars
        let host = try SPAKE2(
            role: .first, password: try hex(vector.password), random: try hex(vector.scalarA))
        let join = try SPAKE2(
            role: .second, password: try hex(vector.password), random: try hex(vector.scalarB))

        // Then their shares are the vector's
        #expect(hexadecimal(host.share) == vector.shareA)
        #expect(hexadecimal(join.share) == vector.shareB)

        // And each side's transcript leads to every value of the key schedule
        for (side, peer) in [(host, join), (join, host)] {
            let transcript = try side.transcript(
                peerShare: peer.share, identityA: Array(vector.identityA.utf8),
                identityB: Array(vector.identityB.utf8))
            #expect(hexadecimal(transcript.commonPoint) == vector.commonPoint)
            #expect(hexadecimal(transcript.password) == vector.password)
            let keys = transcript.keys(additionalData: [])
            #expect(hexadecimal(keys.encryption) == vector.encryptionKey)
            #expect(hexadecimal(keys.authentication) == vector.authenticationKey)
            #expect(hexadecimal(keys.confirmationKeyA) == vector.confirmationKeyA)
            #expect(hexadecimal(keys.confirmationKeyB) == vector.confirmationKeyB)
            #expect(hexadecimal(keys.confirmationA) == vector.confirmationA)
            #expect(hexadecimal(keys.confirmationB) == vector.confirmationB)
            #expect(
                hexadecimal(sha256(transcript.bytes).bytes)
                    == vector.encryptionKey + vector.authenticationKey)
            #expect(keys.isConfirmationA(try hex(vector.confirmationA)))
            #expect(keys.isConfirmationB(try hex(vector.confirmationB)))
            #expect(!keys.isConfirmationA(try hex(vector.confirmationB)))
        }
    }

    @Test("A scalar is reduced by the order of the group")
    func reduction() throws {
        // Given the first vector's scalar plus twice the order, in 48 bytes
        let vector = SPAKE2Vector.first
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        let larger = sum(
            sum(try hex(vector.scalarA), try hex(order)), try hex(order))

        // When a side starts with it
        let side = try SPAKE2(
            role: .first, password: try hex(vector.password),
            random: [UInt8](repeating: 0, count: 48 - larger.count) + larger)

        // Then its share is that of the scalar itself
        #expect(hexadecimal(side.share) == vector.shareA)
    }

    @Test("Additional data changes the confirmation keys and nothing before them")
    func additionalData() throws {
        let vector = SPAKE2Vector.first
        let host = try SPAKE2(
            role: .first, password: try hex(vector.password), random: try hex(vector.scalarA))
        let transcript = try host.transcript(
            peerShare: try hex(vector.shareB), identityA: [], identityB: [])
        let plain = transcript.keys(additionalData: [])
        let bound = transcript.keys(additionalData: [1])
        #expect(plain.authentication == bound.authentication)
        #expect(plain.confirmationKeyA != bound.confirmationKeyA)
        #expect(!bound.isConfirmationA(plain.confirmationA))
    }

    @Test("A share that is no uncompressed point of the curve is refused", arguments: BadShare.all)
    func badShares(share: BadShare) throws {
        let vector = SPAKE2Vector.first
        let host = try SPAKE2(
            role: .first, password: try hex(vector.password), random: try hex(vector.scalarA))
        #expect(throws: SPAKE2Error.badShare) {
            try host.transcript(
                peerShare: try hex(share.hexadecimalText), identityA: [], identityB: [])
        }
    }

    @Test("A share that makes the common point infinity is refused")
    func commonPointAtInfinity() throws {
        // Given a peer that knows the password and sends w*N, its secret scalar being zero
        let password = try hex(SPAKE2Vector.first.password)
        let host = try SPAKE2(
            role: .first, password: password, random: try hex(SPAKE2Vector.first.scalarA))
        let peer = try SPAKE2(
            role: .second, password: password, random: [UInt8](repeating: 0, count: 48))
        #expect(throws: SPAKE2Error.badShare) {
            try host.transcript(peerShare: peer.share, identityA: [], identityB: [])
        }
    }

    @Test("One's own share coming back is refused")
    func reflection() throws {
        let vector = SPAKE2Vector.first
        let host = try SPAKE2(
            role: .first, password: try hex(vector.password), random: try hex(vector.scalarA))
        #expect(throws: SPAKE2Error.reflectedShare) {
            try host.transcript(peerShare: host.share, identityA: [], identityB: [])
        }
    }
}

/// Encodings of points that libcrypto alone would take, and some that nothing should.
struct BadShare: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let hexadecimalText: String

    /// A good share and its parts, to be spoiled below.
    private static let good = SPAKE2Vector.first.shareB
    private static let x = String(good.dropFirst(2).prefix(64))
    private static let y = String(good.suffix(64))
    /// The last digit of y is 7: odd.
    private static let odd = "3"

    static let all = [
        BadShare(testDescription: "nothing", hexadecimalText: ""),
        BadShare(testDescription: "infinity", hexadecimalText: "00"),
        BadShare(
            testDescription: "infinity in 65 bytes",
            hexadecimalText: String(repeating: "00", count: 65)),
        BadShare(
            testDescription: "zero coordinates",
            hexadecimalText: "04" + String(repeating: "00", count: 64)),
        BadShare(testDescription: "compressed", hexadecimalText: "0" + odd + x),
        BadShare(testDescription: "hybrid", hexadecimalText: "07" + x + y),
        BadShare(testDescription: "hybrid of wrong parity", hexadecimalText: "06" + x + y),
        BadShare(testDescription: "not on the curve", hexadecimalText: "04" + y + x),
        BadShare(testDescription: "one byte short", hexadecimalText: String(good.dropLast(2))),
        BadShare(testDescription: "one byte long", hexadecimalText: good + "00"),
        BadShare(
            testDescription: "coordinates beyond the field",
            hexadecimalText: "04" + String(repeating: "ff", count: 64)),
    ]
}

private func hex(_ text: String) throws -> [UInt8] {
    try #require(bytes(hexadecimal: text))
}

/// Of two big-endian numbers, one byte longer than the longer of them.
private func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var carry = 0
    var digits: [UInt8] = []
    for position in 0...max(left.count, right.count) {
        let first = position < left.count ? Int(left[left.count - 1 - position]) : 0
        let second = position < right.count ? Int(right[right.count - 1 - position]) : 0
        let digit = first + second + carry
        digits.append(UInt8(truncatingIfNeeded: digit))
        carry = digit >> 8
    }
    return digits.reversed()
}
