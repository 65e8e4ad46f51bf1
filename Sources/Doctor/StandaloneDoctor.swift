package import Device
package import LocalAPI
import Store
import SyncCore
internal import Synchronization

/// The doctor for a folder in which no agent runs, even if none can run there.
package final class StandaloneDoctor: Sendable {
    private let home: AgentHome
    private let tracker = ExaminationTracker()
    private let open = Mutex<OpenStore?>(nil)

    package init(_ home: AgentHome) { self.home = home }

    /// Answers the doctor's operations and no others.
    package var service: any AgentService {
        var handlers = HandlerTable()
        let (home, tracker) = (home, tracker)
        handlers.on(\.doctor.start) { [self] _, request in
            let run = ExaminationRun(home: home, request: request, tracker: tracker) {
                try await self.opened()
            }
            return try await tracker.start { try await run.run() }
        }
        handlers.on(\.doctor.poll) { try await tracker.poll($1) }
        handlers.on(\.doctor.cancel) { _, _ in try await tracker.cancel() }
        handlers.on(\.doctor.diagnostics) { _, _ in
            do {
                return try await Diagnostics(of: home, nil).view()
            } catch {
                throw ErrorSentence.of(error)
            }
        }
        return handlers
    }

    /// Releases the store.
    package func close() throws {
        let open = open.withLock { open in
            defer { open = nil }
            return open
        }
        try open?.store.close()
    }

    /// Waits a little for a command that uses the store.
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
    /// How long the doctor waits for another command to release the store.
    package static let storeWaitSeconds = 5
}
