internal import GRDB
package import SyncCore

/// What the index of words, the table `search`, has of a record.
///
/// The record's column `searched` is 0, 1, or the number of the batch that it is indexed with: with later batches to
/// come it was indexed. So indexing a batch changes no record.
enum IndexState {
    /// Nothing.
    case absent
    /// The record's text; nothing where that is empty.
    case current
    /// It waits to be indexed: the index has nothing, or an earlier text.
    case pending

    /// From the column `searched`, while a batch is the next one; nil for a number that no record has.
    init?(column: Int64, before batch: Int64) {
        switch column {
        case 0: self = .absent
        case 1..<batch: self = .current
        case batch: self = .pending
        default: return nil
        }
    }

    func column(before batch: Int64) -> Int64 {
        switch self {
        case .absent: 0
        case .current: 1
        case .pending: batch
        }
    }

    /// The state of a record whose text the index does not have yet. Each change of the index writes some six pages,
    /// for one text as for many: so texts wait for others, unless there are many anyway, or it is a long one.
    init(of text: String, inSmallBatch isSmall: Bool) {
        if isSmall, text.utf8.count <= Limits.pendingTextBytes {
            self = .pending
        } else {
            self = text.isEmpty ? .absent : .current
        }
    }
}

extension Row {
    /// From the column `searched`.
    func indexState(before batch: Int64) throws -> IndexState {
        let column = try integer("searched")
        guard let state = IndexState(column: column, before: batch) else { throw wrong("searched") }
        return state
    }

    /// The text that the index has of a record; from the columns `text` and `former_text`.
    func textIndexed(_ state: IndexState) throws -> String {
        switch state {
        case .absent: ""
        case .current: try text("text")
        case .pending: try FormerText.decode(try bytes("former_text"), before: try text("text"))
        }
    }
}

/// Which records may wait to be indexed.
struct PendingRecords: Sendable {
    /// Rows of records: all that are ``IndexState/pending``, and perhaps others.
    private(set) var rows: Set<Int64> = []
    /// The ``LoadedSpaces/version`` from which on that holds: an older snapshot may have others.
    private(set) var version: UInt64 = 0
    /// Whether the database says that some records may wait.
    private(set) var isNoted = false
    /// The number of the next batch, which those that wait have in their column `searched`.
    private(set) var batch = PendingRecords.firstBatch

    /// With what the database says.
    init(in database: Database) throws {
        batch = try PendingRecords.batch(in: database)
        isNoted = try Settings.bytes(PendingRecords.setting, in: database) != nil
        guard isNoted else { return }
        rows = try PendingRecords.rows(before: batch, in: database)
    }

    init() {}

    mutating func add(_ row: Int64) { rows.insert(row) }

    /// None waits from a version on.
    mutating func clear(from version: UInt64) { (rows, self.version) = ([], version) }

    /// All are indexed from a version on: they were the batch.
    mutating func finishBatch(from version: UInt64, in database: Database) throws {
        guard !rows.isEmpty else { return clear(from: version) }
        try Invariants.check(
            rows.isSuperset(of: PendingRecords.rows(before: batch, in: database)),
            "a record waits that is not in batch \(batch)")
        batch += 1
        try Settings.set(PendingRecords.batchSetting, number: batch, in: database)
        clear(from: version)
    }

    /// Has the database say whether records may wait: without it, opening would have to look at each.
    mutating func note(_ mayWait: Bool, in database: Database) throws {
        guard mayWait != isNoted else { return }
        try Settings.set(PendingRecords.setting, mayWait ? [1] : nil, in: database)
        isNoted = mayWait
    }

    /// The number of the next batch, as a database or a snapshot of it says.
    static func batch(in database: Database) throws -> Int64 {
        let batch = try Settings.number(batchSetting, in: database) ?? firstBatch
        guard batch >= firstBatch else { throw StoreError.corrupt("setting \(batchSetting)") }
        return batch
    }

    /// Looks at every record.
    private static func rows(before batch: Int64, in database: Database) throws -> Set<Int64> {
        Set(
            try database.rows("SELECT id FROM records WHERE searched = ?", [batch])
                .map { try $0.integer("id") })
    }

    /// Above the other numbers of the column `searched`.
    private static let firstBatch: Int64 = 2
    private static let setting = "pending_texts"
    private static let batchSetting = "index_batch"
}

