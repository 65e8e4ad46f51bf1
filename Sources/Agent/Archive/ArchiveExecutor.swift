internal import Dispatch

/// Runs work on archives on threads of its own: it reads and writes for minutes, and must not take the few
/// threads that everything else shares.
final class ArchiveExecutor: TaskExecutor {
    static let shared = ArchiveExecutor()

    private let queue = DispatchQueue(label: "peersync.archive", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
