internal import GRDB
internal import SyncCore

/// The past of one record, or of none in particular, as the log has it.
///
/// No table has the writes to its texts: each edit would write a page of that, and the commits are read
/// only where texts are to be merged.
final class StoredHistory: RecordHistory {
    private let database: Database
    private let space: Int64
    private let past: WrittenPast?
    private let texts: CommitTexts
    /// The commit's row of each write of the histories that were asked for.
    private var commits: [WriteID: Int64] = [:]
    private var logs: [LogID: Int64] = [:]

    init(
        _ database: Database, space: Int64, of past: WrittenPast? = nil, texts: CommitTexts
    ) {
        (self.database, self.space, self.past, self.texts) = (database, space, past, texts)
    }

    /// Nil also when a commit that was opened once cannot be opened now: texts that are put together without what
    /// it wrote would lose that, or show it twice.
    func history(of field: String) throws -> RegisterHistory? {
        guard let past, past.isWhole else { return nil }
        let places = past.places[field] ?? []
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

    func value(of write: WriteID) throws -> Value? {
        if let value = past?.values[write] { return value }
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
