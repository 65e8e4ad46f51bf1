import Crypto
import Foundation
import Identity
import SwiftASN1
import SyncCore
import Testing
import X509

@Suite("The device's certificate")
struct DeviceCertificateTests {
    private let keys = DeviceKeys.generate()

    @Test("It carries the device's key, is signed by it, and says nothing else")
    func content() throws {
        let made = try DeviceCertificate(keys: keys)
        let certificate = try Certificate(derEncoded: made.certificate)
        #expect(
            Array(certificate.publicKey.subjectPublicKeyInfoBytes.suffix(32))
                == keys.signingKey.bytes)
        #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
        #expect(certificate.subject.description == "CN=peersync")
        #expect(certificate.issuer == certificate.subject)
        #expect(Array(certificate.serialNumber.bytes) == [1])
        #expect(certificate.extensions.isEmpty)
        #expect(certificate.notValidBefore == Date(timeIntervalSince1970: 946_684_800))
        #expect(certificate.notValidAfter == Date(timeIntervalSince1970: 253_402_300_799))
    }

    @Test("The private key is PKCS#8 and is the device's")
    func privateKey() throws {
        let made = try DeviceCertificate(keys: keys)
        let key = try Certificate.PrivateKey(derBytes: made.privateKey)
        #expect(Array(key.publicKey.subjectPublicKeyInfoBytes.suffix(32)) == keys.signingKey.bytes)
    }

    @Test("The key is read from its SubjectPublicKeyInfo, and from nothing similar")
    func publicKeyInfo() throws {
        let made = try DeviceCertificate(keys: keys)
        let certificate = try Certificate(derEncoded: made.certificate)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate.publicKey)
        let info = serializer.serializedBytes
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
