internal import Dispatch

/// Runs work on archives and encrypted files on threads of its own: it reads, writes and computes for
/// minutes, and must not take the few threads that everything else shares.
final class ArchiveExecutor: TaskExecutor {
    static let shared = ArchiveExecutor()

    // Each quality of service has its threads, one for each core, and async functions have the default one.
    private let queue = DispatchQueue(
        label: "peersync.archive", qos: .utility, attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}

extension ArchiveExecutor {
    /// Runs work there, which is told when its task is cancelled.
    static func run<Value>(
        _ body: (CancellationFlag) async throws -> Value
    ) async throws -> Value {
        try await CancellationFlag.whenCancelled { stopping in
            try await withTaskExecutorPreference(shared) { try await body(stopping) }
        }
    }
}
