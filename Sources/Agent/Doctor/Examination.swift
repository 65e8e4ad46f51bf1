import Dispatch
internal import Identity
import Journal
import LocalAPI
import Media
import Records
import Store
import SyncCore

/// What one examination looks at.
struct Examination: Sendable {
    let home: AgentHome
    /// The store's file, whether or not it can be opened.
    let database: StoreExamination
    /// Nil while the store is not open.
    let open: OpenStore?
    /// For a report that others read: no names.
    let isMasked: Bool
    /// Told done and total; throws when the examination is to end.
    let progress: @Sendable (Int, Int) throws -> Void

    init(
        of home: AgentHome, _ open: OpenStore?, isMasked: Bool,
        progress: @escaping @Sendable (Int, Int) throws -> Void
    ) throws {
        self.home = home
        self.open = open
        self.isMasked = isMasked
        self.progress = progress
        let schemas = try SchemaCache()
        database = StoreExamination(
            in: home.directory, decoder: CommitDecoder(), verifier: CommitVerifier(),
            schemas: { schemas.known($0) })
    }

    /// A device by its name, or by the start of its id.
    func name(of device: DeviceID) -> String {
        guard !isMasked, let node = open?.runtime?.node else {
            return DeviceIDText.short(of: device)
        }
        return node.deviceName(device)
    }

    /// Runs work that blocks away from the threads that run async functions.
    static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(with: Result { try body() })
            }
        }
    }
}

/// A store that is open, in this process.
struct OpenStore: Sendable {
    let store: SyncStore
    let files: BlobFiles
    let clock: AgentClock
    /// Nil when no agent runs: only the store is looked at then.
    let runtime: AgentRuntime?

    init(_ runtime: AgentRuntime) {
        store = runtime.node.store
        files = runtime.files
        clock = runtime.node.clock
        self.runtime = runtime
    }

    /// Opens the store alone: no key, no engine, nothing is read of it and nothing sent.
    init(opening home: AgentHome) throws {
        store = try AgentRuntime.openStore(home).0
        files = try BlobFiles(root: home.blobDirectory)
        clock = AgentClock()
        runtime = nil
    }

    /// The bytes of a blob are not here: it is fetched again.
    func lose(_ blob: BlobID) throws {
        if let runtime {
            try BlobLoss(store: store, loop: runtime.node.loop).report([blob])
        } else {
            try store.markMissing([blob])
        }
    }
}
