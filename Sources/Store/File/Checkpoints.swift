internal import CSQLite
internal import GRDB

/// Writes the WAL back into the database file when it has become long, and keeps what went wrong.
///
/// After a failed sync nobody knows what of the file is on the disk, and a later one that succeeds
/// says nothing about it: so no further attempt is made. Used on the writer's queue only.
@safe
final class Checkpoints: Sendable {
    // Its connection alone writes to it, in the middle of a commit.
    nonisolated(unsafe) private let state: UnsafeMutablePointer<peersync_checkpoints>

    /// Pages in the WAL, 4 KiB each, 2 MiB: the write that fills it waits for this. At 2,000 a first sync
    /// writes 6 % less, and local writes wait four times as long.
    private static let pages: Int32 = 500

    init() {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: peersync_checkpoints(after_pages: Checkpoints.pages, error: SQLITE_OK))
    }

    deinit {
        unsafe state.deallocate()
    }

    /// For every connection; the database's configuration keeps this object for as long.
    func attach(to database: Database) {
        unsafe peersync_checkpoint_by(database.sqliteConnection, state)
    }

    /// Why the WAL could not be written back; what was committed is durable all the same.
    var failure: StoreError? {
        let error = unsafe state.pointee.error
        return error == SQLITE_OK ? nil : .failed("writing back the WAL: SQLite error \(error)")
    }
}
