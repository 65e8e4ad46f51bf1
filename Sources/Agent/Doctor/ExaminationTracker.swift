package import LocalAPI
import SyncCore
internal import Synchronization

/// Where one examination at a time goes on and is asked about.
package final class ExaminationTracker: Sendable {
    private struct State {
        var view: DoctorView?
        var task: Task<Void, Never>?
        var isCancelled = false
        /// When the last progress was taken in.
        var lastProgress: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    package init() {}

    /// Begins; throws ``APIError`` with code `busy` while another one goes on.
    package func start(
        _ body: @escaping @Sendable () async throws -> HealthReport
    ) throws -> DoctorView {
        try state.withLock { state in
            guard state.view?.phase != .running else { throw APIError.doctorIsBusy }
            let view = DoctorView(revision: (state.view?.revision ?? 0) + 1, phase: .running)
            state.view = view
            state.isCancelled = false
            state.lastProgress = nil
            state.task = Task {
                do {
                    let report = try await body()
                    self.finish { DoctorView(revision: $0, phase: .done, report: report) }
                } catch {
                    let failure =
                        error is CancellationError ? APIError.stopped : ErrorSentence.of(error)
                    self.finish { DoctorView(revision: $0, phase: .failed, failure: failure) }
                }
            }
            return view
        }
    }

    private func finish(_ make: (Int) -> DoctorView) {
        state.withLock { $0.view = make(($0.view?.revision ?? 0) + 1) }
    }

    /// Takes in what is looked at and how far that is. Throws when somebody ended the examination.
    package func note(_ check: HealthReport.Check, done: Int? = nil, total: Int? = nil) throws {
        let now = ContinuousClock.now
        try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            if state.view?.check == check, let last = state.lastProgress,
                now < last + .milliseconds(Limits.progressMilliseconds)
            {
                return
            }
            state.lastProgress = now
            state.view = DoctorView(
                revision: (state.view?.revision ?? 0) + 1, phase: .running, check: check,
                done: done, total: total)
        }
    }

    package func view() throws -> DoctorView {
        guard let view = state.withLock({ $0.view }) else { throw APIError.doctorNotStarted }
        return view
    }

    /// Answers when the revision is another, or after the time asked for.
    package func poll(_ poll: RevisionPoll) async throws -> DoctorView {
        for _ in 0..<(min(max(poll.waitSeconds, 0), 30) * 10) {
            let view = try view()
            guard view.revision == poll.knownRevision else { return view }
            try await Task.sleep(for: .milliseconds(100))
        }
        return try view()
    }

    /// Ends the examination and returns once it has ended.
    package func cancel() async throws -> DoctorView {
        await close()
        return try view()
    }

    /// The same, also when there was none.
    func close() async {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}

extension Limits {
    /// How often the progress of an examination changes at most.
    package static let progressMilliseconds = 200
}
