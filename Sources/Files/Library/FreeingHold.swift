internal import SyncCore
internal import Synchronization

/// Keeps backups and the freeing of files apart: a backup must have every file that its copy of the database
/// names.
package final class FreeingHold: Sendable {
    private struct State {
        var backups = 0
        var isFreeing = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether files are being freed: noted as freed, and removed from the disk in a moment.
    var isFreeing: Bool { state.withLock { $0.isFreeing } }

    /// Runs a backup, during which nothing is freed; waits the moment until freeing that is under way has ended.
    package func backingUp<Value>(_ body: () async throws -> Value) async throws -> Value {
        while !state.withLock({ state in
            guard !state.isFreeing else { return false }
            state.backups += 1
            return true
        }) { try await Task.sleep(for: .milliseconds(Limits.freeingPollMilliseconds)) }
        defer { state.withLock { $0.backups -= 1 } }
        return try await body()
    }

    /// Nil, and nothing is done, while a backup runs or something is being freed.
    package func freeing<Value>(_ body: () async throws -> Value) async throws -> Value? {
        let isFree = state.withLock { state in
            guard state.backups == 0, !state.isFreeing else { return false }
            state.isFreeing = true
            return true
        }
        guard isFree else { return nil }
        defer { state.withLock { $0.isFreeing = false } }
        return try await body()
    }
}

extension Limits {
    /// How often a backup looks whether freeing is done.
    static let freeingPollMilliseconds: Int64 = 50
}
