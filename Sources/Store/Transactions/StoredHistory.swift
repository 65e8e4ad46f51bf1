internal import GRDB
internal import SyncCore

/// A record whose past is asked for.
struct WrittenRecord {
    let key: RecordKey
    let writers: WriterRows
    /// The row of the first commit that wrote to it.
    let maker: Int64
    let schema: Schema?
}

/// The past of one record, or of none in particular, read from the log.
///
/// No table has the writes to its texts: each edit would write a page of that, and the commits are read
/// only where texts are to be merged.
final class StoredHistory: RecordHistory {
    /// A write to a field: where it stands in the log.
    private struct Place {
        let id: WriteID
        let commit: Commit
        let precedence: UInt32
        let replaces: [WriteID]?
    }

    private struct Commit {
        let row: Int64
        let id: CommitID
        let log: LogID
        /// The row of its log.
        let logRow: Int64
        let sequence: UInt64
        let clock: HybridTime
    }

    private let database: Database
    private let space: Int64
    private let record: WrittenRecord?
    private let texts: CommitTexts
    /// The commit's row of each write of the histories that were asked for.
    private var commits: [WriteID: Int64] = [:]
    private var logs: [LogID: Int64] = [:]

    init(
        _ database: Database, space: Int64, of record: WrittenRecord? = nil, texts: CommitTexts
    ) {
        (self.database, self.space, self.record, self.texts) = (database, space, record, texts)
    }

    func history(of field: String) throws -> RegisterHistory? {
        let places = try places(of: field)
        guard places.count <= Limits.mergedHistory else { return nil }
        var entries: [RegisterHistory.Entry] = []
        for place in places {
            let commit = place.commit
            logs[commit.log] = commit.logRow
            commits[place.id] = commit.row
            var seen: [LogID: UInt64] = [:]
            for (other, target) in logs {
                seen[other] =
                    other == commit.log
                    ? commit.sequence
                    : try seenSequence(of: target, by: commit.logRow, commit.sequence)
            }
            entries.append(
                RegisterHistory.Entry(
                    id: place.id, log: commit.log, sequence: commit.sequence, clock: commit.clock,
                    precedence: place.precedence, replaces: place.replaces, seen: seen))
        }
        return RegisterHistory(entries)
    }

    /// The writes to a field, replaced ones too, in storing order; one more than are merged at most.
    func writes(to field: String) throws -> [WriteID] { try places(of: field).map(\.id) }

    private func places(of field: String) throws -> [Place] {
        guard let record else { return [] }
        var places: [Place] = []
        let rows = try record.writers.commits(
            writingTo: record.key.record, from: record.maker, in: space, database)
        for row in rows where places.count <= Limits.mergedHistory {
            let written = try texts.writes(
                to: field, of: record.key, under: record.schema, by: row, in: database)
            guard !written.isEmpty, let commit = try commit(in: row) else { continue }
            places += written.map { index, write in
                Place(
                    id: WriteID(commit: commit.id, index: index), commit: commit,
                    precedence: write.precedence, replaces: write.replaces)
            }
        }
        Invariants.check(
            Set(places.map(\.id)).count == places.count, "a write stands in the log twice")
        return places
    }

    private func commit(in row: Int64) throws -> Commit? {
        try database.row(
            """
            SELECT commit_id, log, sequence, clock, device, incarnation
            FROM commits JOIN logs ON logs.id = commits.log WHERE commits.id = ?
            """, [row]
        ).map { found in
            Commit(
                row: row, id: try found.identifier("commit_id"), log: try found.log(),
                logRow: try found.integer("log"), sequence: try found.sequence("sequence"),
                clock: HybridTime(raw: try found.unsigned("clock")))
        }
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

/// Writes and their values, read from the log; the commits read last are kept, as the records of one commit
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

    /// The writes of a commit to a field of a record, by the names that a schema has now, with their indexes, which
    /// are counted over the whole commit.
    func writes(
        to field: String, of key: RecordKey, under schema: Schema?, by commit: Int64,
        in database: Database
    ) throws -> [(index: UInt32, write: Write)] {
        var found: [(index: UInt32, write: Write)] = []
        var first: UInt32 = 0
        for operation in try operations(of: commit, in: database) {
            if operation.record == key.record {
                let operation = operation.current(under: schema)
                for (offset, write) in operation.writes.enumerated()
                where operation.collection == key.collection && write.field == field
                    && write.element == nil
                {
                    found.append((first + UInt32(truncatingIfNeeded: offset), write))
                }
            }
            first += UInt32(truncatingIfNeeded: operation.writes.count)
        }
        return found
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
