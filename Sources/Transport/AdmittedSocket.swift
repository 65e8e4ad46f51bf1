internal import Glibc
internal import NIOCore
internal import NIOSSL
package import SyncCore

/// A socket that may try to become a connection.
struct AdmittedSocket: Sendable {
    let endpoint: Endpoint
    let admission: Admission
    /// The protocol that this side asks for; nil if the socket was accepted.
    let dialed: ApplicationProtocol?
    let place: Place?
    let handshakeTime: Duration

    var isDialed: Bool { dialed != nil }

    /// Adds the handlers to the socket's channel; call it on its event loop. The future holds the
    /// connection, or the error.
    func install(on channel: any Channel) throws -> EventLoopFuture<Connection> {
        for (option, value) in SocketSettings.keepAlive {
            try channel.syncOptions?.setOption(option, value: value)
        }
        let pipeline = channel.pipeline.syncOperations
        let socket = SocketHandler(stallTime: TimeAmount(endpoint.limits.writeStallTime))
        let handler = ConnectionHandler(self, handler: socket, on: channel)
        do {
            let tls = try endpoint.tlsHandler(for: self)
            try pipeline.addHandlers([socket, tls, handler])
        } catch {
            handler.leave()
            throw error
        }
        return handler.opened.futureResult
    }
}

/// The settings of all sockets.
enum SocketSettings {
    /// One read per turn of the loop, so that the queue can refuse each one; small pieces until the
    /// peer has authenticated.
    static let reading = FixedSizeRecvByteBufferAllocator(capacity: Limits.unauthenticatedBytes)
    static let readsPerTurn: UInt = 1
    /// A last resort for connections on which neither side checks whether the peer is alive:
    /// sessions check that themselves, and sooner.
    static let keepAlive: [(ChannelOptions.Types.SocketOption, Int)] = [
        (ChannelOptions.Types.SocketOption(level: .socket, name: .so_keepalive), 1),
        (option(TCP_KEEPIDLE), Limits.keepAliveIdleSeconds),
        (option(TCP_KEEPINTVL), Limits.keepAliveIntervalSeconds),
        (option(TCP_KEEPCNT), Limits.keepAliveProbes),
    ]

    private static func option(_ name: CInt) -> ChannelOptions.Types.SocketOption {
        ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: name))
    }
}

extension Limits {
    /// Seconds of silence after which the kernel probes the peer. With a probe every few seconds,
    /// the 66 connections of twelve idle devices would cost over 2 KB a second.
    package static let keepAliveIdleSeconds = 330
    /// Seconds between probes.
    package static let keepAliveIntervalSeconds = 5
    /// Unanswered probes after which the connection is closed.
    package static let keepAliveProbes = 6
}
