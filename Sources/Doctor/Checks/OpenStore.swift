package import Device
import Files
import Journal
import LocalAPI
package import Media
import Records
package import Status
package import Store
import SyncCore

/// The agent that runs in this process, as far as the doctor needs it.
package struct RunningAgent: Sendable {
    let status: StatusService
    let files: BlobFiles
    let startedAt: ContinuousClock.Instant
    /// The latest lines of the log, without host names and public addresses.
    let logLines: @Sendable () -> [String]
    /// Ends the agent after this time, so that another one opens the store.
    let restart: @Sendable (Duration) -> Void

    package init(
        _ status: StatusService, files: BlobFiles, startedAt: ContinuousClock.Instant,
        logLines: @escaping @Sendable () -> [String],
        restart: @escaping @Sendable (Duration) -> Void
    ) {
        (self.status, self.files, self.startedAt) = (status, files, startedAt)
        (self.logLines, self.restart) = (logLines, restart)
    }

    var node: AgentNode { status.node }
}

/// A store that is open, in this process.
package struct OpenStore: Sendable {
    let store: SyncStore
    let files: BlobFiles
    let clock: AgentClock
    /// Nil if no agent runs: then only the store is examined.
    let agent: RunningAgent?

    package init(_ agent: RunningAgent) {
        store = agent.node.store
        files = agent.files
        clock = agent.node.clock
        self.agent = agent
    }

    package init(_ store: SyncStore, _ files: BlobFiles, _ clock: AgentClock) {
        (self.store, self.files, self.clock) = (store, files, clock)
        agent = nil
    }

    /// Opens the store alone: without keys, engine or network.
    init(opening home: AgentHome) throws {
        store = try home.openStore(SchemaCache()).0
        files = try BlobFiles(root: home.blobDirectory)
        clock = AgentClock()
        agent = nil
    }

    /// A repair: the next opening rebuilds the store; an agent opens it again at once.
    var rebuilding: @Sendable () async throws -> String {
        { [self] in
            store.requestRebuild()
            agent?.restart(.seconds(Limits.reportSeconds))
            return tr("The database is rebuilt now, or when it is used next.")
        }
    }

    /// The bytes of a blob are missing: it is fetched again.
    func lose(_ blob: BlobID) throws {
        if let agent {
            try LostBlobs(store: store, loop: agent.node.loop, files: files).report([blob])
        } else {
            try store.files.markMissing([blob])
        }
    }
}

extension Limits {
    /// Seconds for fetching a doctor's report before the agent restarts.
    static let reportSeconds: Int64 = 3
}
