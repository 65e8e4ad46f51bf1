internal import Glibc
internal import NIOCore
internal import NIOSSL
package import SyncCore

/// A socket that may try to become a connection.
struct AdmittedSocket: Sendable {
    let endpoint: Endpoint
    let admission: Admission
    /// What this side asks for; nil when the socket was accepted.
    let dialed: ApplicationProtocol?
    let place: Place?
    let handshakeTime: Duration

    var isDialed: Bool { dialed != nil }

    /// Puts the handlers on the socket's channel. To be called on its event loop. The future
    /// holds the connection, or why there is none.
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

/// How every socket of peersync is set up.
enum SocketSettings {
    /// One read per turn of the loop, so that what waits is asked about before each; small pieces
    /// until the peer has authenticated.
    static let reading = FixedSizeRecvByteBufferAllocator(capacity: Limits.unauthenticatedBytes)
    static let readsPerTurn: UInt = 1
    /// The last resort for a connection on which nobody asks whether the peer is there: sessions ask
    /// themselves, and sooner.
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
    /// Seconds without a word after which the kernel asks whether the peer is there. Asked every few
    /// seconds, the 66 connections of twelve idle devices cost over 2 KB a second.
    package static let keepAliveIdleSeconds = 330
    /// Seconds between the questions.
    package static let keepAliveIntervalSeconds = 5
    /// Questions without an answer until the connection is given up.
    package static let keepAliveProbes = 6
}
