import LocalAPI
import Media
internal import Synchronization

/// Tells work on other threads that its task was cancelled.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isStopped: Bool { flag.load(ordering: .relaxed) }

    static func whenCancelled<Value>(
        _ body: (CancellationFlag) async throws -> Value
    ) async throws -> Value {
        let stopping = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await body(stopping)
        } onCancel: {
            stopping.flag.store(true, ordering: .relaxed)
        }
    }

    /// Only tells whether to continue.
    var telling: BytesTold { { _ in !self.isStopped } }

    /// Counts bytes for people, and tells whether to continue.
    func telling(_ meter: ProgressMeter) -> BytesTold {
        { bytes in
            meter.add(bytes: Int64(bytes))
            return !self.isStopped
        }
    }
}
