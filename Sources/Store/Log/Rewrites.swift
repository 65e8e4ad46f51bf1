internal import GRDB
internal import SyncCore

/// A value and where it is written to.
struct PlacedWrite: Hashable {
    let key: RecordKey
    private let field: String
    private let element: Value?
    let value: Value

    init(_ key: RecordKey, _ write: Write) {
        (self.key, field, element, value) = (key, write.field, write.element, write.value)
    }

    /// What operations write, under the names that a schema has now.
    static func all(in operations: [RecordOperation], under schema: Schema?) -> [PlacedWrite] {
        operations.map { $0.current(under: schema) }.flatMap { operation in
            let key = RecordKey(collection: operation.collection, record: operation.record)
            return operation.writes.map { PlacedWrite(key, $0) }
        }
    }

    /// The same place with another value.
    func holding(_ value: Value) -> PlacedWrite {
        PlacedWrite(key: key, field: field, element: element, value: value)
    }

    private init(key: RecordKey, field: String, element: Value?, value: Value) {
        (self.key, self.field, self.element, self.value) = (key, field, element, value)
    }

    var isOfExistence: Bool { field == Write.existence && element == nil }

    var namesFile: Bool { value.blob != nil || element?.blob != nil }

    /// Whether another write is the same but for the names of files: they have others where they are
    /// encrypted.
    func isRenamed(_ other: PlacedWrite) -> Bool {
        func isSame(_ one: Value?, _ two: Value?) -> Bool {
            one == two || one?.blob != nil && two?.blob != nil
        }
        return key == other.key && field == other.field && isSame(element, other.element)
            && isSame(value, other.value)
    }
}

/// Which values of orphans were written again, whatever became of them since: an effective commit that the
/// orphan had not seen wrote the same value to the same place.
///
/// This follows from the log, so that all devices with the same commits find the same. Only of an orphan
/// whose recovery this device undid, it does not count what it wrote itself.
struct Rewrites {
    /// The commit that wrote a value again.
    struct Writer: Hashable {
        let commit: CommitID
        let log: LogID
    }

    private let state: LoadedSpace
    private let schema: Schema?
    private let decoder: any CommitDecoding
    private let database: Database
    private let contents: OrphanContents
    /// Whether what was written to a record is read for every value, not what stands in its registers alone.
    private let isThorough: Bool
    private let reading = RewriteReading()
    /// The commits of recoveries that were undone here, and those that undid them.
    private let undone: Set<CommitID>
    /// Orphans whose recovery was undone here. Which commits recovered them is not known of older recoveries.
    private let undoneOrphans: Set<CommitID>
    /// This device, if it undid a recovery.
    private let undoers: Set<DeviceID>

    init(
        in state: LoadedSpace, _ schema: Schema?, _ decoder: any CommitDecoding,
        _ database: Database, isThorough: Bool = false
    ) throws {
        (self.state, self.schema, self.decoder, self.database) = (state, schema, decoder, database)
        self.isThorough = isThorough
        contents = OrphanContents(schema, decoder, database)
        undone = try OrphanTable.undoneCommits(in: state.row, database)
        undoneOrphans = try OrphanTable.undoneOrphans(in: state.row, database)
        undoers =
            undoneOrphans.isEmpty ? [] : try OrphanTable.undoers(in: state.row, database)
    }

    /// Whether a value was not found that a commit wrote which was taken for the recovery of an earlier orphan,
    /// where another commit may as well be that.
    var isDoubtful: Bool { reading.isDoubtful }

    func past(of orphan: Orphan, _ orphans: Orphans) -> OrphanPast {
        OrphanPast(of: orphan, orphans, state, contents)
    }

    /// The commits that wrote all values of an orphan again; nil where a value is missing, or
    /// where the orphan cannot be read.
    func writers(ofAll orphan: Orphan, of orphans: Orphans) throws -> Set<CommitID>? {
        let content = try OrphanTable.content(of: orphan, decoder, in: database).commit
        guard !content.operations.isEmpty else { return nil }
        var known: OrphanPast?
        var commits: Set<CommitID> = []
        for operation in content.operations where !operation.isTouch {
            let current = operation.current(under: schema)
            let key = RecordKey(collection: current.collection, record: current.record)
            guard try RecordTable.state(of: key, in: state.row, database) != nil else { return nil }
            let past = known ?? past(of: orphan, orphans)
            known = past
            let found = try writers(of: current, past, inClear: content.header.epoch == nil)
            guard
                current.writes.allSatisfy({ $0.isTouch || found[PlacedWrite(key, $0)] != nil })
            else { return nil }
            commits.formUnion(found.values.map(\.commit))
        }
        return commits
    }

