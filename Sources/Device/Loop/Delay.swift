extension Task where Success == Void, Failure == Never {
    /// Calls `body` at a later time, unless the task is cancelled before.
    package static func at(
        _ time: ContinuousClock.Instant, _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        Task {
            do {
                try await Task<Never, Never>.sleep(until: time, clock: .continuous)
            } catch {
                return
            }
            await body()
        }
    }

    /// The same, after a while.
    @discardableResult
    package static func after(
        _ wait: Duration, _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        at(.now + wait, body)
    }
}
