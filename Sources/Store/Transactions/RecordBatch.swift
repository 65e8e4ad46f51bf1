internal import GRDB
internal import SyncCore

/// The columns by which records are found; a write that leaves them alone costs no page of their indexes.
private struct RecordColumns {
    let name: [UInt8]?
    let time: Int64?
}

/// The records that one transaction works on: each is loaded once, changed in memory, and saved once,
/// in key order, which is what a B-tree likes best.
struct RecordBatch {
    private final class Entry {
        /// Nil while the record has no row.
        let row: Int64?
        /// The row of the first commit that wrote to it; one of a group may be applied after later ones.
        private(set) var maker: Int64
        private let knownMaker: Int64
        /// The values of its row in the columns by which it is found.
        let found: RecordColumns?
        private(set) var writers: WriterRows
        var state: RecordState
        /// The text that the index of words has for it now; empty for nothing.
        let indexed: (state: IndexState, text: String)
        /// What it refers to by now.
        let mentioned: Set<RecordID>

        init(
            row: Int64?, maker: Int64, found: RecordColumns? = nil,
            writers: WriterRows = WriterRows(), state: RecordState,
            indexed: (state: IndexState, text: String) = (.absent, ""),
            mentioned: Set<RecordID> = []
        ) {
            (self.row, self.maker, self.writers, self.state) = (row, maker, writers, state)
            knownMaker = maker
            (self.found, self.indexed, self.mentioned) = (found, indexed, mentioned)
        }

        var hasEarlierMaker: Bool { maker < knownMaker }

        func note(writer row: Int64) {
            writers.note(row)
            maker = min(maker, row)
        }

        func know(_ writers: WriterRows) { self.writers = writers }
    }

    private let database: Database
    private let space: Int64
    private let schema: Schema?
    /// Whether the index of words has the records of the space.
    private let isIndexed: Bool
    /// The number of the next batch of ``PendingRecords``.
    private let indexBatch: Int64
    /// By the name of a collection in a commit: whether the schema has other names there.
    private var renamed: [String: Bool] = [:]
    private let texts: CommitTexts
    private var entries: [RecordKey: Entry] = [:]

    init(of state: LoadedSpace, in turn: WriteTransaction) {
        (database, space) = (turn.database, state.row)
        schema = turn.schemas(state.ledger.schema)
        isIndexed = turn.loaded.isIndexed(state.ledger.space)
        indexBatch = turn.loaded.pending.batch
        texts = CommitTexts(turn.decoder)
    }

    /// Records that had no row before, by collection.
    private(set) var inserted: [CollectionName: Int] = [:]

    /// How many records are held in memory.
    var count: Int { entries.count }

    /// Applies the operations of the commit in this row; those on records outside `only` just count.
    mutating func apply(
        _ operations: [RecordOperation], of commit: AppliedCommit, in row: Int64,
        only: Set<RecordKey>? = nil
    ) throws {
        var firstIndex: UInt32 = 0
        for operation in operations {
            let operation =
                isRenamed(operation.collection) ? operation.current(under: schema) : operation
            let key = RecordKey(collection: operation.collection, record: operation.record)
            if only?.contains(key) ?? true {
                let entry = try entries[key] ?? load(key, writtenBy: row)
                entries[key] = entry
                entry.state.apply(operation, firstIndex: firstIndex, of: commit)
                entry.note(writer: row)
            }
            firstIndex += UInt32(truncatingIfNeeded: operation.writes.count)
        }
    }

    private mutating func isRenamed(_ collection: String) -> Bool {
        if let known = renamed[collection] { return known }
        let known = schema?.collection(schema?.currentName(ofCollection: collection) ?? collection)
        let isRenamed = known?.name != collection || known?.hasFormerNames ?? true
        renamed[collection] = isRenamed
        return isRenamed
    }

