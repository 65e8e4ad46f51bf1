internal import GRDB

extension StoreSchema {
    /// Brings a database of an older format up to this one, within the caller's transaction.
    static func update(_ database: Database, from older: Int64) throws {
        // Format 2 added what is kept of forked logs.
        if older < 2 { try database.execute(sql: forks) }
        // Format 3 follows schemas that change, and keeps values of this device alone.
        if older < 3 { try database.execute(sql: pins + local + pinGenesis) }
        if older < 17 { try updateShown(database, from: older) }
        // Format 7 has a checksum in each page, and survives the loss of some.
        if older < 7 { try database.execute(sql: rot) }
        // Format 9 knows in which spaces a file was received.
        if older < 9 {
            try database.execute(sql: places)
            try database.execute(
                sql: """
                    INSERT INTO blob_spaces (space, blob, held)
                    SELECT DISTINCT space, blob, 0 FROM blob_names;
                    """)
            try Settings.set(BlobTable.unplaced, [1], in: database)
        }
        // Format 10 finds what does not count.
        if older < 10 { try database.execute(sql: orphans) }
        // Format 11 knows which operations are sealed, and which of them were opened.
        if older < 11 { try database.execute(sql: "DROP TABLE IF EXISTS sealed; " + sealed) }
        // Format 12 has tables for what was kept in settings, and numbers what was recovered.
        if older < 12 {
            try database.execute(sql: notices + recovered)
            try FormerSettings.moveRescued(in: database)
            try FormerSettings.move(in: database)
        }
        // Format 13 keeps what is said of lost devices.
        if older < 13 { try database.execute(sql: losses) }
        // Formats 10, 12 and 14 judge by other rules: what a change takes, who was removed, and what those had
        // decided who were. Format 17 notes with each record which commits wrote to it. Format 21 finds conflicts
        // between texts by another rule.
        if older < 21 { try Settings.set(outdated, [1], in: database) }
        // Format 15 finds what is sealed under one epoch; format 16 remembers what was undone.
        if older < 15 { try database.execute(sql: sealedOfEpoch) }
        if older < 16 { try database.execute(sql: reversals) }
        if older < 21 { try updateLate(database, from: older) }
        // Format 22 knows which files a device does not wait for.
        try database.execute(
            sql: "ALTER TABLE holdings ADD COLUMN unwanted BLOB NOT NULL DEFAULT x''")
        try database.execute(sql: "PRAGMA user_version = \(format)")
    }

    /// Formats 18 to 21.
    private static func updateLate(_ database: Database, from older: Int64) throws {
        // Format 18 notes which files were freed, and when.
        if older < 18 {
            try database.execute(sql: "ALTER TABLE blobs ADD COLUMN freed_at INTEGER; " + freed)
        }
        // Format 19 knows which commits count together; no program before it wrote such. And it finds what is dated
        // in the future by a smaller index.
        if older < 19 {
            try database.execute(sql: groups + aheadOnly)
            try Receipts.noteLatest(in: database)
        }
        // Format 20 finds writes to texts in the log.
        if older < 20 { try database.execute(sql: "DROP TABLE IF EXISTS text_writes") }
        // Format 21 keeps the texts of the index of words with the records, and is indexed when it is opened.
        if older >= 6 { try database.execute(sql: texts) }
        try emptySearch(in: database)
        try WordIndex.noteNone(in: database)
        try UnindexedSpaces.saveAll(in: database)
    }

    private static func updateShown(_ database: Database, from older: Int64) throws {
        // Formats 3 to 6 keep more of each record: where each write to a merged text stands; its name
        // and what it mentions; its time; the commit that made it.
        if older < 6 {
            try database.execute(
                sql: """
                    DROP TABLE IF EXISTS text_writes; DROP TABLE IF EXISTS mentions;
                    DROP TABLE records; DROP TABLE search;
                    """)
            try database.execute(sql: shown)
            try database.execute(sql: search)
        } else {
            // Of the records that are here it stays unknown until all are made from the log again.
            try database.execute(sql: "ALTER TABLE records ADD COLUMN writers BLOB")
        }
    }
}
