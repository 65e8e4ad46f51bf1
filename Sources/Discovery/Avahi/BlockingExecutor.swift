internal import Dispatch

/// Runs an actor on its own queue: calls to Avahi can wait for a daemon that hangs, and must not
/// block one of the few threads that all tasks share.
final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }
}
