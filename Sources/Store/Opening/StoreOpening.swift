internal import CSQLite
internal import GRDB
internal import SyncCore

/// From a place to a database that is ours, of this format, durable and in its own incarnation.
enum StoreOpening {
    /// An open database. Where the disk has no room for what opening writes, it is only read.
    struct OpenedPool {
        let pool: DatabasePool
        var isReadOnly = false
    }

    static func open(
        _ place: some StorePlace, _ checkpoints: Checkpoints
    ) throws -> OpenedPool {
        if try place.hasFile(ending: "-journal") { try undoUnfinished(place) }
        var former: FormerStore?
        if try place.prepare() {
            try place.refuseStrange()
            let file = try PageFile(place)
            former = try FormerStore(keeping: file, at: place)
            if !file.isChecked { try addChecksums(place.path) }
        } else {
            try create(place.path)
        }
        let wasClosed = try !place.hasFile(ending: "-wal")
        let pool: DatabasePool
        do {
            pool = try DatabasePool(path: place.path, configuration: configuration(checkpoints))
        } catch let error as DatabaseError where StoreError(error) == .diskFull {
            // GRDB writes the first pages of an empty WAL.
            return OpenedPool(pool: try openForReading(place, checkpoints), isReadOnly: true)
        }
        try pool.writeWithoutTransaction { database in
            // GRDB turns this down for WAL; a power cut would then cost acknowledged commits.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try database.number("PRAGMA synchronous") == 2 else {
                throw StoreError.failed("SQLite does not take synchronous = FULL")
            }
            // The newest header may still stand in the WAL only.
            let format = try database.number("PRAGMA user_version") ?? 0
            guard format <= StoreSchema.format else { throw StoreError.newer(format: format) }
            // Before anything is read that peers might be told.
            if !wasClosed { try writeAgain(database) }
            if format < StoreSchema.format { try update(database, from: format, former) }
        }
        return OpenedPool(pool: pool)
    }

    /// Needs no room but that of the WAL's index, which is there already after the last use. Throws
    /// ``StoreError/diskFull`` for a store of an older format, which cannot be read as it is.
    private static func openForReading(
        _ place: some StorePlace, _ checkpoints: Checkpoints
    ) throws -> DatabasePool {
        var configuration = configuration(checkpoints)
        configuration.readonly = true
        let pool = try DatabasePool(path: place.path, configuration: configuration)
        let format = try pool.read { try $0.number("PRAGMA user_version") ?? 0 }
        guard format <= StoreSchema.format else { throw StoreError.newer(format: format) }
        guard format == StoreSchema.format else { throw StoreError.diskFull }
        return pool
    }

    private static func update(
        _ database: Database, from format: Int64, _ former: FormerStore?
    ) throws {
        guard let former, former.format == format else {
            throw StoreError.failed("the format of the store is not the one in its head")
        }
        try former.updating {
            try database.inTransaction(.exclusive) {
                try StoreSchema.update(database, from: format)
                try FormerStores.beginCounting(in: database)
                return .commit
            }
        }
    }

    /// When the power goes while a store is made, its file holds parts of it, or nothing, and a
    /// journal lies beside it: reading makes SQLite undo that. A file whose header names another
    /// program stays as it is; ours, or one of which no header was written, comes here.
    private static func undoUnfinished(_ place: some StorePlace) throws {
        guard try place.prepare() else { return }
        if try place.read("", at: 0, 100).contains(where: { $0 != 0 }) { try place.refuseStrange() }
        let queue = try DatabaseQueue(path: place.path, configuration: configuration())
        _ = try queue.read { try $0.number("SELECT COUNT(*) FROM sqlite_schema") }
        try queue.close()
    }

    /// Writes the WAL's own bytes over themselves, and syncs it.
    ///
    /// After a failed sync Linux shows bytes that are on no disk and never will be, and commits
    /// written behind them would be lost at the next power cut, although they are synced. Writing
    /// back into the database file would do as well, but needs room there: a full disk would keep
    /// the store from being opened.
    private static func writeAgain(_ database: Database) throws {
        let answer = unsafe peersync_write_wal_again(database.sqliteConnection)
        guard answer == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: answer), message: "writing the WAL again")
        }
    }

    /// Moves what stands in the WAL into the file, for everything to stand in one file. Without
    /// room for it the WAL stays, which is durable as well.
    static func writeBack(_ database: Database) throws {
        do {
            guard try database.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
                throw StoreError.failed("another connection keeps the WAL from being written back")
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {}
    }

    /// Rewrites a database of an older format, with a checksum in each page.
    private static func addChecksums(_ path: String) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration(verifies: false))
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "VACUUM")
            try writeBack(database)
        }
        try queue.close()
    }

    /// Fills an empty file. In rollback mode, so that its header names us from the first commit on.
    static func create(_ path: String) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.inTransaction(.exclusive) {
                try database.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
                try StoreSchema.create(in: database)
                return .commit
            }
        }
        try queue.close()
    }

    /// Without `verifies` pages are taken that have no checksum.
    static func configuration(
        _ checkpoints: Checkpoints? = nil, verifies: Bool = true
    ) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.label = "peersync.store"
        configuration.prepareDatabase { database in
            try checkPages(of: database, verifies: verifies)
            checkpoints?.attach(to: database)
            // GRDB asks of each statement which columns it reads, for observers; there are none.
            unsafe sqlite3_set_authorizer(database.sqliteConnection, nil, nil)
            try database.execute(sql: "PRAGMA cache_size = -16000")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// For every connection to a store, before it reads.
    static func checkPages(of database: Database, verifies: Bool = true) throws {
        let answer = unsafe peersync_check_pages(database.sqliteConnection, verifies ? 1 : 0)
        guard answer == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: answer), message: "checking pages")
        }
    }

    /// The incarnation kept in the file, or a new one when the file is not the one it was written
    /// for: architecture, section 4, Restores. Without room for a new one the store becomes read
    /// only, and nothing is written under the kept one.
    static func incarnation(
        _ opened: inout OpenedPool, _ place: some StorePlace,
        random: inout some RandomNumberGenerator
    ) throws -> StoreLifetime {
        let machine = place.machineID
        let file = try place.fingerprint()
        let fresh = Incarnation(random: &random)
        let (kept, isOurs) = try opened.pool.read { database in
            let kept = try Settings.bytes("incarnation", in: database).flatMap { Incarnation($0) }
            let isOurs = (
                machine: try Settings.text("machine", in: database) == machine,
                file: try Settings.text("file", in: database) == file
            )
            return (kept, isOurs)
        }
        guard let kept else {
            guard !opened.isReadOnly else { throw StoreError.diskFull }
            try begin(fresh, on: machine, in: file, opened.pool)
            return StoreLifetime(incarnation: fresh, newBecause: .firstOpening)
        }
        let old = StoreLifetime(incarnation: kept, newBecause: nil)
        guard !isOurs.machine || !isOurs.file, !opened.isReadOnly else { return old }
        do {
            try begin(fresh, on: machine, in: file, opened.pool)
        } catch let error as DatabaseError where StoreError(error) == .diskFull {
            opened.isReadOnly = true
            return old
        }
        return StoreLifetime(
            incarnation: fresh, newBecause: isOurs.machine ? .fileReplaced : .machineChanged)
    }

    private static func begin(
        _ incarnation: Incarnation, on machine: String, in file: String, _ pool: DatabasePool
    ) throws {
        try pool.write { database in
            try Settings.set("incarnation", incarnation.bytes, in: database)
            try Settings.set("machine", Array(machine.utf8), in: database)
            try Settings.set("file", Array(file.utf8), in: database)
        }
    }
}
