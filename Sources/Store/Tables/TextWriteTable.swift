internal import GRDB
internal import SyncCore

/// A write to a field of strategy `mergeText`: where its text stands in the log.
struct TextWrite {
    let field: String
    let commit: Int64
    /// Counted over the whole commit.
    let index: UInt32
    let precedence: UInt32
    let replaces: [WriteID]?
}

/// The table `text_writes`: each effective write to a text that is merged, superseded ones too.
enum TextWriteTable {
    static func insert(_ write: TextWrite, of record: Int64, in database: Database) throws {
        // A row of a displaced commit may still stand there: it is rebuilt at the end.
        try database.run(
            """
            INSERT OR REPLACE INTO text_writes
                (record, field, commit_row, write_index, precedence, replaces)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                record, write.field, write.commit, Int64(write.index), Int64(write.precedence),
                write.replaces.map { encoded($0) },
            ])
    }

    /// The writes to one text in storing order, each with the rows of its commit and its log.
    static func rows(of record: Int64, _ field: String, in database: Database) throws -> [Row] {
        try database.rows(
            """
            SELECT write_index, text_writes.precedence, replaces, commit_row, commit_id, log,
                commits.sequence AS sequence, clock, device, incarnation
            FROM text_writes JOIN commits ON commits.id = commit_row
                JOIN logs ON logs.id = commits.log
            WHERE record = ? AND field = ? ORDER BY commit_row, write_index LIMIT ?
            """, [record, field, Limits.mergedHistory + 1])
    }

    /// Per write 32 bytes of commit id and 4 of its index, big endian.
    private static func encoded(_ writes: [WriteID]) -> [UInt8] {
        let bytes = writes.flatMap { $0.commit.bytes + bigEndian(UInt64($0.index)).suffix(4) }
        Invariants.check((try? decoded(bytes)) == writes, "replaced writes are read back as others")
        return bytes
    }

    static func decoded(_ bytes: [UInt8]) throws -> [WriteID] {
        var reader = ByteReader(bytes)
        var writes: [WriteID] = []
        while !reader.isAtEnd {
            guard let commit = CommitID(bytes: try reader.bytes(Bytes32.byteCount)) else {
                throw RecordCodec.Malformed()
            }
            let index = UInt32(bigEndian: try reader.bytes(4))
            writes.append(WriteID(commit: commit, index: index))
        }
        return writes
    }
}

extension Row {
    /// Of a row of ``TextWriteTable``.
    func writeID() throws -> WriteID {
        WriteID(
            commit: try identifier("commit_id"),
            index: UInt32(truncatingIfNeeded: try integer("write_index")))
    }
}
