internal import Crypto
internal import FoundationEssentials
internal import Identity
internal import NIOCore
internal import NIOSSL

/// The hostile peer's certificate in the handshake.
enum Mask {
    /// No certificate at all.
    case faceless
    /// A certificate and its own key.
    case own(DeviceKeys)
    /// A certificate of these keys without their private half: signed with another key.
    case borrowed(DeviceKeys)

    /// The TLS settings of a caller that accepts every certificate of the other side.
    func context(protocols: [String]) throws -> NIOSSLContext {
        var settings = TLSConfiguration.makeClientConfiguration()
        settings.certificateVerification = .none
        settings.applicationProtocols = protocols
        settings.minimumTLSVersion = .tlsv13
        // A flooder does not wait for the goodbye of an agent that slows it down.
        settings.shutdownTimeout = .milliseconds(100)
        settings.verifySignatureAlgorithms = [.ed25519]
        settings.signingSignatureAlgorithms = [.ed25519]
        switch self {
        case .faceless: break
        case .own(let keys):
            let pair = DeviceCertificate(keys: keys)
            settings.certificateChain = [try Self.shown(pair)]
            settings.privateKey = .privateKey(
                try NIOSSLPrivateKey(bytes: pair.privateKey, format: .der))
        case .borrowed(let keys):
            settings.certificateChain = [try Self.shown(DeviceCertificate(keys: keys))]
            settings.privateKey = .privateKey(NIOSSLPrivateKey(customPrivateKey: ForeignKey()))
        }
        return try NIOSSLContext(configuration: settings)
    }

    private static func shown(_ pair: DeviceCertificate) throws -> NIOSSLCertificateSource {
        .certificate(try NIOSSLCertificate(bytes: pair.certificate, format: .der))
    }
}

/// Signs with a key that is not the one of the certificate beside it.
struct ForeignKey: NIOSSLCustomPrivateKey, Hashable {
    let signatureAlgorithms = [SignatureAlgorithm.ed25519]
    private let secret = Curve25519.Signing.PrivateKey().rawRepresentation

    func sign(
        channel: any Channel, algorithm: SignatureAlgorithm, data: ByteBuffer
    ) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeCompletedFuture {
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: secret)
            return ByteBuffer(bytes: try key.signature(for: Data(data.readableBytesView)))
        }
    }

    func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
        channel.eventLoop.makeSucceededFuture(data)
    }
}
