internal import GRDB
internal import SyncCore

/// The records that one transaction works on: each is loaded once, changed in memory, and saved once,
/// in key order, which is what a B-tree likes best.
struct RecordBatch {
    private struct Entry {
        /// Nil while the record has no row.
        var row: Int64?
        var state: RecordState
        /// What the search table has for it now; empty: nothing.
        var searchedText: String
        /// Writes to merged texts that have no row yet.
        var texts: [TextWrite] = []
    }

    private let database: Database
    private let space: Int64
    private let schema: Schema?
    /// The fields of strategy `mergeText`, by collection.
    private let mergedFields: [String: Set<String>]
    private let texts: CommitTexts
    private var entries: [RecordKey: Entry] = [:]

    init(_ database: Database, space: Int64, schema: Schema?, decoder: any CommitDecoding) {
        self.database = database
        self.space = space
        self.schema = schema
        texts = CommitTexts(decoder)
        var merged: [String: Set<String>] = [:]
        for collection in schema?.collections ?? [] {
            let fields = collection.fields.filter { $0.strategy == .mergeText }
            if !fields.isEmpty { merged[collection.name] = Set(fields.map(\.name)) }
        }
        mergedFields = merged
    }

    /// How many records are held in memory.
    var count: Int { entries.count }

    /// Applies the operations of the commit in this row; those on records outside `only` just count.
    mutating func apply(
        _ operations: [RecordOperation], of commit: AppliedCommit, in row: Int64,
        only: Set<RecordKey>? = nil
    ) throws {
        var firstIndex: UInt32 = 0
        for operation in operations {
            let operation = schema?.current(operation) ?? operation
            let key = RecordKey(collection: operation.collection, record: operation.record)
            if only?.contains(key) ?? true {
                if entries[key] == nil { entries[key] = try load(key) }
                entries[key]?.state.apply(operation, firstIndex: firstIndex, of: commit)
                let texts = texts(in: operation, firstIndex: firstIndex, row)
                if !texts.isEmpty { entries[key]?.texts += texts }
            }
            firstIndex += UInt32(truncatingIfNeeded: operation.writes.count)
        }
    }

    private func texts(
        in operation: RecordOperation, firstIndex: UInt32, _ row: Int64
    ) -> [TextWrite] {
        guard let fields = mergedFields[operation.collection] else { return [] }
        return operation.writes.enumerated().compactMap { offset, write in
            guard write.element == nil, fields.contains(write.field) else { return nil }
            return TextWrite(
                field: write.field, commit: row,
                index: firstIndex + UInt32(truncatingIfNeeded: offset),
                precedence: write.precedence, replaces: write.replaces)
        }
    }

