internal import CSQLite
internal import GRDB
internal import SyncCore

/// From a place to a database that is ours, of this format, durable and in its own incarnation.
enum StoreOpening {
    static func open(
        _ place: some StorePlace, _ checkpoints: Checkpoints
    ) throws -> DatabasePool {
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
        let pool = try DatabasePool(
            path: place.path, configuration: configuration(checkpoints))
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
    /// for: architecture, section 4, Restores.
    static func incarnation(
        _ pool: DatabasePool, _ place: some StorePlace, random: inout some RandomNumberGenerator
    ) throws -> SyncStore.Opening {
        let machine = place.machineID
        let file = try place.fingerprint()
        let fresh = Incarnation(random: &random)
        return try pool.write { database in
            let kept = try Settings.bytes("incarnation", in: database).flatMap { Incarnation($0) }
            let reason: SyncStore.Opening.Reason? =
                if kept == nil {
                    .firstOpening
                } else if try Settings.text("machine", in: database) != machine {
                    .machineChanged
                } else if try Settings.text("file", in: database) != file {
                    .fileReplaced
                } else { nil }
            guard reason != nil || kept == nil else {
                return SyncStore.Opening(incarnation: kept ?? fresh, newBecause: nil)
            }
            try Settings.set("incarnation", fresh.bytes, in: database)
            try Settings.set("machine", Array(machine.utf8), in: database)
            try Settings.set("file", Array(file.utf8), in: database)
            return SyncStore.Opening(incarnation: fresh, newBecause: reason)
        }
    }
}
