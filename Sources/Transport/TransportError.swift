package import Wire

/// Why there is no connection, or no longer one.
package enum TransportError: Error, Hashable, Sendable {
    // MARK: No connection came about

    /// The host name has no address.
    case unresolvable
    /// No way to the host.
    case unreachable
    /// The host is there and nothing listens on the port.
    case refused
    /// No answer in time, or the handshake took too long.
    case timedOut
    /// The other side has another key than the one expected, or one that the policy refuses.
    case notTrusted
    /// The other side ended the connection before it said anything: it has no place for this device,
    /// or is closing.
    case refusedByPeer
    /// The other side said in TLS that it does not trust this device.
    case notTrustedByPeer
    /// The other side did not agree to the application protocol.
    case wrongProtocol
    /// TLS failed: another version, no certificate, a broken signature, or no TLS at all.
    case handshakeFailed
    /// All places are taken, `Limits.connections` and its relatives.
    case tooManyConnections

    // MARK: A connection ended

    /// This side closed it.
    case closed
    /// The stream ended without the other side's goodbye in TLS.
    case connectionLost
    /// The stream ended in the middle of a frame.
    case endedInsideFrame
    /// What came is no frame.
    case protocolViolation(FrameError)
    /// More came than a connection of this kind may carry.
    case tooManyBytes
    /// No first valid message in time.
    case notAuthenticatedInTime
    /// Nothing moved for the time set.
    case idle
    /// The other side does not take what is sent to it.
    case stalled

    // MARK: This side

    /// The task was cancelled.
    case cancelled
    /// This frame is larger than any peer takes; the connection is unharmed.
    case unsendable(FrameError)
    /// Two tasks wait for frames of one connection; the connection is unharmed.
    case alreadyReceiving
    /// Certificate and key do not load.
    case unusableIdentity
    /// No port could be bound; the error number of the last attempt.
    case cannotListen(errno: Int32)
}

extension TransportError {
    /// Whether the other side did what no peersync does; networks that fail are nobody's fault.
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
