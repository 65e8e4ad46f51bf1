internal import SyncCore

/// Runs work for 0 up to a count on as many cores as there are, a few steps ahead, and hands over the
/// results in order.
func inOrder<Result: Sendable>(
    _ count: UInt64, _ work: @escaping @Sendable (UInt64) throws -> Result,
    body: (Result) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (UInt64, Result).self) { group in
        var started: UInt64 = 0
        var next: UInt64 = 0
        var waiting: [UInt64: Result] = [:]
        func start() {
            let index = started
            started += 1
            group.addTask { (index, try work(index)) }
        }
        while started < min(Limits.ageWorkAhead, count) { start() }
        while next < count, let (index, result) = try await group.next() {
            waiting[index] = result
            while let result = waiting.removeValue(forKey: next) {
                try body(result)
                next += 1
                if started < count { start() }
            }
        }
    }
}