    /// The values of an operation of an orphan that were written again, under today's names, without touches.
    ///
    /// What stands in the registers answers nearly always. What was written to the record before is read
    /// only where something stands there that the orphan had not seen, or that may recover another one.
    /// `inClear` says whether the orphan is not sealed: files have other names in sealed commits.
    func writers(
        of operation: RecordOperation, _ past: OrphanPast, inClear: Bool
    ) throws -> [PlacedWrite: Writer] {
        let key = RecordKey(collection: operation.collection, record: operation.record)
        guard let record = try RecordTable.state(of: key, in: state.row, database) else {
            return [:]
        }
        let isUndone = undoneOrphans.contains(past.orphan.id)
        func counts(_ log: LogID) -> Bool { !isUndone || !undoers.contains(log.device) }
        var found: [PlacedWrite: Writer] = [:]
        var asked: Set<PlacedWrite> = []
        for write in operation.writes where !write.isTouch {
            let place = PlacedWrite(key, write)
            let standing = record.register(of: write).writes.filter {
                !undone.contains($0.id.commit)
            }
            let unseen = try standing.filter { try !past.contains($0, at: place) }
            if isThorough {
                asked.insert(place)
            } else if let same = unseen.first(where: { $0.value == write.value && counts($0.log) })
            {
                found[place] = Writer(commit: same.id.commit, log: same.log)
            } else if try !unseen.isEmpty
                || standing.contains(where: {
                    try past.isGuessed($0.id.commit, at: $0.sequence, of: $0.log)
                })
            {
                asked.insert(place)
            }
        }
        guard !asked.isEmpty else { return found }
        let history = try history(of: key).filter(counts)
        found.merge(try history.writers(of: asked, past, inClear: inClear)) { known, _ in known }
        if !isThorough, try history.mayHold(asked.filter { found[$0] == nil }, past) {
            reading.isDoubtful = true
        }
        return found
    }

    /// What effective commits wrote to a record, in storing order; orphans of one record often follow each
    /// other.
    private func history(of key: RecordKey) throws -> RewriteHistory {
        if let latest = reading.latest, latest.key == key { return latest.history }
        var history = RewriteHistory()
        for number in try WriterRows.rows(writingTo: [key], in: state.row, database) {
            guard let commit = try written(by: number), let writes = commit.writes[key] else {
                continue
            }
            history.add(writes, of: commit)
        }
        reading.latest = (key, history)
        return history
    }

    /// What an effective commit wrote; nil of one that was undone.
    private func written(by number: Int64) throws -> WrittenCommit? {
        if let known = reading.commits[number] { return known }
        let row = try database.row(
            "SELECT header, signature, clear, operations FROM commits WHERE id = ? AND effective = 1",
            [number])
        guard let commit = try row?.commit(decoder), !undone.contains(commit.id) else { return nil }
        let writes = PlacedWrite.all(in: commit.operations, under: schema)
        let written = WrittenCommit(
            id: commit.id, header: commit.header,
            writes: Dictionary(grouping: writes, by: \.key))
        if reading.commits.count >= Limits.rewritingCommitsKept { reading.commits = [:] }
        reading.commits[number] = written
        return written
    }
}

extension Limits {
    /// Commits that are kept decoded while what they wrote is compared with orphans.
    static let rewritingCommitsKept = 16
}

private struct WrittenCommit {
    let id: CommitID
    let header: CommitHeader
    let writes: [RecordKey: [PlacedWrite]]
}

/// What was read while orphans were compared with what was written.
private final class RewriteReading {
    var latest: (key: RecordKey, history: RewriteHistory)?
    var commits: [Int64: WrittenCommit] = [:]
    var isDoubtful = false
}

/// What was written to one record, in storing order.
private struct RewriteHistory {
    struct Entry {
        let writer: Rewrites.Writer
        let sequence: UInt64
        let isSealed: Bool
        let writes: [PlacedWrite]
    }

    private var entries: [Entry] = []

    mutating func add(_ writes: [PlacedWrite], of commit: WrittenCommit) {
        entries.append(
            Entry(
                writer: Rewrites.Writer(commit: commit.id, log: commit.header.log),
                sequence: commit.header.sequence, isSealed: commit.header.epoch != nil,
                writes: writes))
    }

