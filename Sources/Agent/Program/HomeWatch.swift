import Device
internal import Logging
import Store
internal import SyncCore

/// Ends the agent once its home was deleted or moved. While nothing happens it writes nothing, and so would not notice;
/// but without a home it must not answer other devices.
struct HomeWatch {
    let runtime: AgentRuntime

    func run() async {
        do {
            while true {
                try await Task.sleep(for: .milliseconds(Limits.homeLookMilliseconds))
                try runtime.node.store.requirePlace()
            }
        } catch is CancellationError {
            // The agent is ending.
        } catch {
            runtime.node.storage.notWritten("the home or its lock was deleted or moved", error)
            await runtime.restart.end()
        }
    }
}

extension Limits {
    /// How long an agent may take to notice that its home was deleted or moved while it writes nothing.
    fileprivate static let homeLookMilliseconds: Int64 = 10_000
}