/// Changes the index of words. It keeps no texts, and has to be told which one it had of a record: words of another
/// text would stay in it. So each row of `records` has the text that was handed to it, and none is ever made from what
/// the record holds.
enum WordIndex {
    /// Has the index hold a text for the record in a row, in place of the one it has; each may be empty.
    static func put(
        _ text: String, at row: Int64, replacing former: String, in database: Database
    ) throws {
        guard !text.utf8.elementsEqual(former.utf8) else { return }
        if !former.isEmpty {
            try database.run(
                "INSERT INTO search (search, rowid, text) VALUES ('delete', ?, ?)", [row, former])
        }
        if !text.isEmpty {
            try database.run("INSERT INTO search (rowid, text) VALUES (?, ?)", [row, text])
        }
    }

    /// Deletes the text of the record in a row, while `batch` is the next one; the row stays as it is.
    static func delete(at row: Int64, before batch: Int64, in database: Database) throws {
        let columns = "SELECT id, searched, text, former_text FROM records WHERE id = ?"
        guard let row = try database.row(columns, [row]) else { return }
        try delete(row, before: batch, in: database)
    }

    /// Deletes the texts of a space; the rows of its records stay as they are.
    static func delete(of space: Int64, in database: Database) throws {
        let batch = try PendingRecords.batch(in: database)
        let rows = try database.rowCursor(
            """
            SELECT id, searched, text, former_text FROM records WHERE space = ? AND searched <> 0
            """, [space])
        while let row = try rows.next() { try delete(row, before: batch, in: database) }
    }

    private static func delete(_ row: Row, before batch: Int64, in database: Database) throws {
        let former = try row.textIndexed(try row.indexState(before: batch))
        try put("", at: try row.integer("id"), replacing: former, in: database)
    }

    /// Notes with records, of one space or of all, that an index without any text of theirs has none.
    static func noteNone(of space: Int64? = nil, in database: Database) throws {
        let ofSpace = space == nil ? "" : " AND space = ?"
        try database.run(
            """
            UPDATE records SET searched = 0, text = '', former_text = NULL
            WHERE searched <> 0\(ofSpace)
            """, space.map { [$0] } ?? [])
    }
}

/// Spaces of which the index has no texts, as noted in the database: it may be older than where the spaces stand.
enum UnindexedSpaces {
    private static let setting = "unindexed_spaces"

    static func load(in database: Database) throws -> Set<SpaceID> {
        let bytes = try Settings.bytes(setting, in: database) ?? []
        let length = SpaceID.zero.bytes.count
        return Set(
            stride(from: 0, to: bytes.count, by: length).compactMap {
                SpaceID(bytes: Array(bytes[$0...].prefix(length)))
            })
    }

    /// Notes that the index has no texts at all: opening the store has it hold those of each space that search covers.
    static func saveAll(in database: Database) throws {
        let spaces = try database.rows("SELECT space_id FROM spaces").map { row -> SpaceID in
            try row.identifier("space_id")
        }
        try save(Set(spaces), in: database)
    }

    /// Notes of one space whether the index has its texts. Others may still wait for room.
    static func note(_ space: SpaceID, isIndexed: Bool, in database: Database) throws {
        var spaces = try load(in: database)
        if isIndexed { spaces.remove(space) } else { spaces.insert(space) }
        try save(spaces, in: database)
    }

    static func save(_ spaces: Set<SpaceID>, in database: Database) throws {
        let bytes = spaces.sorted().flatMap(\.bytes)
        try Settings.set(setting, bytes.isEmpty ? nil : bytes, in: database)
    }
}

extension Schema {
    /// The text that search covers: one line per searched field, or per element of a searched set.
    /// Empty for a deleted record.
    package func searchText(of state: RecordState, in collection: String) -> String {
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
        return lines.filter { !$0.isEmpty }.map { FileNameText.readable($0) }
            .joined(separator: "\n")
    }
}

extension Limits {
    /// Records that wait to be indexed after a transaction: each search looks through their texts, which takes some
    /// milliseconds. The more wait, the more of them share the pages that indexing writes.
    package static let pendingTexts = 128
    /// UTF-8 bytes of a text that may wait; a longer one fills pages of its own.
    package static let pendingTextBytes = 4096
}