    /// Writes everything down, search text too, and returns what was written.
    mutating func save() throws -> Set<RecordKey> {
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            try save(key, entry)
        }
        defer { entries = [:] }
        return Set(entries.keys)
    }

    private func load(_ key: RecordKey) throws -> Entry {
        let row = try database.row(
            """
            SELECT id, body, searched FROM records
            WHERE space = ? AND collection = ? AND record = ?
            """, [space, key.collection, key.record.bytes])
        guard let row else { return Entry(row: nil, state: RecordState(), searchedText: "") }
        let state = try RecordCodec.decode(try row.bytes("body"))
        let text = try row.flag("searched") ? searchText(of: state, in: key.collection) : ""
        return Entry(row: try row.integer("id"), state: state, searchedText: text)
    }

    private func save(_ key: RecordKey, _ entry: Entry) throws {
        let collection = schema?.collection(key.collection)
        var state = entry.state
        var row = entry.row
        let needsPast = state.needsPast(under: collection)
        if needsPast {
            // Its texts need the row of a new record, and its body needs the texts.
            let known = try row ?? write(state, isSearched: false, at: nil, key)
            row = known
            for text in entry.texts { try TextWriteTable.insert(text, of: known, in: database) }
            let past = StoredPast(database, space: space, record: known, texts: texts)
            try state.settle(under: collection, from: past)
        }
        let text = searchText(of: state, in: key.collection)
        let saved = try write(state, isSearched: !text.isEmpty, at: row, key)
        if !needsPast {
            for text in entry.texts { try TextWriteTable.insert(text, of: saved, in: database) }
        }
        guard !text.utf8.elementsEqual(entry.searchedText.utf8) else { return }
        try RecordBatch.index(text, saved, replacing: !entry.searchedText.isEmpty, in: database)
    }

    /// Writes a record to its row, a new one with nil, and returns that.
    private func write(
        _ state: RecordState, isSearched: Bool, at row: Int64?, _ key: RecordKey
    ) throws -> Int64 {
        let values: [(any Bindable)?] = [
            state.isDeleted, state.isConflicted(under: schema?.collection(key.collection)),
            isSearched, RecordCodec.encode(state),
        ]
        if let row {
            try database.run(
                """
                UPDATE records SET deleted = ?, conflicted = ?, searched = ?, body = ?
                WHERE id = ?
                """, values + [row])
            return row
        }
        try database.run(
            """
            INSERT INTO records (space, collection, record, deleted, conflicted, searched, body)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, [space, key.collection, key.record.bytes] + values)
        return database.lastInsertedRowID
    }

    private func searchText(of state: RecordState, in collection: String) -> String {
        schema?.searchText(of: state, in: collection) ?? ""
    }

    private static func index(
        _ text: String, _ row: Int64, replacing: Bool, in database: Database
    ) throws {
        if replacing {
            try database.run("DELETE FROM search WHERE rowid = ?", [row])
        }
        if !text.isEmpty {
            try database.run("INSERT INTO search (rowid, text) VALUES (?, ?)", [row, text])
        }
    }

    /// Makes the search text of a whole space anew.
    static func reindex(_ space: Int64, _ schema: Schema?, in database: Database) throws {
        let rows = try database.rows(
            "SELECT id, collection, searched FROM records WHERE space = ?", [space])
        for row in rows {
            let id = try row.integer("id")
            let body = try database.row("SELECT body FROM records WHERE id = ?", [id])
            let state = try RecordCodec.decode(try body?.bytes("body") ?? [])
            let text = schema?.searchText(of: state, in: try row.text("collection")) ?? ""
            try index(text, id, replacing: try row.flag("searched"), in: database)
            try database.run(
                "UPDATE records SET searched = ? WHERE id = ?", [!text.isEmpty, id])
        }
    }

    /// Removes records, or with nil all of the space.
    static func remove(
        _ keys: Set<RecordKey>?, of space: Int64, in database: Database
    ) throws {
        guard let keys else {
            try database.run(
                """
                DELETE FROM search WHERE rowid IN
                    (SELECT id FROM records WHERE space = ? AND searched = 1)
                """, [space])
            try database.run("DELETE FROM records WHERE space = ?", [space])
            return
        }
        for key in keys.sorted() {
            let place: [(any Bindable)?] = [space, key.collection, key.record.bytes]
            let row = try database.number(
                "SELECT id FROM records WHERE space = ? AND collection = ? AND record = ?", place)
            guard let row else { continue }
            try database.run("DELETE FROM search WHERE rowid = ?", [row])
            try database.run("DELETE FROM records WHERE id = ?", [row])
        }
    }
}

extension Schema {
    /// The text that search covers: one line per searched field, or per element of a searched set.
    /// Empty for a deleted record.
    func searchText(of state: RecordState, in collection: String) -> String {
        guard let collection = self.collection(collection), !state.isDeleted else { return "" }
        var lines: [String] = []
        for field in collection.fields where field.isSearched {
            if case .set = field.type {
                lines += state.elements(of: field.name).compactMap(\.text)
            } else if let register = state.fields[field.name],
                let shown = field.strategy.shown(register, merged: state.merged[field.name]),
                let text = shown.value.text
            {
                lines.append(text)
            }
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
