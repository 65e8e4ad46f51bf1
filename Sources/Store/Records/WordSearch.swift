internal import GRDB
package import SyncCore

extension StoredRecords {
    /// Has the index get the texts for which there was no room when the store was opened. Without room they go on
    /// waiting, as in a store that is only read; throws what the store throws otherwise.
    package func indexAsRoomAllows() throws {
        guard connection.isWritable else { return }
        do { try indexByStanding() } catch StoreError.diskFull {}
    }

    /// Whether the index of words has yet to get the texts of one of these spaces: there was no room for them. Throws
    /// what the store throws.
    package func lacksWords(of spaces: some Sequence<SpaceID>) throws -> Bool {
        let without = connection.loaded { $0.unindexed }
        let noted = try connection.read { try UnindexedSpaces.load(in: $0) }
        return !noted.subtracting(without).isDisjoint(with: spaces)
    }

    /// Finds records by the words of a text: each word must begin a word of the record. Nil searches all spaces, and
    /// all collections. Best matches first, after the first `skipped` ones; the newest first where so many match
    /// that the words tell nothing of which is better. Those that wait to be indexed come before the others.
    /// `spellings` returns the ways to write a word, at least one, with letters and digits alone: each is searched for.
    /// A record found by another word that is written in the same way is left out by the caller.
    package func search(
        _ text: String, spellings: (Substring) -> [String] = { [String($0)] },
        in spaces: [SpaceID]? = nil,
        collection: String? = nil, skipping skipped: Int = 0, limit: Int = 100
    ) throws -> [(space: SpaceID, key: RecordKey)] {
        guard let pattern = SearchPattern.pattern(for: text, spellings) else { return [] }
        return try connection.read { database in
            let search = WordSearch(database, pattern, spaces, collection)
            let pending = try PendingTexts(connection, database)
            guard !pending.isEmpty else {
                return try search.indexed(skipped, limit, beside: [])
            }
            try pending.fill()
            let recent = try search.pending()
            let found = recent.dropFirst(skipped).prefix(limit)
            let rest = try search.indexed(
                max(0, skipped - recent.count), limit - found.count, beside: pending.rows)
            try pending.empty()
            return found + rest
        }
    }
}

/// A search for words among the records of some spaces, all with nil, and one collection or all.
private struct WordSearch {
    typealias Match = (space: SpaceID, key: RecordKey)

    private let database: Database
    private let pattern: String
    private let condition: String
    private let values: [(any Bindable)?]

    init(
        _ database: Database, _ pattern: String, _ spaces: [SpaceID]?, _ collection: String?
    ) {
        (self.database, self.pattern) = (database, pattern)
        let marks = spaces.map { $0.map { _ in "?" }.joined(separator: ", ") }
        condition =
            "(? IS NULL OR collection = ?)" + (marks.map { " AND space_id IN (\($0))" } ?? "")
        values =
            [collection, collection] + (spaces ?? []).map { Optional<any Bindable>.some($0.bytes) }
    }

    /// Matches in the index, without the rows that wait to be indexed.
    func indexed(
        _ skipped: Int, _ limit: Int, beside pending: Set<Int64>
    ) throws -> [Match] {
        // Each query for the beginning of a word reads every match before its first row.
        let cursor = try database.rowCursor(
            """
            SELECT rowid AS id FROM main.search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?
            """, [pattern, Int64(Limits.rankedMatches + 1)])
        var newest: [Int64] = []
        var count = 0
        while let row = try cursor.next() {
            count += 1
            if newest.count < Limits.matchesLookedUp { newest.append(try row.integer("id")) }
        }
        let isRanked = count <= Limits.rankedMatches
        if !isRanked, let found = try matches(skipped, limit, among: newest, beside: pending) {
            return found
        }
        let others =
            pending.isEmpty ? "" : "search.rowid NOT IN (SELECT rowid FROM temp.pending) AND "
        return try database.rows(
            """
            SELECT space_id, collection, record FROM main.search
                JOIN records ON records.id = search.rowid
                JOIN spaces ON spaces.id = records.space
            WHERE search MATCH ? AND \(others)\(condition)
            ORDER BY \(isRanked ? "rank, search.rowid" : "search.rowid DESC") LIMIT ? OFFSET ?
            """, [pattern] + values + [Int64(limit), Int64(skipped)]
        ).map { try $0.match() }
    }

