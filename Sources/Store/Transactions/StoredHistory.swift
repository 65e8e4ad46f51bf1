internal import GRDB
internal import SyncCore

/// A record whose past is asked for.
struct WrittenRecord {
    let key: RecordKey
    /// The rows of the commits that write to it and count, and perhaps of others, in order; nil when they cannot be
    /// known.
    let writers: [Int64]?
    let schema: Schema?
    /// The only fields that are asked for: all are read together.
    let fields: [String]
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

    /// The writes to the fields.
    private struct Past {
        /// By field, in storing order; one more than are merged, and those of the same commit, at most.
        var places: [String: [Place]] = [:]
        /// Of some of these writes, within ``Limits/keptValueBytes``.
        var values: [WriteID: Value] = [:]
        var valueBytes = 0
        /// Whether every commit could be read.
        var isWhole = true
    }

    private let database: Database
    private let space: Int64
    private let record: WrittenRecord?
    private let texts: CommitTexts
    private var known: Past?
    /// The commit's row of each write of the histories that were asked for.
    private var commits: [WriteID: Int64] = [:]
    private var logs: [LogID: Int64] = [:]

    init(
        _ database: Database, space: Int64, of record: WrittenRecord? = nil, texts: CommitTexts
    ) {
        (self.database, self.space, self.record, self.texts) = (database, space, record, texts)
    }

    /// Nil also when a commit that was opened once cannot be opened now: texts that are put together without what
    /// it wrote would lose that, or show it twice.
    func history(of field: String) throws -> RegisterHistory? {
        let past = try past()
        let places = past.places[field] ?? []
        guard past.isWhole, places.count <= Limits.mergedHistory else { return nil }
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

    /// The writes to a field, replaced ones too, in storing order; see ``Past/places``.
    func writes(to field: String) throws -> [WriteID] {
        try past().places[field]?.map(\.id) ?? []
    }

    /// Reads each commit once for all fields.
    private func past() throws -> Past {
        if let known { return known }
        var past = Past()
        past.isWhole = record?.writers != nil
        for row in record?.writers ?? [] {
            let open = (record?.fields ?? []).filter {
                past.places[$0]?.count ?? 0 <= Limits.mergedHistory
            }
            if open.isEmpty { break }
            try read(row, open, into: &past)
        }
        Invariants.check(
            past.places.values.allSatisfy { Set($0.map(\.id)).count == $0.count },
            "a write stands in the log twice")
        known = past
        return past
    }

    private func read(_ row: Int64, _ fields: [String], into past: inout Past) throws {
        guard let record else { return }
        guard
            let written = try texts.writes(
                to: fields, of: record.key, under: record.schema, by: row, in: database)
        else {
            past.isWhole = false
            return
        }
        guard !written.isEmpty, let commit = try commit(in: row) else { return }
        for (index, write) in written {
            let id = WriteID(commit: commit.id, index: index)
            past.places[write.field, default: []].append(
                Place(
                    id: id, commit: commit, precedence: write.precedence,
                    replaces: write.replaces))
            guard let bytes = write.value.text?.utf8.count,
                past.valueBytes + bytes <= Limits.keptValueBytes
            else { continue }
            past.valueBytes += bytes
            past.values[id] = write.value
        }
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
        if let value = try past().values[write] { return value }
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

    /// The writes of a commit to some fields of a record, by the names that a schema has now, with their indexes, which
    /// are counted over the whole commit. Nil for one that was opened once, and cannot be opened now.
    func writes(
        to fields: [String], of key: RecordKey, under schema: Schema?, by commit: Int64,
        in database: Database
    ) throws -> [(index: UInt32, write: Write)]? {
        guard let read = try read(commit, in: database) else { return [] }
        guard !read.isLost else { return nil }
        var found: [(index: UInt32, write: Write)] = []
        var first: UInt32 = 0
        for operation in read.operations {
            if operation.record == key.record {
                let operation = operation.current(under: schema)
                for (offset, write) in operation.writes.enumerated()
                where operation.collection == key.collection && write.element == nil
                    && fields.contains(write.field)
                {
                    found.append((first + UInt32(truncatingIfNeeded: offset), write))
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
    /// Bytes of texts that are kept while those of one record are merged; others are read from their commits again.
    fileprivate static let keptValueBytes = 8 << 20
}
