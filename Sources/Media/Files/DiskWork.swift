internal import Dispatch
internal import Foundation
internal import SyncCore
internal import Synchronization

/// Work that blocks on the disk or hashes at length, kept away from event loops and the threads of async
/// functions.
enum DiskWork {
    private static let queue = DispatchQueue(label: "peersync.disk", attributes: .concurrent)

    /// Runs `body` on another thread, without blocking the caller's.
    static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Runs `body` for `0..<count`, several at once, and returns the values in order. After the first error
    /// no further index is started, and that error is thrown.
    ///
    /// Blocks: call it within ``run(_:)``.
    static func forEach<Value: Sendable>(
        count: Int, _ body: @Sendable (Int) throws(BlobFilesError) -> Value
    ) throws(BlobFilesError) -> [Value] {
        let progress = Mutex(Progress<Value>(count: count))
        let threads = min(count, Limits.fileThreads, ProcessInfo.processInfo.activeProcessorCount)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while let index = progress.withLock({ $0.claimNext() }) {
                do throws(BlobFilesError) {
                    let value = try body(index)
                    progress.withLock { $0.values[index] = value }
                } catch {
                    progress.withLock { $0.failure = $0.failure ?? error }
                }
            }
        }
        let end = progress.withLock { $0 }
        if let failure = end.failure { throw failure }
        return end.values.compactMap { $0 }
    }

    private struct Progress<Value: Sendable>: Sendable {
        var next = 0
        var values: [Value?]
        var failure: BlobFilesError?

        init(count: Int) {
            values = Array(repeating: nil, count: count)
        }

        mutating func claimNext() -> Int? {
            guard failure == nil, next < values.count else { return nil }
            next += 1
            return next - 1
        }
    }
}
