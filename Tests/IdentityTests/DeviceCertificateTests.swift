import Crypto
import Foundation
import Identity
import SyncCore
import Testing

@Suite("The device's certificate")
struct DeviceCertificateTests {
    private let keys = DeviceKeys.generate()

    /// A key with its certificate and PKCS#8 form, both made by swift-certificates 1.21.1.
    private enum Golden {
        static let secret = "0bac094db66c4f4269da615629008a09dd9de4ce6e858341bf914c883f118236"
        static let certificate = """
            3081d4308187a003020102020101300506032b657030133111300f06035504030c08\
            7065657273796e633020170d3030303130313030303030305a180f39393939313233\
            313233353935395a30133111300f06035504030c087065657273796e63302a300506\
            032b657003210056e47f50705e7ab01cdebd15fd69ee097463a700cfd8c706be822a\
            fb29870b8c300506032b6570034100824f40dc7705a3c8b347885eb7c51a49b7bc12\
            54309b1241cc506957c7b0dff8ef5b80cd747d1b2fd1169c052ee45f1053f1b90a02\
            05f5e53e68a302e99eaf05
            """
        static let privateKey = "302e020100300506032b657004220420" + secret
    }
    /// Bytes from the certificate's start to what is signed, and of that.
    private static let signedStart = 3
    private static let signedCount = 138
    /// The key's SubjectPublicKeyInfo: the last 44 bytes of what is signed.
    private static let keyInfoCount = 44

    private static func bytes(_ text: String) throws -> [UInt8] {
        let digits = Array(text)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(digits[$0..<$0 + 2]), radix: 16))
        }
    }
    private static func signed(_ certificate: [UInt8]) -> [UInt8] {
        Array(certificate.dropFirst(signedStart).prefix(signedCount))
    }

    @Test("its bytes follow from the keys, and are those of another library")
    func golden() throws {
        let secret = try #require(Bytes32(try Self.bytes(Golden.secret)))
        let keys = try #require(DeviceKeys(signingSecret: secret, agreementSecret: secret))
        let made = DeviceCertificate(keys: keys)
        #expect(try made.certificate == Self.bytes(Golden.certificate))
        #expect(try made.privateKey == Self.bytes(Golden.privateKey))
    }

    @Test("it carries the device's key and is signed by it")
    func signature() throws {
        let certificate = DeviceCertificate(keys: keys).certificate
        let signed = Self.signed(certificate)
        let key = try Curve25519.Signing.PublicKey(rawRepresentation: keys.signingKey.bytes)
        #expect(key.isValidSignature(certificate.suffix(64), for: signed))
        #expect(Array(signed.suffix(32)) == keys.signingKey.bytes)
    }

    @Test("the private key is the device's")
    func privateKey() {
        let made = DeviceCertificate(keys: keys)
        #expect(Array(made.privateKey.suffix(32)) == keys.signingSecret.bytes)
    }

    @Test("The key is read from its SubjectPublicKeyInfo, and from nothing similar")
    func publicKeyInfo() throws {
        let signed = Self.signed(DeviceCertificate(keys: keys).certificate)
        let info = Array(signed.suffix(Self.keyInfoCount))
        #expect(Ed25519SPKI.key(fromSPKI: info) == keys.signingKey)
        #expect(Ed25519SPKI.key(fromSPKI: []) == nil)
        #expect(Ed25519SPKI.key(fromSPKI: info + [0]) == nil)
        #expect(Ed25519SPKI.key(fromSPKI: Array(info.dropLast())) == nil)
        for position in 0..<12 {
            var changed = info
            changed[position] ^= 1
            #expect(Ed25519SPKI.key(fromSPKI: changed) == nil, "byte \(position)")
        }
        let other = Array(P256.Signing.PrivateKey().publicKey.derRepresentation)
        #expect(Ed25519SPKI.key(fromSPKI: other) == nil)
    }
}
