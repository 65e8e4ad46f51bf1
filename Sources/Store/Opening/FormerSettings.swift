internal import GRDB
internal import SyncCore

/// Moves what formats before 12 kept in settings, although there is one for each space, to tables.
enum FormerSettings {
    static func move(in database: Database) throws {
        for row in try database.rows("SELECT id, space_id FROM spaces") {
            let space: SpaceID = try row.identifier("space_id")
            try moveNotice(of: space, in: try row.integer("id"), database)
        }
        try database.run("DELETE FROM settings WHERE key GLOB 'user.taken.*'")
    }

    /// A notice was words in hexadecimal digits, and beside it what was said, likewise.
    private static func moveNotice(
        of space: SpaceID, in row: Int64, _ database: Database
    ) throws {
        let key = "user.taken.\(space)"
        guard let words = try Settings.text(key, in: database)?.split(separator: " "),
            words.count == 4, let written = UInt64(words[2]),
            let commit = bytes(hexadecimal: words[0]).flatMap({ CommitID(bytes: $0) }),
            let person = bytes(hexadecimal: words[1]).flatMap({ PersonID(bytes: $0) }),
            let said = try Settings.text(key + ".said", in: database)
                .flatMap({ bytes(hexadecimal: $0) })
        else { return }
        let notice = RevocationNotice(
            commit: commit, person: person, written: Milliseconds(written),
            isWholePerson: words[3] == "true")
        try RevocationNotices.insert(notice, saying: said, of: row, in: database)
    }
}
