import LocalAPI

/// Runs long work on backups on separate threads, until its task is cancelled.
package enum BackupWork {
    package static func run<Value: Sendable>(
        _ path: String,
        _ body: @Sendable (_ isStopped: @Sendable () -> Bool) async throws -> Value
    ) async throws -> Value {
        try await FileWorkExecutor.run { stopping in
            try await BackupSentence.sayingWhat(path) { try await body { stopping.isStopped } }
        }
    }
}
