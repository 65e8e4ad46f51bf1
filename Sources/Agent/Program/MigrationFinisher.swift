internal import Device
internal import LocalAPI
internal import Logging
internal import Records
internal import Store
internal import SyncCore

/// Finishes migrations of schemas that this device stopped in the middle of, once when the agent starts. A failure is
/// logged; the next start tries again.
struct MigrationFinisher: Sendable {
    let node: AgentNode

    func run() async {
        // The agent that opens the store with room does it.
        guard !node.store.isOpenedForReading else { return }
        do {
            for report in try await SchemaChangeService(node).finishAll() {
                node.logger.note(
                    .info, .spaces, "schema migration finished", record: "\(report.space.id)",
                    details: ["to": "\(report.to)"])
            }
        } catch is CancellationError {
            // The agent ends.
        } catch {
            node.storage.notWritten("schema migration not finished", error)
        }
    }
}
