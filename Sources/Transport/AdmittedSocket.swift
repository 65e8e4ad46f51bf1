internal import NIOCore
internal import NIOSSL
internal import SyncCore

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
}
