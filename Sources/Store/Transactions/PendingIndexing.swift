internal import GRDB
internal import SyncCore

/// Indexes records within a transaction.
struct PendingIndexing {
    private let turn: WriteTransaction
    private var database: Database { turn.database }

    init(_ turn: WriteTransaction) { self.turn = turn }

    /// Keeps few records waiting, so that searching them takes no time, and has the next opening find them.
    func settle() throws {
        if turn.loaded.pending.rows.count > Limits.pendingTexts { try run() }
        if !turn.loaded.pending.rows.isEmpty { try turn.loaded.pending.note(true, in: database) }
    }

    /// Indexes the records that wait, as one batch.
    func run() throws {
        try indexAll()
        try turn.loaded.pending.finishBatch(from: turn.nextVersion, in: database)
    }

    /// Has the index hold the texts of the records that wait, and notes nothing of it.
    func indexAll() throws {
        let pending = turn.loaded.pending
        for row in pending.rows.sorted() {
            let record = try database.row(
                "SELECT text, former_text FROM records WHERE id = ? AND searched = ?",
                [row, pending.batch])
            guard let record else { continue }
            try WordIndex.put(
                try record.text("text"), at: row, replacing: try record.textIndexed(.pending),
                in: database)
        }
    }

    /// Indexes the records of a space that search covers now, or deletes their texts where it does not any more.
    func follow(standingOf space: SpaceID) throws {
        guard let row = turn.loaded.spaces[space]?.row else { return }
        try WordIndex.delete(of: row, in: database)
        try WordIndex.noteNone(of: row, in: database)
        if turn.loaded.isIndexed(space) { try runAll(of: row) }
    }

    /// Indexes every record of a space, of which the index has none: their column `searched` is 0.
    func runAll(of space: Int64) throws {
        for row in try database.rows("SELECT id FROM records WHERE space = ?", [space]) {
            let id = try row.integer("id")
            let record = try database.row(
                "SELECT space, collection, body FROM records WHERE id = ?", [id])
            let text = try record?.searchText(turn.loaded, turn.schemas) ?? ""
            guard !text.isEmpty else { continue }
            try WordIndex.put(text, at: id, replacing: "", in: database)
            try database.run("UPDATE records SET searched = 1, text = ? WHERE id = ?", [text, id])
        }
    }
}

extension Row {
    /// The text that search covers; from the columns space, collection and body.
    func searchText(
        _ loaded: LoadedSpaces, _ schemas: (SchemaPin) -> Schema?
    ) throws -> String {
        let row = try integer("space")
        guard let ledger = loaded.spaces.values.first(where: { $0.row == row })?.ledger,
            loaded.isIndexed(ledger.space), let schema = schemas(ledger.schema)
        else { return "" }
        return schema.searchText(
            of: try RecordCodec.decode(try bytes("body")), in: try text("collection"))
    }
}
