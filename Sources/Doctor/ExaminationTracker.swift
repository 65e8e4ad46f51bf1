import Device
package import LocalAPI
import SyncCore

/// Runs one examination at a time, and reports its progress.
package final class ExaminationTracker: Sendable {
    private struct State {
        var view: DoctorView?
        var task: Task<Void, Never>?
        var isCancelled = false
        /// How many clients wait for news now.
        var waiting = 0
        /// When one of them last asked.
        var lastAsked = ContinuousClock.now
        /// The time of the last accepted progress.
        var lastProgress: ContinuousClock.Instant?
    }

    private let state = Observable(State())
    private let patience: Duration

    /// After `patience` without a question for news, the client of an examination counts as gone.
    package init(patience: Duration = .seconds(Limits.clientSilenceSeconds)) {
        self.patience = patience
    }

    /// Starts an examination, and ends one whose client is gone. Throws ``APIError`` with code `busy` if another
    /// one runs.
    package func start(
        _ body: @escaping @Sendable () async throws -> HealthReport
    ) async throws -> DoctorView {
        if let left = abandoned() {
            left.cancel()
            await left.value
        }
        return try begin(body)
    }

    /// The examination whose client is gone; it is cancelled.
    private func abandoned() -> Task<Void, Never>? {
        let silent = ContinuousClock.now - patience
        return state.update { state in
            guard state.view?.phase == .running, state.waiting == 0, state.lastAsked <= silent
            else { return nil }
            state.isCancelled = true
            return state.task
        }
    }

    private func begin(
        _ body: @escaping @Sendable () async throws -> HealthReport
    ) throws -> DoctorView {
        try state.update { state in
            guard state.view?.phase != .running else {
                throw APIError(
                    code: .busy, sentence: "Everything is being checked already.",
                    hint: """
                        Wait until that is done, and try again; if the command that started it was \
                        killed, try again in a few seconds.
                        """)
            }
            let view = DoctorView(revision: (state.view?.revision ?? 0) + 1, phase: .running)
            state.view = view
            state.isCancelled = false
            state.lastProgress = nil
            state.lastAsked = .now
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

    private func finish(_ make: @Sendable (Int) -> DoctorView) {
        state.update { $0.view = make(($0.view?.revision ?? 0) + 1) }
    }

    /// Takes in the current check and its progress. Throws if the examination was cancelled.
    package func note(_ check: HealthReport.Check, done: Int? = nil, total: Int? = nil) throws {
        let now = ContinuousClock.now
        let before = state.value
        guard !before.isCancelled else { throw CancellationError() }
        if before.view?.check == check, let last = before.lastProgress,
            now < last + .milliseconds(Limits.progressMilliseconds)
        {
            return
        }
        state.update { state in
            state.lastProgress = now
            state.view = DoctorView(
                revision: (state.view?.revision ?? 0) + 1, phase: .running, check: check,
                done: done, total: total)
        }
    }

    package func view() throws -> DoctorView {
        guard let view = state.value.view else { throw APIError.doctorNotStarted }
        return view
    }

    /// Answers when the revision differs, or after the requested time.
    package func poll(_ poll: RevisionPoll) async throws -> DoctorView {
        let known = try view()
        state.update { $0.waiting += 1 }
        defer {
            state.update { state in
                state.waiting -= 1
                state.lastAsked = .now
            }
        }
        let changed = try await state.first(within: .seconds(poll.waitSeconds)) { state in
            state.view?.revision == poll.knownRevision ? nil : state.view
        }
        return changed ?? known
    }

    /// Cancels the examination and returns once it has ended.
    package func cancel() async throws -> DoctorView {
        await close()
        return try view()
    }

    /// Does the same, even if there is none.
    package func close() async {
        let task = state.update { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }
}

extension Limits {
    /// The shortest time between two changes of an examination's progress.
    package static let progressMilliseconds = 200
    /// A client that lives asks for news every few seconds: see ``RevisionPoll``.
    package static let clientSilenceSeconds = 10
}
