internal import GRDB
package import SyncCore

/// How what a space shows differs from what its log says it shows.
package struct ShownFault: Hashable, Sendable {
    package let space: SpaceID
    /// Records that are kept with other content.
    package var changed = 0
    /// Records that the log makes and that are not kept.
    package var missing = 0
    /// Records that are kept and that the log does not make.
    package var surplus = 0
    /// Records that search knows by other words.
    package var misfiled = 0

    package var isShownWrong: Bool { changed + missing + surplus > 0 }
}

package struct ShownVerdict: Hashable, Sendable {
    package var records = 0
    /// Of spaces that differ only.
    package var faults: [ShownFault] = []
    /// The search index does not hold the words of the texts that the records say it has.
    package var isIndexBroken = false
}

extension StoreExamination {
    /// Rebuilds everything shown from the log, in temporary tables, and compares it with what is kept.
    /// `progress` gets the number of spaces done, and of all.
    package func compareShown(
        progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws -> ShownVerdict {
        try look { database in
            let loaded = try LoadedSpaces(from: database, decoder: decoder, verifier: verifier)
            // From here on the short names mean the temporary tables: those come first (SQLite,
            // "Database Object Name Resolution").
            try StoreSchema.createShown(temporarily: database)
            let turn = WriteTransaction(database, loaded, decoder: decoder, schemas: schemas)
            let states = loaded.spaces.values.sorted { $0.row < $1.row }
            for (index, state) in states.enumerated() {
                try progress(index, states.count)
                var state = state
                try turn.rebuild(&state, only: nil)
            }
            try PendingIndexing(turn).indexAll()
            return try ShownComparison(database, loaded).verdict()
        }
    }
}

/// Compares the tables `main.records` and `main.search` with temporary ones of the same names.
private struct ShownComparison {
    private let database: Database
    private let spaces: [Int64: SpaceID]

    init(_ database: Database, _ loaded: LoadedSpaces) {
        self.database = database
        spaces = Dictionary(loaded.spaces.map { ($0.value.row, $0.key) }) { first, _ in first }
    }

    func verdict() throws -> ShownVerdict {
        var verdict = ShownVerdict()
        verdict.records = Int(try database.number("SELECT COUNT(*) FROM temp.records") ?? 0)
        var faults: [SpaceID: ShownFault] = [:]
        try count(changed, in: &faults) { $0.changed = $1 }
        for (space, count) in try unmentioned() {
            var fault = faults[space] ?? ShownFault(space: space)
            fault.changed += count
            faults[space] = fault
        }
        try count(missing, in: &faults) { $0.missing = $1 }
        try count(surplus, in: &faults) { $0.surplus = $1 }
        do {
            // The index of an older format is made again when the store is opened.
            if try database.number("PRAGMA main.user_version") == StoreSchema.format {
                let batch = try PendingRecords.batch(in: database)
                try count(misfiled(before: batch), in: &faults) { $0.misfiled = $1 }
                try indexAsKept(before: batch)
                verdict.isIndexBroken = try isIndexBroken()
            }
        } catch let error
            where error is DatabaseError || error is StoreError || error is RecordCodec.Malformed
        {
            // However FTS5 words it: an index that cannot be read is none.
            verdict.isIndexBroken = true
        }
        verdict.faults = faults.values.sorted { $0.space < $1.space }
        return verdict
    }

    private func count(
        _ query: String, in faults: inout [SpaceID: ShownFault],
        _ set: (inout ShownFault, Int) -> Void
    ) throws {
        for row in try database.rows(query) {
            guard let space = spaces[try row.integer("space")] else { continue }
            var fault = faults[space] ?? ShownFault(space: space)
            set(&fault, Int(try row.integer("count")))
            faults[space] = fault
        }
    }

    /// How many references of each space are not kept; those that are no more do no harm.
    private func unmentioned() throws -> [SpaceID: Int] {
        var places: [Int64: (kept: Int64, space: Int64)] = [:]
        let rows = try database.rowCursor(
            """
            SELECT made.id AS made, kept.id AS kept, kept.space AS space
            FROM temp.records AS made JOIN main.records AS kept USING (space, collection, record)
            """)
        while let row = try rows.next() {
            places[try row.integer("made")] = (
                try row.integer("kept"), try row.integer("space")
            )
        }
        var kept: Set<[UInt8]> = []
        try Backlinks.forEach(in: "main", database) { target, row in
            kept.insert(target + bigEndian(UInt64(bitPattern: row)))
        }
        var missing: [SpaceID: Int] = [:]
        try Backlinks.forEach(in: "temp", database) { target, row in
            guard let place = places[row], let space = spaces[place.space],
                !kept.contains(target + bigEndian(UInt64(bitPattern: place.kept)))
            else { return }
            missing[space, default: 0] += 1
        }
        return missing
    }

    private let changed = """
        SELECT made.space AS space, COUNT(*) AS count FROM temp.records AS made
            JOIN main.records AS kept USING (space, collection, record)
        WHERE kept.body <> made.body OR kept.deleted <> made.deleted
            OR kept.conflicted <> made.conflicted OR kept.name IS NOT made.name
            OR kept.time IS NOT made.time OR kept.maker <> made.maker
            OR kept.writers <> made.writers
        GROUP BY made.space
        """

    private let missing = """
        SELECT made.space AS space, COUNT(*) AS count FROM temp.records AS made
            LEFT JOIN main.records AS kept USING (space, collection, record)
        WHERE kept.id IS NULL GROUP BY made.space
        """
    private let surplus = """
        SELECT kept.space AS space, COUNT(*) AS count FROM main.records AS kept
            LEFT JOIN temp.records AS made USING (space, collection, record)
        WHERE made.id IS NULL GROUP BY kept.space
        """
    private func misfiled(before batch: Int64) -> String {
        """
        SELECT kept.space AS space, COUNT(*) AS count FROM main.records AS kept
            JOIN temp.records AS made USING (space, collection, record)
        WHERE kept.searched NOT BETWEEN 0 AND \(batch) OR kept.text <> made.text
            OR (kept.searched = 0 AND kept.text <> '')
        GROUP BY kept.space
        """
    }

    /// Has the temporary index hold, of records that wait to be indexed, what the kept one holds: that is no
    /// fault.
    private func indexAsKept(before batch: Int64) throws {
        let rows = try database.rows(
            """
            SELECT made.id AS id, kept.text AS text, kept.former_text AS former_text,
                made.text AS made
            FROM main.records AS kept
                JOIN temp.records AS made USING (space, collection, record)
            WHERE kept.searched = ?
            """, [batch])
        for row in rows {
            try WordIndex.put(
                try row.textIndexed(.pending), at: try row.integer("id"),
                replacing: try row.text("made"), in: database)
        }
    }

    /// The index keeps no texts: the words of both tables must be the same, each in as many records and as often.
    /// FTS5's own check would need a write transaction.
    private func isIndexBroken() throws -> Bool {
        try database.execute(
            sql: """
                CREATE VIRTUAL TABLE temp.kept_words USING fts5vocab('main', 'search', 'row');
                CREATE VIRTUAL TABLE temp.made_words USING fts5vocab('temp', 'search', 'row');
                """)
        for (one, other) in [("kept", "made"), ("made", "kept")] {
            let difference = try database.number(
                """
                SELECT COUNT(*) FROM (SELECT term, doc, cnt FROM temp.\(one)_words
                    EXCEPT SELECT term, doc, cnt FROM temp.\(other)_words)
                """)
            if difference ?? 0 > 0 { return true }
        }
        return false
    }
}
