internal import Dispatch
import LocalAPI
import Store
import SyncCore
internal import Synchronization

/// People's requests to the services of a device.
struct Services {
    let world: World

    // MARK: Devices that can be asked

    /// Spaces that a device's services can read and write.
    func servedSpaces(of replica: Replica, with flags: Permissions = .read) -> [SpaceID] {
        world.observer.activeSpaces(of: replica, with: flags).filter {
            replica.ledger(of: $0)?.role == .shared && replica.store?.spaces.schema(of: $0) != nil
        }
    }

    /// The device of the person who asks, or another one with suitable data.
    func served(near replica: Replica) -> Replica? {
        let others = world.replicas.filter { $0.index != replica.index }.shuffled(
            using: &world.random)
        return ([replica] + others).first {
            $0.isUp && !servedSpaces(of: $0, with: [.read, .write]).isEmpty
        }
    }

    /// All records that a device can show; nil if it does not run.
    func shown(by replica: Replica) -> Shown? {
        guard let store = replica.store else { return nil }
        do {
            return try Shown(servedSpaces(of: replica), store)
        } catch {
            world.machines.couldNotWrite("reads nothing", error, replica)
            return nil
        }
    }

    // MARK: Requests

    /// Carries out a person's request; nil for a refusal, for a planted disk failure, or if the
    /// device stopped, as it does after a number of writes.
    func serve<Answer: Sendable>(
        _ replica: Replica, _ what: String, stoppingAfter writes: Int? = nil,
        _ body: @escaping @Sendable (ServedReplica) async throws -> Answer
    ) -> Answer? {
        guard let served = ServedReplica(world, replica) else { return nil }
        served.writesLeft = writes
        let result = Waiting.run { try await body(served) }
        guard served.isRunning else { return nil }
        switch result {
        case .success(let answer) where served.failure == nil: return answer
        case .failure(let error) where served.failure == nil && error is APIError:
            world.report.trace.note(
                "refused", UInt64(replica.index), text: "\(replica.index) \(what): \(error)")
        case .success: couldNotServe(what, served.failure, replica)
        case .failure(let error): couldNotServe(what, served.failure ?? error, replica)
        }
        return nil
    }

    private func couldNotServe(_ what: String, _ error: (any Error)?, _ replica: Replica) {
        guard let error else { return }
        // Rights were revoked meanwhile, or there is no key.
        if case StoreError.permissionRefused = error { return }
        world.machines.couldNotWrite("does not \(what)", error, replica)
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

extension World {
    var services: Services { Services(world: self) }
}
