import Dispatch
package import SyncCore
internal import Synchronization

/// The one loop that owns the engine: events in, and what the engine asks for handed on in its order.
package final class EngineLoop: Sendable {
    private struct Input: Sendable {
        /// Nil only asks whether the loop answers.
        let event: EngineEvent?
        /// Resumed once the event is handled, with the processor time that took: how a reader of a
        /// socket is slowed down.
        let handled: CheckedContinuation<Duration, Never>?
    }

    /// The tick that is to come, and when, by the monotonic clock.
    private struct Timer {
        let item: DispatchWorkItem
        let due: UInt64
    }

    private let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    private let engine: Mutex<Engine>
    /// Counts the events that were handled: whoever looks at the engine's state looks again after
    /// some.
    package let turns = Observable<UInt64>(0)
    private let clock: AgentClock
    private let timer = Mutex<Timer?>(nil)
    private let timerQueue = DispatchQueue(label: "peersync.timer")

    package init(engine: sending Engine, clock: AgentClock) {
        self.engine = Mutex(engine)
        self.clock = clock
        (inputs, continuation) = AsyncStream.makeStream()
    }

    /// Hands an event in, to be handled after all that were handed in before.
    package func post(_ event: EngineEvent) {
        continuation.yield(Input(event: event, handled: nil))
    }

    /// Hands an event in and returns when it has been handled, with the processor time of that.
    @discardableResult
    package func submit(_ event: EngineEvent) async -> Duration { await handled(event) }

    /// Returns when the loop has handled what was handed in before; never while it hangs.
    package func answer() async { _ = await handled(nil) }

    private func handled(_ event: EngineEvent?) async -> Duration {
        await withCheckedContinuation { handled in
            let result = continuation.yield(Input(event: event, handled: handled))
            if case .terminated = result { handled.resume(returning: .zero) }
        }
    }

    /// Handles events until ``finish()`` and everything handed in before it is handled. What the engine
    /// asks for goes to `doing`.
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

    /// Ends ``run()`` once everything that was handed in is handled.
    package func finish() {
        continuation.finish()
    }

    /// A look at the engine's state, for status.
    package func inspect<Result: Sendable>(_ body: @Sendable (Engine) -> Result) -> Result {
        engine.withLock { body($0) }
    }

    /// The next tick is asked for by the engine itself. One that comes no later stays: a tick that
    /// is early only asks again, while cancelled timers would pile up until their time, one for
    /// every event.
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
