internal import SyncCore

/// The limits of one endpoint. The defaults are those of `Limits`; tests shorten the times.
package struct TransportLimits: Sendable {
    /// For the handshake and the first valid message together.
    package var authenticationTime = Duration.seconds(Limits.authenticationSeconds)
    /// The lifetime of a pairing connection.
    package var pairingTime = Duration.seconds(Limits.pairingSeconds)
    /// How long a peer may read nothing of the bytes that wait for it.
    package var writeStallTime = Duration.seconds(Limits.writeStallSeconds)
    /// A session without any transfer for this long is closed; nil keeps it open.
    package var idleTime: Duration?

    package var unauthenticatedSockets = Limits.unauthenticatedSockets
    package var unauthenticatedSocketsKept = Limits.unauthenticatedSocketsKept
    package var unauthenticatedSocketsPerAddress = Limits.unauthenticatedSocketsPerAddress
    package var connections = Limits.connections
    package var connectionsKept = Limits.connectionsKept
    package var connectionsPerPeer = Limits.connectionsPerPeer
    package var bufferedBytes = Limits.bufferedBytes
    package var bufferedBytesPerConnection = Limits.bufferedBytesPerConnection

    package init() {}
}