    /// Writes everything down and returns what was written. Few short texts are left to be indexed later.
    mutating func save(_ pending: inout PendingRecords) throws -> Set<RecordKey> {
        precondition(pending.batch == indexBatch, "records were indexed while others changed")
        let isSmall = entries.count <= Limits.pendingTexts
        try findWriters()
        var mentions = Backlinks()
        let ordered = entriesInOrder()
        var pasts = GatheredPasts(of: written(ordered), under: schema, texts, database)
        for (key, entry) in ordered {
            let past = try pasts.remove(key)
            let row = try save(key, entry, past, isSmall: isSmall, &pending)
            if entry.row == nil { inserted[CollectionName(key.collection), default: 0] += 1 }
            mentions.note(Backlinks.targets(in: entry.state), except: entry.mentioned, of: row)
        }
        try mentions.write(of: space, in: database)
        defer { (entries, renamed) = ([:], [:]) }
        return Set(entries.keys)
    }

    /// In key order. Names are compared once for each collection and not for each pair of records.
    private func entriesInOrder() -> [(key: RecordKey, value: Entry)] {
        let collections = Dictionary(grouping: entries) { Array($0.key.collection.utf8) }
        return collections.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .flatMap { $0.value.sorted { $0.key.record < $1.key.record } }
    }

    /// Those of the records whose past says what is shown of them.
    private func written(_ entries: [(key: RecordKey, value: Entry)]) -> [WrittenRecord] {
        entries.compactMap { key, entry in
            let collection = schema?.collection(key.collection)
            guard entry.state.needsPast(under: collection) else { return nil }
            return WrittenRecord(
                key: key, writers: entry.writers.rows,
                fields: entry.state.mergedFields(under: collection))
        }
    }

    /// A new one is made by the commit that writes to it now.
    private func load(_ key: RecordKey, writtenBy commit: Int64) throws -> Entry {
        let row = try database.row(
            """
            SELECT id, maker, writers, body, searched, text, former_text, name, time FROM records
            WHERE space = ? AND collection = ? AND record = ?
            """, [space, key.collection, key.record.bytes])
        guard let row else { return Entry(row: nil, maker: commit, state: RecordState()) }
        let state = try RecordCodec.decode(try row.bytes("body"))
        let indexState = try row.indexState(before: indexBatch)
        return Entry(
            row: try row.integer("id"), maker: try row.integer("maker"),
            found: RecordColumns(
                name: try row.optionalBytes("name"), time: try row.optionalInteger("time")),
            writers: try WriterRows(try row.optionalBytes("writers")), state: state,
            indexed: (indexState, try row.textIndexed(indexState)),
            mentioned: Backlinks.targets(in: state))
    }

    /// Reads from the log who wrote to the records whose texts are to be put together, where that is not known: once
    /// for all of them.
    private func findWriters() throws {
        let unknown = entries.filter { $0.value.writers.rows == nil && merges($0.value, $0.key) }
        guard !unknown.isEmpty else { return }
        let found = try WriterRows.find(
            of: unknown.mapValues(\.maker), under: schema, in: space, texts, database)
        for (key, entry) in unknown {
            if let rows = found?[key] { entry.know(WriterRows(rows: rows)) }
        }
    }

    private func merges(_ entry: Entry, _ key: RecordKey) -> Bool {
        !entry.state.mergedFields(under: schema?.collection(key.collection)).isEmpty
    }

    /// Returns the record's row. It has a past where that says what is shown of it.
    private func save(
        _ key: RecordKey, _ entry: Entry, _ past: WrittenPast?, isSmall: Bool,
        _ pending: inout PendingRecords
    ) throws -> Int64 {
        var state = entry.state
        if let past {
            try state.mergeFromHistory(
                under: schema?.collection(key.collection),
                from: StoredHistory(database, space: space, of: past, texts: texts))
        }
        let text = searchText(of: state, in: key.collection)
        let isIndexed =
            entry.indexed.state != .pending && text.utf8.elementsEqual(entry.indexed.text.utf8)
        let indexState =
            isIndexed ? entry.indexed.state : IndexState(of: text, inSmallBatch: isSmall)
        let saved = try write(state, text, indexState, at: entry.row, key, entry)
        if indexState == .pending {
            pending.add(saved)
        } else if !isIndexed {
            try WordIndex.put(text, at: saved, replacing: entry.indexed.text, in: database)
        }
        return saved
    }

