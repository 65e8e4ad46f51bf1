import Dispatch
internal import Logging
package import SyncCore
internal import Synchronization

/// The one loop that owns the engine: events in, actions out to whoever carries them out.
package final class EngineLoop: Sendable {
    /// Carries out one action; must not block. Called in the engine's order.
    package typealias Performer = @Sendable (EngineAction) -> Void

    private struct Input: Sendable {
        let event: EngineEvent
        /// Resumed once the event is handled, with the processor time that took: how a reader of a
        /// socket is slowed down.
        let handled: CheckedContinuation<Duration, Never>?
    }

    /// A type of its own around the closure. One that stands in a `Mutex` itself is wrapped once more
    /// each time it is looked at (as it passes through a generic `inout`), until calling it takes
    /// more stack than there is.
    private struct Performing: Sendable {
        let perform: Performer
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
    let turns = Observed<UInt64>(0)
    private let clock: AgentClock
    private let performing = Mutex<Performing?>(nil)
    private let timer = Mutex<Timer?>(nil)
    private let timerQueue = DispatchQueue(label: "peersync.timer")

    package init(engine: sending Engine, clock: AgentClock) {
        self.engine = Mutex(engine)
        self.clock = clock
        (inputs, continuation) = AsyncStream.makeStream()
    }

    package func start(_ performer: @escaping Performer) {
        performing.withLock { $0 = Performing(perform: performer) }
    }

    /// Hands an event in, to be handled after all that were handed in before.
    package func post(_ event: EngineEvent) {
        continuation.yield(Input(event: event, handled: nil))
    }

    /// Hands an event in and returns when it has been handled, with the processor time of that.
    @discardableResult
    package func submit(_ event: EngineEvent) async -> Duration {
        await withCheckedContinuation { handled in
            let result = continuation.yield(Input(event: event, handled: handled))
            if case .terminated = result { handled.resume(returning: .zero) }
        }
    }

    /// Handles events until ``finish()`` and everything handed in before it is handled.
    package func run() async {
        for await input in inputs {
            let start = ThreadTime.now
            let actions = engine.withLock { $0.handle(input.event, at: clock.now) }
            if let performing = performing.withLock({ $0 }) {
                for action in actions { performing.perform(action) }
            }
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
    func inspect<Result: Sendable>(_ body: @Sendable (Engine) -> Result) -> Result {
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
