internal import NIOCore
internal import NIOSSL
internal import SyncCore
internal import Synchronization

/// Decides whether to admit the peer of one socket: when its certificate arrives and after the
/// handshake.
///
/// It decides twice because at first the application protocol is not known, and because a resumed
/// session shows no certificate.
final class Admission: Sendable {
    private let policy: any TrustPolicy
    /// The protocol that this side asked for when it dialled; nil if it was dialled.
    private let dialed: ApplicationProtocol?
    private let expecting: Bytes32?
    /// Why the certificate was refused: TLS itself reports only that the handshake failed.
    private let verdict = Mutex<TransportError?>(nil)

    init(policy: any TrustPolicy, dialed: ApplicationProtocol?, expecting: Bytes32?) {
        (self.policy, self.dialed, self.expecting) = (policy, dialed, expecting)
    }

    var refusal: TransportError? { verdict.withLock { $0 } }

    /// The callback that replaces all of TLS's certificate checks.
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

    /// The final decision, with the results of the finished handshake.
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
