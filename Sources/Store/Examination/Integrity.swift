internal import GRDB
internal import SyncCore

extension SyncStore {
    /// Everything that is wrong with the file, in English for a log; empty when it is sound.
    ///
    /// SQLite's own check, the references between tables, and of every log: that sequences have no
    /// gap, that each commit's header has the hash it is kept under, and that the head is the last.
    package func integrityCheck() throws -> [String] {
        try connection.read { database in
            var problems = try SyncStore.damage(in: database).all
            let branches = try database.rowCursor("SELECT commit_id, header FROM branches")
            while let row = try branches.next() {
                problems += try SyncStore.problem(ofHeaderIn: row).map { [$0] } ?? []
            }
            for row in try database.rows("SELECT * FROM logs") {
                problems += try SyncStore.problems(of: row, in: database)
            }
            return problems
        }
    }

    private static func problems(of log: Row, in database: Database) throws -> [String] {
        var problems: [String] = []
        var last: (sequence: UInt64, commit: CommitID) = (0, .zero)
        let cursor = try database.rowCursor(
            "SELECT sequence, commit_id, header FROM commits WHERE log = ? ORDER BY sequence",
            [try log.integer("id")])
        while let row = try cursor.next() {
            let id: CommitID = try row.identifier("commit_id")
            if try row.sequence("sequence") != last.sequence + 1 {
                problems.append("log \(try log.log().device) has a gap after \(last.sequence)")
            }
            problems += try problem(ofHeaderIn: row).map { [$0] } ?? []
            last = (try row.sequence("sequence"), id)
        }
        let head: CommitID = try log.identifier("head_commit")
        if try log.sequence("head_sequence") != last.sequence || head != last.commit {
            problems.append("the head of log \(try log.log().device) is not its last commit")
        }
        return problems
    }

    private static func problem(ofHeaderIn row: Row) throws -> String? {
        let id: CommitID = try row.identifier("commit_id")
        guard CommitID(ofHeader: try row.bytes("header")) != id else { return nil }
        return "the header of commit \(id) is not what was signed"
    }
}
