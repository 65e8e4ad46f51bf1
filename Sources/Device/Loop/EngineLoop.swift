import Dispatch
package import SyncCore
internal import Synchronization

/// The only loop that owns the engine: it takes events in and passes the engine's actions on in
/// order.
package final class EngineLoop: Sendable {
    private struct Input: Sendable {
        /// Nil only checks whether the loop answers.
        let event: EngineEvent?
        /// Resumed once the event is handled, with the processor time it took: this slows down the
        /// reader of a socket.
        let handled: CheckedContinuation<Duration, Never>?
    }

    /// The next tick and its time on the monotonic clock.
    private struct Timer {
        let item: DispatchWorkItem
        let due: UInt64
    }

    private let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    private let engine: Mutex<Engine>
    /// Counts the handled events: readers of the engine's state look again after some of them.
    package let turns = Observable<UInt64>(0)
    private let clock: AgentClock
    private let timer = Mutex<Timer?>(nil)
    private let timerQueue = DispatchQueue(label: "peersync.timer")

    package init(engine: sending Engine, clock: AgentClock) {
        self.engine = Mutex(engine)
        self.clock = clock
        (inputs, continuation) = AsyncStream.makeStream()
    }

    /// Queues an event behind all earlier ones.
    package func post(_ event: EngineEvent) {
        continuation.yield(Input(event: event, handled: nil))
    }

    /// Queues an event and returns when it has been handled, with the processor time it took.
    @discardableResult
    package func submit(_ event: EngineEvent) async -> Duration { await handled(event) }

    /// Returns when the loop has handled all earlier events; never while it hangs.
    package func answer() async { _ = await handled(nil) }

    private func handled(_ event: EngineEvent?) async -> Duration {
        await withCheckedContinuation { handled in
            let result = continuation.yield(Input(event: event, handled: handled))
            if case .terminated = result { handled.resume(returning: .zero) }
        }
    }

    /// Handles events until ``finish()`` is called and all earlier events are handled. The engine's
    /// actions go to `doing`.
    package func run(_ doing: some EngineActions) async {
        for await input in inputs {
            guard let event = input.event else {
                input.handled?.resume(returning: .zero)
                continue
            }
            let start = ThreadTime.now
            let actions = engine.withLock { $0.handle(event, at: clock.now) }
            for action in actions { doing.perform(action) }
            input.handled?.resume(returning: ThreadTime.now - start)
            turns.update { $0 += 1 }
            schedule()
        }
        timer.withLock { $0?.item.cancel() }
    }

    /// Ends ``run()`` once all queued events are handled.
    package func finish() {
        continuation.finish()
    }

    /// Reads the engine's state, for status.
    package func inspect<Result: Sendable>(_ body: @Sendable (Engine) -> Result) -> Result {
        engine.withLock { body($0) }
    }

    /// The engine itself asks for the next tick. A pending tick that is not later stays: an early
    /// tick only asks again, while cancelled timers, one for every event, would pile up until their
    /// time.
    private func schedule() {
        let now = clock.now
        guard let wait = engine.withLock({ $0.nextTick(at: now) }) else { return }
        let due = now.monotonic + wait
        timer.withLock { pending in
            if let pending, pending.due <= due { return }
            pending?.item.cancel()
            let item = DispatchWorkItem { [weak self] in self?.tick(due: due) }
            pending = Timer(item: item, due: due)
            timerQueue.asyncAfter(deadline: .now() + .milliseconds(Int(wait) + 1), execute: item)
        }
    }

    private func tick(due: UInt64) {
        timer.withLock { pending in
            if pending?.due == due { pending = nil }
        }
        post(.tick)
    }
}
