internal import Synchronization

/// The look for missing files of one examination: several checks need it, and it reads many files.
package final class MissingFilesLook: Sendable {
    private let isDone = Mutex(false)

    package init() {}

    /// Looks unless a look succeeded before.
    package func once(_ look: () async throws -> Void) async throws {
        guard !isDone.withLock({ $0 }) else { return }
        try await look()
        isDone.withLock { $0 = true }
    }
}
