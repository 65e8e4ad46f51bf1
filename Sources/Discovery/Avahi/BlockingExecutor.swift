internal import Dispatch

/// Runs an actor on a queue of its own: calls to Avahi can wait for a daemon that hangs, and must
/// not take one of the few threads that everything else shares.
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