    /// Writes a record to its row, a new one with nil, and returns that.
    private func write(
        _ state: RecordState, _ text: String, _ indexState: IndexState, at row: Int64?,
        _ key: RecordKey, _ entry: Entry
    ) throws -> Int64 {
        let collection = schema?.collection(key.collection)
        let found = RecordColumns(
            name: collection?.name(of: state).flatMap { NameKey.key(of: $0) },
            time: collection?.time(of: state))
        let body = RecordCodec.encode(state)
        Invariants.check(
            (try? RecordCodec.decode(body)) == state, "a record is read back as another one")
        Invariants.check(
            (try? RecordCodec.decode(body)).map(RecordCodec.encode) == body,
            "equal records have other bytes")
        Invariants.check(
            state.isDeleted || state.hiddenEdits.isEmpty,
            "edits count as hidden of a record that is not deleted")
        // Nearly always there are few.
        let isLong = entry.writers.rows?.count ?? 0 > Limits.keptWriters
        let writers = entry.writers.bytes(
            upTo: isLong && merges(entry, key) ? Limits.mergedHistory : Limits.keptWriters)
        let values: [(any Bindable)?] = [
            state.isDeleted, state.isConflicted(under: collection),
            indexState.column(before: indexBatch), writers, body, text,
            indexState == .pending ? FormerText.encode(entry.indexed.text, before: text) : nil,
        ]
        if let row {
            try update(row, values, found, entry)
            return row
        }
        try database.run(
            """
            INSERT INTO records
                (space, collection, record, maker, name, time, deleted, conflicted, searched, writers,
                body, text, former_text)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                space, key.collection, key.record.bytes, entry.maker, found.name, found.time,
            ] + values)
        return database.lastInsertedRowID
    }

    private func update(
        _ row: Int64, _ values: [(any Bindable)?], _ found: RecordColumns, _ entry: Entry
    ) throws {
        try database.run(
            """
            UPDATE records
            SET deleted = ?, conflicted = ?, searched = ?, writers = ?, body = ?, text = ?,
                former_text = ?
            WHERE id = ?
            """, values + [row])
        if entry.hasEarlierMaker {
            try database.run("UPDATE records SET maker = ? WHERE id = ?", [entry.maker, row])
        }
        // SQLite rewrites the indexes of every column that is set, also to what it was.
        if entry.found?.name != found.name {
            try database.run("UPDATE records SET name = ? WHERE id = ?", [found.name, row])
        }
        if entry.found?.time != found.time {
            try database.run("UPDATE records SET time = ? WHERE id = ?", [found.time, row])
        }
    }

    private func searchText(of state: RecordState, in collection: String) -> String {
        isIndexed ? schema?.searchText(of: state, in: collection) ?? "" : ""
    }

    /// The row of a record; nil when nothing of it is kept.
    static func row(
        of key: RecordKey, in space: Int64, _ database: Database
    ) throws -> Int64? {
        try database.number(
            "SELECT id FROM records WHERE space = ? AND collection = ? AND record = ?",
            [space, key.collection, key.record.bytes])
    }

    /// Removes records, or with nil all of the space.
    static func remove(
        _ keys: Set<RecordKey>?, of space: Int64, in database: Database
    ) throws {
        guard let keys else {
            try WordIndex.delete(of: space, in: database)
            try Backlinks.remove(of: space, in: database)
            try database.run("DELETE FROM records WHERE space = ?", [space])
            return
        }
        let batch = try PendingRecords.batch(in: database)
        for key in keys.sorted() {
            guard let row = try row(of: key, in: space, database) else { continue }
            try WordIndex.delete(at: row, before: batch, in: database)
            try database.run("DELETE FROM records WHERE id = ?", [row])
        }
    }
}
