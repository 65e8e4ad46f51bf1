package import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import SyncCore
internal import Synchronization

/// The shared part of this device's connections: identity, policy, limits and budgets.
package final class Endpoint: Sendable {
    package let limits: TransportLimits
    let policy: any TrustPolicy
    let logger: Logger
    /// The errors of peers, each logged once and within limits.
    package let errors: PeerErrorLog
    let group: MultiThreadedEventLoopGroup
    let places: ConnectionSlots
    /// The bytes that wait to be written, over all connections.
    let outbound: ByteBudget
    /// The bytes that were received and not consumed, over all connections.
    let received = SharedCount()

    private let serverContext: NIOSSLContext
    private let clientContexts: [ApplicationProtocol: NIOSSLContext]
    private let connections = Mutex<[UInt64: Connection]>([:])
    private let lastConnectionID = Atomic<UInt64>(0)

    /// Throws `unusableIdentity` if the certificate and key do not load.
    package init(
        identity: TLSIdentity, policy: any TrustPolicy, limits: TransportLimits = TransportLimits(),
        logger: Logger, errors: PeerErrorLog? = nil
    ) throws(TransportError) {
        (self.policy, self.limits, self.logger) = (policy, limits, logger)
        self.errors = errors ?? PeerErrorLog(logger: logger)
        group = .singleton
        places = ConnectionSlots(limits: limits)
        outbound = ByteBudget(limit: limits.bufferedBytes)
        do {
            let settings = try TLSSettings(identity)
            serverContext = try settings.server()
            clientContexts = try settings.clients()
        } catch {
            throw .unusableIdentity
        }
    }

    /// The bytes that wait to be written now, over all connections.
    package var bufferedBytes: Int { outbound.used }

    /// The number of open connections.
    package var connectionCount: Int { connections.withLock { $0.count } }

    /// Closes every connection whose peer the policy no longer admits, except those that are saying
    /// goodbye. Call it when membership changes or pairing closes.
    package func closeUntrusted(except leaving: Set<UInt64> = []) {
        for connection in all where !connection.isTrusted && !leaving.contains(connection.id) {
            connection.fail(.notTrusted)
        }
    }

    /// Closes connections from addresses that this computer no longer has: no packet will arrive on
    /// them.
    package func closeUnreachable(keeping hosts: Set<String>) {
        for connection in all {
            guard let host = connection.localHost, !hosts.contains(host),
                !RemoteAddress.isLoopback(host)
            else { continue }
            connection.fail(.unreachable)
        }
    }

    package func closeAll() {
        for connection in all { connection.close() }
    }

    private var all: [Connection] { connections.withLock { Array($0.values) } }

    func nextConnectionID() -> UInt64 {
        lastConnectionID.wrappingAdd(1, ordering: .relaxed).newValue
    }

    func add(_ connection: Connection) {
        connections.withLock { $0[connection.id] = connection }
    }

    func remove(_ connection: Connection) {
        connections.withLock { $0[connection.id] = nil }
    }

    /// Makes the TLS end of a socket.
    func tlsHandler(for socket: AdmittedSocket) throws -> NIOSSLHandler {
        let admission = socket.admission
        guard let application = socket.dialed else {
            return NIOSSLServerHandler(
                context: serverContext, customVerificationCallback: admission.verify)
        }
        guard let context = clientContexts[application] else { throw TransportError.wrongProtocol }
        return try NIOSSLClientHandler(
            context: context, serverHostname: nil, customVerificationCallback: admission.verify)
    }
}
