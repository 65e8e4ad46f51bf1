internal import Glibc
internal import NIOCore
internal import NIOPosix
package import SyncCore
internal import Synchronization

/// Opens connections to other devices.
package struct Dialer: Sendable {
    private let endpoint: Endpoint

    package init(_ endpoint: Endpoint) { self.endpoint = endpoint }

    /// Connects and finishes the handshake within `timeout`.
    ///
    /// `host` is a name or an address: an IPv6 address without brackets, and with its scope if it
    /// is link-local (`fe80::1%eth0`). With `expecting`, only the device with that key is accepted;
    /// `policy` replaces the endpoint's. The other side may still refuse this device: TLS reports
    /// that only later, so the first `receive` throws `refusedByPeer`.
    package func connect(
        host: String, port: UInt16, protocol application: ApplicationProtocol,
        timeout: Duration = .seconds(Limits.authenticationSeconds), expecting: Bytes32? = nil,
        policy: (any TrustPolicy)? = nil
    ) async throws(TransportError) -> Connection {
        let socket = AdmittedSocket(
            endpoint: endpoint,
            admission: Admission(
                policy: policy ?? endpoint.policy, dialed: application, expecting: expecting),
            dialed: application, place: nil, handshakeTime: timeout)
        let opened = endpoint.group.next().makePromise(of: Connection.self)
        connect(to: host, port, socket, timeout).whenComplete { result in
            opened.completeWith(result)
            guard case .success(let connection) = result else { return }
            // The task was cancelled earlier: nobody uses this connection.
            opened.futureResult.whenFailure { _ in connection.close() }
        }
        do {
            return try await withTaskCancellationHandler {
                try await opened.futureResult.get()
            } onCancel: {
                opened.fail(TransportError.cancelled)
            }
        } catch {
            throw Dialer.meaning(of: error)
        }
    }

    private func connect(
        to host: String, _ port: UInt16, _ socket: AdmittedSocket, _ timeout: Duration
    ) -> EventLoopFuture<Connection> {
        // Keyed by channel, as several addresses may be tried. The result of the successful one may
        // be known, and its handlers removed, before the bootstrap says which one it is.
        let opened = Mutex<[ObjectIdentifier: EventLoopFuture<Connection>]>([:])
        return ClientBootstrap(group: endpoint.group)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.recvAllocator, value: SocketSettings.reading)
            .channelOption(.maxMessagesPerRead, value: SocketSettings.readsPerTurn)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = try socket.install(on: channel)
                    opened.withLock { $0[ObjectIdentifier(channel)] = connection }
                }
            }
            .connect(host: host, port: Int(port))
            .flatMap { channel in
                opened.withLock { $0[ObjectIdentifier(channel)] }
                    ?? channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
    }

    private static func meaning(of error: any Error) -> TransportError {
        switch error {
        case let error as TransportError: error
        case let error as NIOConnectionError: meaning(of: error)
        case let error as IOError: meaning(ofErrno: error.errnoCode)
        case ChannelError.connectTimeout: .timedOut
        case is ChannelError: .refusedByPeer
        default: .unreachable
        }
    }

    /// Of several failed addresses, the error of the one that got furthest.
    private static func meaning(of error: NIOConnectionError) -> TransportError {
        let reasons = error.connectionErrors.map { meaning(of: $0.error) }
        guard !reasons.isEmpty else { return .unresolvable }
        let order: [TransportError] = [.refusedByPeer, .refused, .timedOut]
        return order.first { reasons.contains($0) } ?? .unreachable
    }

    private static func meaning(ofErrno number: CInt) -> TransportError {
        switch number {
        case ECONNREFUSED: .refused
        case ETIMEDOUT: .timedOut
        case ECONNRESET: .refusedByPeer
        default: .unreachable
        }
    }
}
