internal import Foundation
internal import GRDB
internal import SyncCore

/// From a place to a database that is ours, of this format, durable and in its own incarnation.
enum StoreOpening {
    static func open(_ place: some StorePlace) throws -> DatabasePool {
        if try place.prepare() {
            try place.refuseStrange()
        } else {
            try create(place.path)
        }
        let pool = try DatabasePool(path: place.path, configuration: configuration())
        try pool.writeWithoutTransaction { database in
            // GRDB turns this down for WAL; a power cut would then cost acknowledged commits.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try database.number("PRAGMA synchronous") == 2 else {
                throw StoreError.failed("SQLite does not take synchronous = FULL")
            }
            // The newest header may still stand in the WAL only.
            let format = try database.number("PRAGMA user_version") ?? 0
            guard format <= StoreSchema.format else { throw StoreError.newer(format: format) }
        }
        return pool
    }

    /// Fills an empty file. In rollback mode, so that its header names us from the first commit on.
    private static func create(_ path: String) throws {
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

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.label = "peersync.store"
        configuration.prepareDatabase { database in
            // Pages of 4 KiB: fewer checkpoints during a first sync, about 8 MiB of WAL.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 2000")
            try database.execute(sql: "PRAGMA cache_size = -16000")
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
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
