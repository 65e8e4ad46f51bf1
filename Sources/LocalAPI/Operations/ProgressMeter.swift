internal import Synchronization

/// Receives the progress of an operation. The caller of the operation sets it; the operation reports to it
/// without knowing the listener.
package struct ProgressSink: Sendable {
    @TaskLocal package static var current: ProgressSink?

    private let take: @Sendable (ProgressView) -> Void

    package init(_ take: @escaping @Sendable (ProgressView) -> Void) { self.take = take }

    package func callAsFunction(_ view: ProgressView) { take(view) }
}

/// The progress of one operation, reported a few times a second.
package final class ProgressMeter: Sendable {
    private struct State {
        var stage: ProgressView.Stage
        var files = 0
        var totalFiles: Int
        var bytes: Int64 = 0
        var totalBytes: Int64
        var rate = RateWindow()
        var toldAt: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let sink = ProgressSink.current
    private let start = ContinuousClock.now

    package init(_ stage: ProgressView.Stage, files: Int = 0, bytes: Int64 = 0) {
        state = Mutex(State(stage: stage, totalFiles: files, totalBytes: bytes))
        change()
    }

    package func begin(_ stage: ProgressView.Stage) {
        change { $0.stage = stage }
    }

    package func add(files: Int = 0, bytes: Int64 = 0) {
        change {
            $0.files += files
            $0.bytes += bytes
        }
    }

    /// Notes the remaining amount; increases the total when it grew.
    package func note(filesLeft: Int, bytesLeft: Int64) {
        change {
            $0.totalFiles = max($0.totalFiles, $0.files + filesLeft)
            $0.totalBytes = max($0.totalBytes, $0.bytes + bytesLeft)
            $0.files = $0.totalFiles - filesLeft
            $0.bytes = $0.totalBytes - bytesLeft
        }
    }

    private func change(_ change: (inout State) -> Void = { _ in }) {
        guard let sink else { return }
        let now = ContinuousClock.now
        let milliseconds = UInt64(max(0, (now - start) / .milliseconds(1)))
        let view = state.withLock { state -> ProgressView? in
            let stage = state.stage
            change(&state)
            state.rate.note(state.bytes, at: milliseconds)
            if let last = state.toldAt, stage == state.stage,
                now < last + .milliseconds(LocalLimits.progressMilliseconds)
            {
                return nil
            }
            state.toldAt = now
            return ProgressView(
                stage: state.stage, files: state.files, totalFiles: state.totalFiles,
                bytes: state.bytes, totalBytes: state.totalBytes,
                bytesPerSecond: state.rate.bytesPerSecond(at: milliseconds))
        }
        if let view { sink(view) }
    }
}

/// The transfer rate over the last seconds.
package struct RateWindow: Sendable {
    private var samples: [(at: UInt64, bytes: Int64)] = []

    package init() {}

    /// Notes the total bytes moved until `milliseconds`, on a monotonic clock.
    package mutating func note(_ bytes: Int64, at milliseconds: UInt64) {
        if let last = samples.last, samples.count > 1,
            milliseconds < last.at + LocalLimits.rateSampleMilliseconds
        {
            samples[samples.count - 1].bytes = bytes
        } else {
            samples.append((milliseconds, bytes))
        }
        let oldest = milliseconds - min(milliseconds, LocalLimits.rateMilliseconds)
        while samples.count > 2, samples[1].at <= oldest { samples.removeFirst() }
    }

    /// Nil while nothing moved, or it is too early.
    package func bytesPerSecond(at milliseconds: UInt64) -> Int64? {
        guard let first = samples.first, let last = samples.last, last.bytes > first.bytes,
            milliseconds >= first.at + LocalLimits.rateSampleMilliseconds
        else { return nil }
        return (last.bytes - first.bytes) * 1000 / Int64(milliseconds - first.at)
    }
}

extension LocalLimits {
    /// The shortest time between two reports: people cannot read faster.
    package static let progressMilliseconds = 200
    /// The period of a rate: long enough for calm numbers, short enough to follow a change.
    static let rateMilliseconds: UInt64 = 5_000
    static let rateSampleMilliseconds: UInt64 = 250
}
