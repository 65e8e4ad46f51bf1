internal import Synchronization

/// The connection that showed that an agent is there, for a first call soon after it: an agent closes
/// silent connections.
final class FirstConnection: Sendable {
    private struct Kept {
        let socket: LocalSocket
        let since: ContinuousClock.Instant
    }

    private let kept = Mutex<Kept?>(nil)

    func keep(_ socket: LocalSocket) {
        kept.withLock { $0 = Kept(socket: socket, since: .now) }
    }

    /// Nil when there is none, or a person took time for a question meanwhile.
    func consume() -> LocalSocket? {
        let first = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        guard let first, .now - first.since < .seconds(LocalLimits.idleSeconds) / 10 else {
            return nil
        }
        return first.socket
    }
}
