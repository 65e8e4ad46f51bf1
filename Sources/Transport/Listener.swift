internal import Glibc
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import SyncCore

/// Accepts connections on one TCP port.
package final class Listener: Sendable {
    /// The port that was bound.
    package let port: UInt16

    private let endpoint: Endpoint
    private let channel: any Channel
    private let accepted: AsyncStream<Connection>

    private init(endpoint: Endpoint, channel: any Channel, accepted: AsyncStream<Connection>) {
        (self.endpoint, self.channel, self.accepted) = (endpoint, channel, accepted)
        port = channel.localAddress?.port.flatMap(UInt16.init(exactly:)) ?? 0
    }

    /// Binds `port`, or the next free one of `Limits.portAttempts`; 0 takes any.
    ///
    /// The addresses are tried in turn: `::` serves both families, `0.0.0.0` is for a machine
    /// without IPv6. Throws `cannotListen`.
    package static func bind(
        _ endpoint: Endpoint, port: UInt16, addresses: [String] = ["::", "0.0.0.0"]
    ) async throws(TransportError) -> Listener {
        var lastError = TransportError.cannotListen(errno: 0)
        for offset in 0..<(port == 0 ? 1 : Limits.portAttempts) {
            let (candidate, overflow) = port.addingReportingOverflow(UInt16(offset))
            if overflow { break }
            for address in addresses {
                do {
                    return try await bind(endpoint, address: address, port: candidate)
                } catch let error as IOError {
                    lastError = .cannotListen(errno: error.errnoCode)
                    // A port that is taken here is taken on IPv4 as well, even if a second bind
                    // succeeds.
                    if error.errnoCode == EADDRINUSE { break }
                } catch {
                    lastError = .cannotListen(errno: 0)
                }
            }
        }
        throw lastError
    }

    private static func bind(
        _ endpoint: Endpoint, address: String, port: UInt16
    ) async throws -> Listener {
        let (accepted, continuation) = AsyncStream.makeStream(
            of: Connection.self, bufferingPolicy: .bufferingOldest(endpoint.limits.connections))
        var bootstrap = ServerBootstrap(group: endpoint.group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.recvAllocator, value: SocketSettings.reading)
            .childChannelOption(.maxMessagesPerRead, value: SocketSettings.readsPerTurn)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try accept(channel, endpoint, continuation)
                }
            }
        if address.contains(":") {
            bootstrap = bootstrap.serverChannelOption(
                ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only), value: 0)
        }
        let channel = try await bootstrap.bind(host: address, port: Int(port)).get()
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        endpoint.logger.debug(
            "listening",
            metadata: [
                "phase": "connection",
                "details": [
                    "address": "\(address)", "port": "\(channel.localAddress?.port ?? 0)",
                ],
            ])
        return Listener(endpoint: endpoint, channel: channel, accepted: accepted)
    }

    /// Runs on the new socket's event loop. Throwing closes the socket.
    private static func accept(
        _ channel: any Channel, _ endpoint: Endpoint,
        _ accepted: AsyncStream<Connection>.Continuation
    ) throws {
        guard let address = channel.remoteAddress.flatMap(RemoteAddress.init) else {
            throw TransportError.connectionLost
        }
        guard let place = endpoint.places.reserveForStranger(address: address.host) else {
            endpoint.errors.note(address.host, "\(TransportError.tooManyConnections)")
            throw TransportError.tooManyConnections
        }
        let admission = Admission(policy: endpoint.policy, dialed: nil, expecting: nil)
        let socket = AdmittedSocket(
            endpoint: endpoint, admission: admission, dialed: nil, place: place,
            handshakeTime: endpoint.limits.authenticationTime)
        try socket.install(on: channel).whenSuccess { connection in
            guard case .enqueued = accepted.yield(connection) else {
                return connection.fail(.tooManyConnections)
            }
        }
    }

    /// Passes every accepted connection to `serve`, each in its own task, and closes it when
    /// `serve` returns. Runs until the task is cancelled or `close()` is called; then it waits for
    /// all calls of `serve`, which are cancelled with it.
    package func run(_ serve: @escaping @Sendable (Connection) async -> Void) async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await connection in accepted {
                    group.addTask {
                        await serve(connection)
                        connection.close()
                    }
                }
            }
        } onCancel: {
            channel.close(promise: nil)
        }
        // A connection left in the stream is closed by its authentication timeout.
        await close()
    }

    /// Stops listening. Open connections stay.
    package func close() async {
        channel.close(promise: nil)
        // The close future never fails.
        try? await channel.closeFuture.get()
    }
}
