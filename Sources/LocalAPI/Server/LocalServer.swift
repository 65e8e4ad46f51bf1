internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix

/// Serves the functions of a ``HandlerTable`` as HTTP/1.1 with JSON on a unix socket.
///
/// The caller must hold the lock of the store and have made the socket's directory with mode 0700: binding
/// removes the socket of a killed agent, and until the new socket gets its mode 0600, only that directory
/// keeps other users out.
package struct LocalServer: Sendable {
    private let handlers: HandlerTable
    private let socketPath: String
    private let allowedUser: UInt32

    /// `socketPath` is absolute and at most 107 bytes long.
    package init(handlers: HandlerTable, socketPath: String) {
        self.init(handlers: handlers, socketPath: socketPath, allowedUser: geteuid())
    }

    /// With a user other than this process's own, for tests.
    package init(handlers: HandlerTable, socketPath: String, allowedUser: UInt32) {
        (self.handlers, self.socketPath, self.allowedUser) = (handlers, socketPath, allowedUser)
    }

    /// Serves until the task is cancelled or a surrounding service group shuts down gracefully,
    /// then removes the socket. Cancelling drops requests in flight; a graceful shutdown waits for
    /// them, a long poll included.
    ///
    /// - Parameter whenListening: Called once the socket accepts connections and has its mode.
    /// - Throws: ``APIError`` for a path that is too long, and what binding throws.
    package func run(whenListening: @escaping @Sendable () async -> Void = {}) async throws {
        guard socketPath.utf8.count <= LocalLimits.socketPathBytes else {
            throw APIError.socketPathTooLong(socketPath)
        }
        var logger = Logger(label: "peersync.local-api")
        logger.logLevel = .critical
        let path = socketPath
        let routes = Routes(handlers: handlers)
        let http = HTTP1Channel(
            responder: { request, writer, _ in
                var response = await routes.answer(request)
                response.headers[.server] = ProgramVersion.product()
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(LocalLimits.idleSeconds)))
        let server = Server(
            childChannelSetup: OwnUserChannel(http: http, allowedUser: allowedUser),
            configuration: ServerConfiguration(
                address: .unixDomainSocket(path: path),
                availableConnectionsDelegate: MaximumAvailableConnections(LocalLimits.connections)),
            onServerRunning: { _ in
                // If the socket keeps a wider mode, its directory still protects it.
                _ = unsafe chmod(path, 0o600)
                await whenListening()
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
        defer { _ = unsafe unlink(path) }
        try await server.run()
    }
}
