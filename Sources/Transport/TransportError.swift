package import Wire

/// Why a connection failed or ended.
package enum TransportError: Error, Hashable, Sendable {
    // MARK: No connection came about

    /// The host name has no address.
    case unresolvable
    /// There is no route to the host.
    case unreachable
    /// The host is there, and nothing listens on the port.
    case refused
    /// No answer in time, or the handshake took too long.
    case timedOut
    /// The peer has another key than the expected one, or a key that the policy refuses.
    case notTrusted
    /// The peer ended the connection before its first message: it has no place for this device, or
    /// is closing.
    case refusedByPeer
    /// The peer said in TLS that it does not trust this device.
    case notTrustedByPeer
    /// The peer did not agree to the application protocol.
    case wrongProtocol
    /// TLS failed: another version, no certificate, a bad signature, or no TLS at all.
    case handshakeFailed
    /// All places are taken: `Limits.connections` or a related limit.
    case tooManyConnections

    // MARK: A connection ended

    /// This side closed it.
    case closed
    /// The stream ended without the peer's TLS goodbye.
    case connectionLost
    /// The stream ended in the middle of a frame.
    case endedInsideFrame
    /// The received bytes are not a frame.
    case protocolViolation(FrameError)
    /// More bytes arrived than this kind of connection may carry.
    case tooManyBytes
    /// No valid first message in time.
    case notAuthenticatedInTime
    /// No bytes were transferred for the configured time.
    case idle
    /// The peer does not read what is sent to it.
    case stalled

    // MARK: This side

    /// The task was cancelled.
    case cancelled
    /// The frame is larger than any peer accepts; the connection stays usable.
    case unsendable(FrameError)
    /// Two tasks wait for frames of one connection; the connection stays usable.
    case alreadyReceiving
    /// Certificate and key do not load.
    case unusableIdentity
    /// No port could be bound; the error number of the last attempt.
    case cannotListen(errno: Int32)
}

extension TransportError {
    /// Whether the peer did something that no correct peersync does; failing networks are not its
    /// fault.
    package var isPeersFault: Bool {
        switch self {
        case .notTrusted, .wrongProtocol, .handshakeFailed, .endedInsideFrame, .protocolViolation,
            .tooManyBytes, .notAuthenticatedInTime, .tooManyConnections:
            true
        case .unresolvable, .unreachable, .refused, .timedOut, .refusedByPeer, .notTrustedByPeer,
            .closed,
            .connectionLost, .idle, .stalled, .cancelled, .unsendable, .alreadyReceiving,
            .unusableIdentity, .cannotListen:
            false
        }
    }
}
