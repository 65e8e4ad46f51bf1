internal import GRDB
internal import SyncCore

/// Moves what formats before 12 kept in settings, although there is one for each space, to tables.
enum FormerSettings {
    static func move(in database: Database) throws {
        for row in try database.rows("SELECT id, space_id FROM spaces") {
            let space: SpaceID = try row.identifier("space_id")
            let row = try row.integer("id")
            try moveNotice(of: space, in: row, database)
            try moveMark(of: space, in: row, database)
        }
        try moveUndone(database)
        try database.run(
            """
            DELETE FROM settings WHERE key = 'undone_rescues'
                OR key GLOB 'user.taken.*' OR key GLOB 'user.orphans.*'
            """)
    }

    /// Those of the former table `rescued` share one number: which were recovered together is not known.
    static func moveRescued(in database: Database) throws {
        guard try database.hasTable("rescued") else { return }
        try database.execute(
            sql: """
                INSERT INTO recovered (space, commit_id, new_commit)
                SELECT space, commit_id, rescuer FROM rescued;
                DROP TABLE rescued;
                """)
    }

    /// A notice was words in hexadecimal digits, and beside it what was said, likewise.
    private static func moveNotice(
        of space: SpaceID, in row: Int64, _ database: Database
    ) throws {
        let key = "user.taken.\(space)"
        guard let words = try Settings.text(key, in: database)?.split(separator: " "),
            words.count == 4, let written = UInt64(words[2]),
            let commit = CommitID(hexadecimal: words[0]),
            let person = PersonID(hexadecimal: words[1]),
            let said = try Settings.text(key + ".said", in: database)
                .flatMap({ bytes(hexadecimal: $0) })
        else { return }
        let notice = RevocationNotice(
            commit: commit, person: person, written: Milliseconds(written),
            isWholePerson: words[3] == "true")
        try RevocationNotices.insert(notice, saying: said, of: row, in: database)
    }

    /// A mark was a place in storing order: what stood up to there without a right was dismissed. One of
    /// before a rebuild, beyond the end, says nothing.
    private static func moveMark(of space: SpaceID, in row: Int64, _ database: Database) throws {
        guard let text = try Settings.text("user.orphans.\(space)", in: database),
            let mark = Int64(text)
        else { return }
        try database.run(
            """
            INSERT OR IGNORE INTO dismissed (space, commit_id)
            SELECT space, commit_id FROM commits
            WHERE space = ?1 AND effective = 0 AND length(operations) > 0 AND id <= ?2
                AND ?2 <= (SELECT MAX(id) FROM commits)
            """, [row, mark])
    }

    /// The commits that took something back stood in one list for all spaces, and what each was about
    /// was not kept: it may have been any orphan that waits there.
    private static func moveUndone(_ database: Database) throws {
        let known = try Settings.bytes("undone_rescues", in: database) ?? []
        let length = CommitID.zero.bytes.count
        for start in stride(from: 0, to: known.count, by: length) {
            let undo = Array(known[start...].prefix(length))
            try database.run(
                """
                INSERT OR IGNORE INTO recovered (space, commit_id, new_commit, undone_by)
                SELECT space, commit_id, ?1, ?1 FROM commits
                WHERE space = (SELECT space FROM commits WHERE commit_id = ?1)
                    AND effective = 0 AND length(operations) > 0
                    AND NOT \(OrphanTable.isRecovered("commits"))
                """, [undo])
        }
    }
}