    /// The matches after the skipped ones among the newest rows of the index; nil if these are too few.
    private func matches(
        _ skipped: Int, _ limit: Int, among newest: [Int64], beside pending: Set<Int64>
    ) throws -> [Match]? {
        guard limit <= newest.count, skipped <= newest.count - limit else { return nil }
        var found: [Match] = []
        for row in newest where !pending.contains(row) {
            if found.count == skipped + limit { break }
            let match = try database.row(
                """
                SELECT space_id, collection, record FROM records
                    JOIN spaces ON spaces.id = records.space
                WHERE records.id = ? AND \(condition)
                """, [row] + values)
            if let match { found.append(try match.match()) }
        }
        return found.count == skipped + limit ? Array(found.dropFirst(skipped)) : nil
    }

    /// Matches among those that wait to be indexed.
    func pending() throws -> [Match] {
        try database.rows(
            """
            SELECT space_id, collection, record FROM temp.pending
                JOIN records ON records.id = pending.rowid
                JOIN spaces ON spaces.id = records.space
            WHERE pending MATCH ? AND \(condition) ORDER BY rank, pending.rowid
            """, [pattern] + values
        ).map { try $0.match() }
    }
}

/// The texts of records that wait to be indexed, in a temporary index of this connection, in memory: so that a
/// search below a snapshot, or on a full disk, finds them by the same rules.
private struct PendingTexts {
    private let database: Database
    private let texts: [(row: Int64, text: String)]

    init(_ connection: StoreConnection, _ database: Database) throws {
        self.database = database
        let loaded = connection.loaded { $0 }
        // Of this snapshot: a later batch may be done already.
        let batch = try PendingRecords.batch(in: database)
        let columns = "SELECT id, text FROM records WHERE "
        let rows: [Row]
        if connection.version(readBy: database) < loaded.pending.version {
            // In this snapshot others may wait than do now.
            rows = try database.rows(columns + "searched = ?", [batch])
        } else {
            rows = try loaded.pending.rows.sorted().compactMap {
                try database.row(columns + "id = ? AND searched = ?", [$0, batch])
            }
        }
        texts = try rows.map { (try $0.integer("id"), try $0.text("text")) }
    }

    var isEmpty: Bool { texts.isEmpty }
    var rows: Set<Int64> { Set(texts.map(\.row)) }

    func fill() throws {
        try database.execute(sql: "PRAGMA temp_store = MEMORY; " + StoreSchema.pending)
        try empty()
        for (row, text) in texts {
            try database.run("INSERT INTO temp.pending (rowid, text) VALUES (?, ?)", [row, text])
        }
    }

    func empty() throws { try database.run("DELETE FROM temp.pending") }
}

enum SearchPattern {
    /// An FTS5 pattern of quoted prefixes; nil when the text has no word. Quoted, nothing in it is
    /// an operator.
    static func pattern(for text: String, _ spellings: (Substring) -> [String]) -> String? {
        let words = text.split { !$0.isLetter && !$0.isNumber }.prefix(Limits.searchWords)
        guard !words.isEmpty else { return nil }
        return words.map { word in
            let spellings = spellings(word)
            precondition(!spellings.isEmpty, "a word has no spelling")
            let any = spellings.map { "\"\($0)\"*" }.joined(separator: " OR ")
            return spellings.count == 1 ? any : "(\(any))"
        }.joined(separator: " AND ")
    }
}

extension Row {
    fileprivate func match() throws -> WordSearch.Match {
        (
            try identifier("space_id"),
            RecordKey(collection: try text("collection"), record: try record("record"))
        )
    }
}

extension Limits {
    /// The newest of more matches than are ranked, to look up one by one before all are searched again: enough for
    /// the first two pages of an answer.
    static let matchesLookedUp = 300
}
