internal import NIOSSL

/// peersync's TLS settings: 1.3 only, a certificate from both sides, and no certificate authority:
/// `Admission` replaces all checks of names, dates and issuers.
struct TLSSettings {
    private let certificate: NIOSSLCertificate
    private let privateKey: NIOSSLPrivateKey

    init(_ identity: TLSIdentity) throws {
        certificate = try NIOSSLCertificate(bytes: identity.certificateDER, format: .der)
        privateKey = try NIOSSLPrivateKey(bytes: identity.privateKeyPKCS8DER, format: .der)
    }

    func server() throws -> NIOSSLContext {
        var settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(privateKey))
        harden(&settings, ApplicationProtocol.allCases)
        return try NIOSSLContext(configuration: settings)
    }

    /// One context per protocol: a dialler offers only the one it is about to speak.
    func clients() throws -> [ApplicationProtocol: NIOSSLContext] {
        var contexts: [ApplicationProtocol: NIOSSLContext] = [:]
        for application in ApplicationProtocol.allCases {
            var settings = TLSConfiguration.makeClientConfiguration()
            settings.certificateChain = [.certificate(certificate)]
            settings.privateKey = .privateKey(privateKey)
            harden(&settings, [application])
            contexts[application] = try NIOSSLContext(configuration: settings)
        }
        return contexts
    }

    private func harden(_ settings: inout TLSConfiguration, _ offered: [ApplicationProtocol]) {
        settings.minimumTLSVersion = .tlsv13
        settings.maximumTLSVersion = .tlsv13
        settings.applicationProtocols = offered.map(\.rawValue)
        // Demands a certificate; with the callback in place, TLS checks nothing else.
        settings.certificateVerification = .noHostnameVerification
        settings.trustRoots = .certificates([])
        // Ed25519 is not among the defaults for verifying.
        settings.verifySignatureAlgorithms = [.ed25519]
        settings.signingSignatureAlgorithms = [.ed25519]
    }
}
