internal import Dispatch
import LocalAPI
import Store
internal import Synchronization

/// People's requests to the services of a device.
extension World {
    /// Carries out a person's request; nil for a refusal, for a planted disk failure, or if the
    /// device stopped, as it does after a number of writes.
    func serve<Answer: Sendable>(
        _ replica: Replica, _ what: String, stoppingAfter writes: Int? = nil,
        _ body: @escaping @Sendable (ServedReplica) async throws -> Answer
    ) -> Answer? {
        guard let served = ServedReplica(self, replica) else { return nil }
        served.writesLeft = writes
        let result = Waiting.run { try await body(served) }
        guard served.isRunning else { return nil }
        switch result {
        case .success(let answer) where served.failure == nil: return answer
        case .failure(let error) where served.failure == nil && error is APIError:
            trace.note("refused", UInt64(replica.index), text: "\(replica.index) \(what): \(error)")
        case .success: couldNotServe(what, served.failure, replica)
        case .failure(let error): couldNotServe(what, served.failure ?? error, replica)
        }
        return nil
    }

    private func couldNotServe(_ what: String, _ error: (any Error)?, _ replica: Replica) {
        guard let error else { return }
        // Rights were revoked meanwhile, or there is no key.
        if case StoreError.permissionRefused = error { return }
        couldNotWrite("does not \(what)", error, replica)
    }
}

/// Waits for a call that is asynchronous only because it may take time: nothing else runs
/// meanwhile, so that every run of a seed is the same.
private final class Waiting<Answer: Sendable>: Sendable {
    private let answer = Mutex<Result<Answer, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    static func run(
        _ body: @escaping @Sendable () async throws -> Answer
    ) -> Result<Answer, any Error> {
        let waiting = Waiting()
        Task(executorPreference: HereExecutor()) {
            do {
                let answer = try await body()
                waiting.end(.success(answer))
            } catch {
                waiting.end(.failure(error))
            }
        }
        waiting.isDone.wait()
        return waiting.answer.withLock { $0 } ?? .failure(CancellationError())
    }

    private func end(_ result: Result<Answer, any Error>) {
        answer.withLock { $0 = result }
        isDone.signal()
    }
}

/// Runs jobs on the thread that adds them.
private final class HereExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
