internal import Foundation
internal import GRDB
package import SyncCore

extension SyncStore {
    /// Makes the database anew where pages of it are broken: what follows from the log from the log,
    /// every index from its table, everything else as it is. Only for a store whose log verifies.
    ///
    /// Before that the database as it is, broken pages included, is copied below `home`, as part of
    /// it may be all that is left. Writes wait meanwhile. Throws ``StoreError`` when a page is broken
    /// that cannot be made anew; nothing is lost by it then.
    ///
    /// - Returns: The name of the copy.
    package func salvage(in home: String) throws -> String {
        let name = try SyncStore.placeForCopy(in: home)
        let copy = try DatabaseQueue(path: home + "/" + name)
        try self.copy(to: copy)
        try copy.close()
        try turn { turn in
            try turn.forgetShown()
            try turn.remakeAll()
        }
        try compact()
        if let damage = try examination.damage().all.first { throw StoreError.corrupt(damage) }
        return name
    }

    /// Makes an empty file whose name is free.
    private static func placeForCopy(in home: String) throws(StoreError) -> String {
        for number in 1...Limits.damagedDatabases {
            let name = "store.damaged.\(number).sqlite"
            if FileManager.default.fileExists(atPath: home + "/" + name) { continue }
            try StoreFile.createNew(home + "/" + name)
            return name
        }
        throw .failed("too many files store.damaged")
    }
}

extension WriteTransaction {
    /// Lets go of the tables that follow from the log without reading a page of them, and makes
    /// empty ones. Their pages belong to nothing then, until the database is compacted.
    fileprivate func forgetShown() throws {
        try database.execute(
            sql: """
                PRAGMA writable_schema = ON;
                DELETE FROM sqlite_schema
                WHERE tbl_name IN ('records', 'text_writes', 'mentions', 'search')
                    OR tbl_name GLOB 'search_*';
                PRAGMA writable_schema = RESET;
                """)
        try database.execute(sql: StoreSchema.shown)
        try database.execute(sql: StoreSchema.search)
    }
}

extension Limits {
    /// Copies of damaged databases that are kept: a disk that damages each new one is named instead.
    package static let damagedDatabases = 8
}
