internal import GRDB
internal import SyncCore

/// A database that was opened, and what opening loaded of it.
struct OpenedStore {
    let place: any StorePlace
    let decoder: any CommitDecoding
    let verifier: any CommitVerifying
    let checkpoints = Checkpoints()
    let pool: DatabasePool
    /// The disk has no room for what opening has to write.
    let isReadOnly: Bool
    /// The mark beside it knew of more than was in it.
    let isRestored: Bool
    let opening: StoreLifetime
    let loaded: LoadedSpaces
}
