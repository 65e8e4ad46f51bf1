internal import Synchronization

/// Ends an agent for another to start, which makes the store anew.
final class Restart: Sendable {
    /// Nil where nobody would start another one.
    private let ending = Mutex<(@Sendable () async -> Void)?>(nil)
    private let isBegun = Mutex(false)

    /// What ends this agent when the store has to be made anew.
    func setEnding(_ end: @escaping @Sendable () async -> Void) {
        ending.withLock { $0 = end }
    }

    /// Whether this agent ended, or is about to, for another to start.
    var isUnderWay: Bool { isBegun.withLock { $0 } }

    /// Ends this agent, for the next one to make the store anew; false where there is none.
    @discardableResult
    func begin(after delay: Duration) -> Bool {
        guard let end = ending.withLock({ $0 }) else { return false }
        isBegun.withLock { $0 = true }
        Task {
            // Ended or not, it is over.
            try? await Task.sleep(for: delay)
            await end()
        }
        return true
    }
}
