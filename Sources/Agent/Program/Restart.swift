internal import Synchronization

/// Ends an agent so that another one starts and rebuilds the store.
final class Restart: Sendable {
    /// Nil if nothing would start another agent.
    private let ending = Mutex<(@Sendable () async -> Void)?>(nil)
    private let isBegun = Mutex(false)

    /// Sets the function that ends this agent if the store must be rebuilt.
    func setEnding(_ end: @escaping @Sendable () async -> Void) {
        ending.withLock { $0 = end }
    }

    /// Whether this agent has ended, or is about to end, so that another one starts.
    var isUnderWay: Bool { isBegun.withLock { $0 } }

    /// Ends this agent, so that the next one rebuilds the store; false if none would start.
    @discardableResult
    func begin(after delay: Duration) -> Bool {
        guard let end = ending.withLock({ $0 }) else { return false }
        isBegun.withLock { $0 = true }
        Task {
            // Continue even if the sleep was cut short.
            try? await Task.sleep(for: delay)
            await end()
        }
        return true
    }
}
