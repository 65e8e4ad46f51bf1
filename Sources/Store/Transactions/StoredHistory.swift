internal import GRDB
internal import SyncCore

/// The past of one record, read from the log.
final class StoredHistory: RecordHistory {
    private let database: Database
    private let space: Int64
    private let record: Int64
    private let texts: CommitTexts
    /// The commit's row of each write of the histories that were asked for.
    private var commits: [WriteID: Int64] = [:]
    private var logs: [LogID: Int64] = [:]

    init(_ database: Database, space: Int64, record: Int64, texts: CommitTexts) {
        (self.database, self.space, self.record, self.texts) = (database, space, record, texts)
    }

    func history(of field: String) throws -> RegisterHistory? {
        let rows = try TextWriteTable.rows(of: record, field, in: database)
        guard rows.count <= Limits.mergedHistory else { return nil }
        var entries: [RegisterHistory.Entry] = []
        for row in rows {
            let log = try row.log()
            logs[log] = try row.integer("log")
            let id = try row.writeID()
            commits[id] = try row.integer("commit_row")
            let sequence = try row.sequence("sequence")
            var seen: [LogID: UInt64] = [:]
            for (other, target) in logs {
                seen[other] =
                    other == log
                    ? sequence
                    : try seenSequence(of: target, by: try row.integer("log"), sequence)
            }
            entries.append(
                RegisterHistory.Entry(
                    id: id, log: log, sequence: sequence,
                    clock: HybridTime(raw: try row.unsigned("clock")),
                    precedence: UInt32(truncatingIfNeeded: try row.integer("precedence")),
                    replaces: try row.optionalBytes("replaces").map(TextWriteTable.decoded),
                    seen: seen))
        }
        return RegisterHistory(entries)
    }

    func value(of write: WriteID) throws -> Value? {
        guard let commit = commits[write] else { return nil }
        return try texts.value(at: write.index, of: commit, in: database)
    }

    func seen(by write: SurvivingWrite, of log: LogID) throws -> UInt64 {
        if log == write.log { return write.sequence }
        guard let own = try row(of: write.log), let other = try row(of: log) else { return 0 }
        return try seenSequence(of: other, by: own, write.sequence)
    }

    private func row(of log: LogID) throws -> Int64? {
        if let known = logs[log] { return known }
        let row = try database.number(
            "SELECT id FROM logs WHERE space = ? AND device = ? AND incarnation = ?",
            [space, log.device.bytes, log.incarnation.bytes])
        logs[log] = row
        return row
    }

    private func seenSequence(
        of target: Int64, by log: Int64, _ sequence: UInt64
    ) throws -> UInt64 {
        let seen = try database.number(
            """
            SELECT sequence FROM seen WHERE log = ? AND target = ? AND at_sequence <= ?
            ORDER BY at_sequence DESC LIMIT 1
            """, [log, target, Int64(bitPattern: sequence)])
        return seen.map { UInt64(bitPattern: $0) } ?? 0
    }
}

/// Values of writes, read from the log; the commits read last are kept, as the records of one commit
/// are often in conflict together.
final class CommitTexts {
    private let decoder: any CommitDecoding
    private var kept: [(row: Int64, operations: [RecordOperation])] = []

    init(_ decoder: any CommitDecoding) { self.decoder = decoder }

    func value(at index: UInt32, of commit: Int64, in database: Database) throws -> Value? {
        var rest = Int(index)
        for operation in try operations(of: commit, in: database) {
            if rest < operation.writes.count { return operation.writes[rest].value }
            rest -= operation.writes.count
        }
        return nil
    }

    private func operations(
        of commit: Int64, in database: Database
    ) throws -> [RecordOperation] {
        if let known = kept.first(where: { $0.row == commit }) { return known.operations }
        let row = try database.row(
            "SELECT header, signature, clear, operations FROM commits WHERE id = ?", [commit])
        guard let row else { return [] }
        let operations = try row.commit(decoder).operations
        if kept.count == Limits.keptCommits { kept.removeFirst() }
        kept.append((commit, operations))
        precondition(kept.count <= Limits.keptCommits, "\(kept.count) commits are kept")
        Invariants.check(Set(kept.map(\.row)).count == kept.count, "a commit is kept twice")
        return operations
    }
}

extension Limits {
    /// Decoded commits that are kept while texts are merged, of at most 1 MiB each.
    package static let keptCommits = 8
}
