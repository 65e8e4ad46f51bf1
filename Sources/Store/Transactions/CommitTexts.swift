internal import GRDB
internal import SyncCore

/// A write of a commit.
struct IndexedWrite {
    let key: RecordKey
    /// Among all writes of the commit.
    let index: UInt32
    let write: Write
}

/// Writes and their values, read from the log; the commits read last are kept, as the records of one commit
/// are often in conflict together.
final class CommitTexts {
    private struct ReadCommit {
        let row: Int64
        let operations: [RecordOperation]
        /// It was opened once, and its key is not here any more.
        let isLost: Bool
    }

    private let decoder: any CommitDecoding
    private var kept: [ReadCommit] = []

    init(_ decoder: any CommitDecoding) { self.decoder = decoder }

    func value(at index: UInt32, of commit: Int64, in database: Database) throws -> Value? {
        var rest = Int(index)
        for operation in try read(commit, in: database)?.operations ?? [] {
            if rest < operation.writes.count { return operation.writes[rest].value }
            rest -= operation.writes.count
        }
        return nil
    }

    /// The records that a commit writes to, by the names that a schema has now; nil for one that was opened once, and
    /// cannot be opened now.
    func keys(
        writtenBy commit: Int64, under schema: Schema?, in database: Database
    ) throws -> Set<RecordKey>? {
        guard let read = try read(commit, in: database) else { return [] }
        return read.isLost
            ? nil : Set(read.operations.map { RecordKey(of: $0, under: schema) })
    }

    /// The writes of a commit to some records, by the names that a schema has now, with their indexes, which are counted
    /// over the whole commit. Nil for one that was opened once, and cannot be opened now.
    func writes(
        to records: Set<RecordID>, under schema: Schema?, by commit: Int64, in database: Database
    ) throws -> [IndexedWrite]? {
        guard let read = try read(commit, in: database) else { return [] }
        guard !read.isLost else { return nil }
        var found: [IndexedWrite] = []
        var first: UInt32 = 0
        for operation in read.operations {
            if records.contains(operation.record) {
                let operation = operation.current(under: schema)
                let key = RecordKey(collection: operation.collection, record: operation.record)
                for (offset, write) in operation.writes.enumerated() {
                    let index = first + UInt32(truncatingIfNeeded: offset)
                    found.append(IndexedWrite(key: key, index: index, write: write))
                }
            }
            first += UInt32(truncatingIfNeeded: operation.writes.count)
        }
        return found
    }

    private func read(_ commit: Int64, in database: Database) throws -> ReadCommit? {
        if let known = kept.first(where: { $0.row == commit }) { return known }
        let row = try database.row(
            """
            SELECT header, signature, clear, operations,
                (SELECT contents FROM sealed WHERE commit_row = commits.id) AS contents
            FROM commits WHERE id = ?
            """, [commit])
        guard let row else { return nil }
        let decoded = try row.commit(decoder)
        let wasOpened =
            try row.optionalInteger("contents") == Int64(CommitContents.opened.rawValue)
        let read = ReadCommit(
            row: commit, operations: decoded.operations,
            isLost: decoded.contents == .closed && wasOpened)
        if kept.count == Limits.keptCommits { kept.removeFirst() }
        kept.append(read)
        precondition(kept.count <= Limits.keptCommits, "\(kept.count) commits are kept")
        Invariants.check(Set(kept.map(\.row)).count == kept.count, "a commit is kept twice")
        return read
    }
}

extension Limits {
    /// Decoded commits that are kept while texts are merged, of at most 1 MiB each.
    package static let keptCommits = 8
}
