internal import SyncCore
internal import Synchronization

/// Runs work for each index below `count` on all cores, a few steps ahead, and hands over the results in
/// order. Results that were handed over are reused, so that the memory of a few is enough.
func orderedMap<Result: Sendable>(
    _ count: UInt64, reusing empty: Result,
    _ work: @escaping @Sendable (UInt64, inout Result) throws -> Void,
    body: (Result) throws -> Void
) async throws {
    let used = UsedResults<Result>()
    try await withThrowingTaskGroup(of: (UInt64, Result).self) { group in
        var started: UInt64 = 0
        var next: UInt64 = 0
        var waiting: [UInt64: Result] = [:]
        func start() {
            let index = started
            started += 1
            group.addTask {
                var result = used.consume() ?? empty
                try work(index, &result)
                return (index, result)
            }
        }
        while started < min(Limits.ageWorkAhead, count) { start() }
        while next < count, let (index, result) = try await group.next() {
            waiting[index] = result
            while let result = waiting.removeValue(forKey: next) {
                try body(result)
                used.put(result)
                next += 1
                if started < count { start() }
            }
        }
    }
}

/// Results that were handed over. Their arrays are reused, except for those that the body kept.
private final class UsedResults<Result: Sendable>: Sendable {
    private let results = Mutex<[Result]>([])

    func put(_ result: Result) { results.withLock { $0.append(result) } }

    func consume() -> Result? { results.withLock { $0.popLast() } }
}
