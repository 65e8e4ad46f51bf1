internal import NIOCore
internal import NIOSSL
internal import SyncCore
internal import Synchronization

/// Decides about the other end of one socket, when its certificate comes and after the handshake.
///
/// Twice, because the first time the application protocol is not known yet, and because a resumed
/// session shows no certificate on the way.
final class Admission: Sendable {
    private let policy: any TrustPolicy
    /// What this side asked for when it dialled; nil when it was dialled.
    private let dialed: ApplicationProtocol?
    private let expecting: Bytes32?
    /// Why the certificate was refused: TLS itself reports only that the handshake failed.
    private let verdict = Mutex<TransportError?>(nil)

    init(policy: any TrustPolicy, dialed: ApplicationProtocol?, expecting: Bytes32?) {
        (self.policy, self.dialed, self.expecting) = (policy, dialed, expecting)
    }

    var refusal: TransportError? { verdict.withLock { $0 } }

    /// The callback that takes the place of all certificate checks of TLS.
    func verify(_ chain: [NIOSSLCertificate], _ promise: EventLoopPromise<NIOSSLVerificationResult>)
    {
        let applications = dialed.map { [$0] } ?? ApplicationProtocol.allCases
        guard chain.count == 1, let key = chain.first.flatMap(PeerCertificate.key(of:)),
            applications.contains(where: { trusts(key, $0) })
        else {
            verdict.withLock { $0 = .notTrusted }
            return promise.succeed(.failed)
        }
        promise.succeed(.certificateVerified)
    }

    /// The whole decision, with what the finished handshake agreed on.
    func decide(
        negotiated: String?, certificate: NIOSSLCertificate?
    ) throws(TransportError) -> (key: Bytes32, application: ApplicationProtocol) {
        guard let application = negotiated.flatMap(ApplicationProtocol.init(rawValue:)),
            dialed == nil || dialed == application
        else { throw .wrongProtocol }
        guard let key = certificate.flatMap(PeerCertificate.key(of:)), trusts(key, application)
        else { throw .notTrusted }
        return (key, application)
    }

    func trusts(_ key: Bytes32, _ application: ApplicationProtocol) -> Bool {
        (expecting == nil || expecting == key) && policy.admits(key, application)
    }
}
