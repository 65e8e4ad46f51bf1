internal import Dispatch

/// Runs work on archives, backups and encrypted files on separate threads: it takes minutes, and must not
/// block the few threads that everything else shares.
final class FileWorkExecutor: TaskExecutor {
    static let shared = FileWorkExecutor()

    // Each quality of service has threads of its own, one for each core; async functions use the default
    // one.
    private let queue = DispatchQueue(
        label: "peersync.archive", qos: .utility, attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}

extension FileWorkExecutor {
    /// Runs work on these threads; the flag tells it when its task is cancelled.
    static func run<Value>(
        _ body: (CancellationFlag) async throws -> Value
    ) async throws -> Value {
        try await CancellationFlag.whenCancelled { stopping in
            try await withTaskExecutorPreference(shared) { try await body(stopping) }
        }
    }
}
