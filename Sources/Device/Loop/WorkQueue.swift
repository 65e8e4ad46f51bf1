package import Node
import SyncCore
internal import Synchronization

/// Runs background work as ``WorkSchedule`` decides, each piece in a task of its own.
package final class WorkQueue: Sendable {
    /// Does the work of this program.
    package struct Worker: Sendable {
        let work: @Sendable (BackgroundWork) async throws -> Void
        let failed: @Sendable (BackgroundWork.Kind, any Error) -> Void

        /// `failed` gets every error of `work`, but not that it was cancelled.
        package init(
            _ work: @escaping @Sendable (BackgroundWork) async throws -> Void,
            failed: @escaping @Sendable (BackgroundWork.Kind, any Error) -> Void
        ) {
            (self.work, self.failed) = (work, failed)
        }
    }

    private struct State {
        var schedule = WorkSchedule()
        /// Nil before the start, and after the end: the worker may own this queue.
        var worker: Worker?
        var tasks: [BackgroundWork.Kind: Task<Void, Never>] = [:]
        /// The next tick and its time.
        var timer: (task: Task<Void, Never>, due: UInt64)?
    }

    private let state = Mutex(State())
    package let clock: AgentClock

    package init(_ clock: AgentClock) { self.clock = clock }

    /// Work that runs, and work that waits, in the order in which it will begin.
    package var contents: (running: [BackgroundWork], waiting: [BackgroundWork]) {
        state.withLock { ($0.schedule.running, $0.schedule.waiting) }
    }

    /// From now on work of these kinds is done, also the work that was asked for before.
    package func open(
        _ kinds: Set<BackgroundWork.Kind>, _ rounds: [WorkSchedule.Round] = [],
        _ worker: Worker
    ) {
        step { state, now in
            state.worker = worker
            return state.schedule.open(kinds, rounds, at: now)
        }
    }

    /// Asks for work; returns at once.
    package func add(_ work: BackgroundWork) {
        step { state, _ in state.schedule.add(work) }
    }

    /// Begins nothing more and cancels what runs. The answer waits for the kinds that must not be cut off.
    package func close() -> @Sendable () async -> Void {
        let tasks = state.withLock { state in
            state.timer?.task.cancel()
            state.timer = nil
            for case .cancel(let kind) in state.schedule.close() { state.tasks[kind]?.cancel() }
            state.worker = nil
            return Array(state.tasks.filter(\.key.isAwaited).values)
        }
        return { for task in tasks { await task.value } }
    }

    private func step(
        _ change: @Sendable (inout State, UInt64) -> [WorkSchedule.Action]
    ) {
        state.withLock { state in
            let now = clock.now.monotonic
            for case .start(let work) in change(&state, now) {
                guard let worker = state.worker else {
                    preconditionFailure("\(work.kind) begins and nobody does it")
                }
                state.tasks[work.kind] = run(work, worker)
            }
            setTimer(&state, now)
        }
    }

    /// The task is detached: language and progress of the person whose request led to the work are not its own.
    private func run(_ work: BackgroundWork, _ worker: Worker) -> Task<Void, Never> {
        Task.detached {
            do {
                try await worker.work(work)
            } catch is CancellationError {
                // The program ends.
            } catch {
                // Without waiting for it the store was closed.
                let isCutOff = !work.kind.isAwaited && self.state.withLock { $0.worker == nil }
                if !isCutOff { worker.failed(work.kind, error) }
            }
            self.step { state, now in
                state.tasks[work.kind] = nil
                return state.schedule.ended(work.kind, at: now)
            }
        }
    }

    private func setTimer(_ state: inout State, _ now: UInt64) {
        guard let due = state.schedule.nextTick else { return }
        if let timer = state.timer, timer.due <= due { return }
        state.timer?.task.cancel()
        // One more, so that it is never early.
        let wait = due - min(due, now) + 1
        let task = Task.after(.milliseconds(wait)) { [weak self] in
            self?.step { state, now in
                if state.timer?.due == due { state.timer = nil }
                return state.schedule.tick(at: now)
            }
        }
        state.timer = (task, due)
    }
}
