package import LocalAPI
import Store
import SyncCore
internal import Synchronization

/// The doctor of a folder in which no agent runs, also of one in which none can.
package final class StandaloneDoctor: DoctorService {
    private let home: AgentHome
    private let tracker = ExaminationTracker()
    private let open = Mutex<OpenStore?>(nil)

    package init(_ home: AgentHome) {
        self.home = home
    }

    package func startDoctor(_ request: DoctorRequest) async throws -> DoctorView {
        let run = ExaminationRun(home: home, request: request, tracker: tracker) {
            [self] in try await opened()
        }
        return try tracker.start { try await run.run() }
    }

    package func pollDoctor(_ poll: DoctorPoll) async throws -> DoctorView {
        try await tracker.poll(poll)
    }

    package func cancelDoctor() async throws -> DoctorView { try await tracker.cancel() }

    package func diagnostics() async throws -> DiagnosticsView {
        do {
            return try await Diagnostics(home: home, runtime: nil).view()
        } catch {
            throw ErrorSentence.of(error)
        }
    }

    /// Gives the store back.
    package func close() throws {
        let open = open.withLock { open in
            defer { open = nil }
            return open
        }
        try open?.store.close()
    }

    /// Waits a little for a command that has the store.
    private func opened() async throws -> OpenStore {
        let home = home
        let clock = ContinuousClock()
        let giveUp = clock.now + .seconds(Limits.storeWaitSeconds)
        while true {
            do {
                let opened = try await Examination.blocking { try OpenStore(opening: home) }
                open.withLock { $0 = opened }
                return opened
            } catch StoreError.locked(let process) {
                guard clock.now < giveUp else { throw StoreError.locked(process: process) }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

extension Limits {
    /// How long the doctor waits for another command to give the store back.
    package static let storeWaitSeconds = 5
}