    /// What commits of these logs alone wrote.
    func filter(_ counts: (LogID) -> Bool) -> RewriteHistory {
        var history = self
        history.entries.removeAll { !counts($0.writer.log) }
        return history
    }

    /// The first commits beyond a past that wrote these.
    ///
    /// The file of a new record, added in clear, has another name where a sealed commit writes it again.
    func writers(
        of asked: Set<PlacedWrite>, _ past: OrphanPast, inClear: Bool
    ) throws -> [PlacedWrite: Rewrites.Writer] {
        var found: [PlacedWrite: Rewrites.Writer] = [:]
        let namesNewFile =
            try inClear && asked.contains { $0.value.blob != nil } && isNew(beyond: past)
        for write in asked {
            let isRenamed = namesNewFile && write.value.blob != nil
            let entry = try entries.first { entry in
                try entry.writes.contains { other in
                    let isSame =
                        other == write
                        || isRenamed && entry.isSealed && other.value.blob != nil
                            && other.holding(write.value) == write
                    return try isSame && !past.contains(other, of: entry)
                }
            }
            if let entry { found[write] = entry.writer }
        }
        return found
    }

    /// Whether a commit wrote one of these that was taken for the recovery of an earlier orphan.
    func mayHold(_ missing: Set<PlacedWrite>, _ past: OrphanPast) throws -> Bool {
        try !missing.isEmpty
            && entries.contains { entry in
                try entry.writes.contains(where: missing.contains)
                    && past.isGuessed(
                        entry.writer.commit, at: entry.sequence, of: entry.writer.log)
            }
    }

    /// Whether the record was not there yet.
    private func isNew(beyond past: OrphanPast) throws -> Bool {
        try entries.allSatisfy { entry in
            try entry.writes.allSatisfy { try !past.contains($0, of: entry) }
        }
    }
}

extension OrphanPast {
    fileprivate func contains(
        _ write: PlacedWrite, of entry: RewriteHistory.Entry
    ) throws -> Bool {
        try contains(write, of: entry.writer.commit, at: entry.sequence, of: entry.writer.log)
    }
}

extension RecordState {
    /// The register that a write goes to.
    func register(of write: Write) -> Register {
        if let element = write.element { return sets[write.field]?[element] ?? Register() }
        return fields[write.field] ?? Register()
    }
}

extension OrphanTable {
    /// The waiting orphans of a space that were written again, each with the commits that did so.
    ///
    /// Most are found by what stands in the registers. Where that may have taken a later recovery for that of an
    /// earlier orphan, all is looked for again in the order in which it was written.
    static func rewritten(
        in state: LoadedSpace, _ schema: Schema?, _ decoder: any CommitDecoding,
        _ database: Database
    ) throws -> [CommitID: Set<CommitID>] {
        let orphans = try Orphans(of: state.row, by: nil, decoder, in: database)
        guard !orphans.waiting.isEmpty else { return [:] }
        let quick = try Rewrites(in: state, schema, decoder, database)
        let found = try rewritten(orphans, quick)
        guard quick.isDoubtful else { return found }
        return try rewritten(
            orphans, try Rewrites(in: state, schema, decoder, database, isThorough: true))
    }

    private static func rewritten(
        _ orphans: Orphans, _ rewrites: Rewrites
    ) throws -> [CommitID: Set<CommitID>] {
        var orphans = orphans
        var found: [CommitID: Set<CommitID>] = [:]
        for orphan in orphans.waiting {
            do {
                guard let commits = try rewrites.writers(ofAll: orphan, of: orphans) else {
                    continue
                }
                found[orphan.id] = commits
                orphans.note(orphan, rewrittenBy: commits)
            } catch let error as DatabaseError {
                throw error
            } catch {
                // One that cannot be read waits on.
            }
        }
        return found
    }

    /// The same, looked for again only after the space changed.
    static func rewritten(
        in space: SpaceID, _ connection: StoreConnection
    ) throws -> [CommitID: Set<CommitID>] {
        if let known = connection.findings(in: space).rewritten.found { return known }
        // No writer waits for it: each orphan is read, and what was written to its records.
        return try connection.read { database in
            let version = connection.version(readBy: database)
            guard let state = connection.loaded({ $0.spaces[space] }) else { return [:] }
            let found = try rewritten(
                in: state, connection.schemas(state.ledger.schema), connection.decoder, database)
            connection.keepFindings(in: space) { $0.rewritten.keep(found, at: version) }
            return found
        }
    }
}
