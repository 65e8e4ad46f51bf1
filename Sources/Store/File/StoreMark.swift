internal import GRDB
internal import SyncCore

/// What a store holds besides what others can send again: which spaces this device has, which devices
/// it knows, how it is called. Kept beside the database, so that an empty or an older one is never
/// taken for all there was.
struct StoreMark: Hashable {
    /// A table, as far as it is kept.
    struct Table: Hashable {
        let name: String
        let columns: [String]
        /// What tells its rows apart, where they change.
        var key: String?
        var rows: [[PageValue]] = []
    }

    var tables: [Table]
    /// Spaces of which something was here.
    var filled: Set<SpaceID>

    /// The setting that counts the marks: by it the newer one of a mark and a database is known.
    private static let count = "marks"
    private static let settings = "settings"
    private static let spaces = "spaces"
    private static let devices = "devices"
    private static let losses = "loss_statements"
    private static let lost = "lost"
    /// What everything in a space hangs on: its first commit, whose hash is the space's id. No table of the database.
    private static let genesis = "genesis"

    /// In the order in which they are put back.
    private static let kept = [
        Table(name: settings, columns: ["key", "value"], key: "key"),
        Table(
            name: spaces,
            columns: [
                "id", "space_id", "standing", "accepted_at", "offer_title", "offer_from",
                "offer_flags",
                "offer_bytes", "offered_by", "offer_schema",
            ], key: "space_id"),
        Table(
            name: devices,
            columns: [
                "device", "signing_key", "person", "card", "device_name", "person_name",
                "paired_at", "forgotten_at",
            ], key: "device"),
        Table(name: losses, columns: ["id", "person", "heard_at", "content"]),
        Table(name: lost, columns: ["space", "device", "incarnation", "sequence"]),
        Table(name: "addresses", columns: ["device", "host", "port", "source"]),
    ]

    init(tables: [Table], filled: Set<SpaceID>) { (self.tables, self.filled) = (tables, filled) }

    /// Of a database as it is, in which of these spaces nothing is that was there.
    init(of database: Database, emptied: Set<SpaceID> = []) throws {
        tables = try StoreMark.kept.map { table in
            var table = table
            let names = table.columns.joined(separator: ", ")
            let only =
                table.name == StoreMark.settings
                ? "WHERE key GLOB 'user.*' OR key = '\(StoreMark.count)'" : ""
            table.rows = try database.rows(
                "SELECT \(names) FROM \(table.name) \(only) ORDER BY 1, 2"
            )
            .map { try $0.values() }
            return table
        }
        var geneses = Table(
            name: StoreMark.genesis, columns: ["header", "signature", "clear", "operations"])
        geneses.rows = try database.rows(
            """
            SELECT header, signature, clear, operations FROM commits
            WHERE facts = 1 AND genesis = 1 ORDER BY commit_id
            """
        ).map { try $0.values() }
        tables.append(geneses)
        filled = emptied
        for row in try database.rows("SELECT space_id FROM spaces WHERE role IS NOT NULL") {
            filled.insert(try row.identifier("space_id"))
        }
    }

    /// Which mark of a database this is; nil of one that an earlier program wrote. Counted in the transaction of
    /// which the mark tells.
    private var number: UInt64? {
        let key = PageValue.text(Array(StoreMark.count.utf8))
        let bytes = rows(of: StoreMark.settings).first { $0.first == key }?.last?.blob ?? []
        return bytes.count == 8 ? UInt64(bigEndian: bytes) : nil
    }

    /// Counts one more, in a transaction after which a mark is to be written.
    static func count(in database: Database) throws {
        let before = try Settings.number(count, in: database) ?? 0
        try Settings.set(count, number: before + 1, in: database)
    }

    /// Whether another one says the same. Addresses, and settings that pass, change without being marked.
    func isAsGood(as other: StoreMark?) -> Bool {
        guard let other else { return false }
        return filled == other.filled && number == other.number
            && [
                StoreMark.spaces, StoreMark.devices, StoreMark.losses, StoreMark.lost,
                StoreMark.genesis,
            ].allSatisfy { rows(of: $0) == other.rows(of: $0) }
    }

    /// The first commits of spaces, as far as they are what was signed.
    var geneses: [SpaceID: EncodedCommit] {
        rows(of: StoreMark.genesis).reduce(into: [:]) { found, row in
            let parts = row.compactMap(\.blob)
            guard row.count == 4, parts.count == 4 else { return }
            let commit = EncodedCommit(
                header: parts[0], signature: parts[1], clear: parts[2], operations: parts[3])
            if let space = SpaceID(bytes: commit.id.bytes) { found[space] = commit }
        }
    }

    /// Keeps the first commits of spaces of which nothing is left, from the mark before.
    mutating func keepGeneses(of emptied: Set<SpaceID>, from before: StoreMark) {
        guard let place = tables.firstIndex(where: { $0.name == StoreMark.genesis }) else { return }
        let here = geneses
        let kept = before.geneses.filter { emptied.contains($0.key) && here[$0.key] == nil }
        guard !kept.isEmpty else { return }
        tables[place].rows = here.merging(kept) { $1 }.sorted { $0.key < $1.key }.map { _, commit in
            [commit.header, commit.signature, commit.clear, commit.operations].map { .bytes($0) }
        }
        Invariants.check(
            Set(geneses.keys) == Set(here.keys).union(kept.keys),
            "the first commit of a space is kept as that of another one")
    }

    /// Whether a store lacks something that was there: a space, a device, or a word of a lost one.
    private func isMissing(in store: StoreMark) -> Bool {
        func ids(_ mark: StoreMark, of table: String, at place: Int) -> Set<PageValue> {
            Set(mark.rows(of: table).map { $0[place] })
        }
        let lasting = [(StoreMark.spaces, 1), (StoreMark.devices, 0), (StoreMark.losses, 0)]
        return lasting.contains { table, place in
            !ids(self, of: table, at: place).isSubset(of: ids(store, of: table, at: place))
        }
    }

    /// What of a store is older than this mark.
    enum Older {
        /// All that the mark says, too: the store lacks something.
        case everything
        /// These spaces: something was here of which the store has nothing, or the store does not know that they were
        /// accepted.
        case spaces(Set<SpaceID>)
    }

    /// Nil where nothing is. Of two that are counted the one with the greater count is newer; where the mark could
    /// not be written, on a full disk for example, that is the store.
    func older(_ store: StoreMark) -> Older? {
        if let number {
            let its = store.number ?? 0
            if number != its { return number > its ? .everything : nil }
        }
        if isMissing(in: store) { return .everything }
        // Nobody who accepted a space is asked again before having left it.
        let unanswered = spaces(.active).intersection(store.spaces(.offered))
        let older = filled.subtracting(store.filled).union(unanswered)
        return older.isEmpty ? nil : .spaces(older)
    }

    private func spaces(_ standing: SpaceStanding) -> Set<SpaceID> {
        Set(
            rows(of: StoreMark.spaces).filter { $0[2] == .integer(standing.rawValue) }
                .compactMap { $0[1].blob.flatMap { SpaceID(bytes: $0) } })
    }

    private func rows(of table: String) -> [[PageValue]] {
        tables.first { $0.name == table }?.rows ?? []
    }

    /// Puts back what a damaged database lacks; what it has stays. Settings only when it has lost some: one
    /// that was removed stays away.
    func restore(into database: Database, lostSettings: Bool) throws {
        try restoreSpaces(into: database)
        for table in tables where table.name != StoreMark.spaces {
            if table.name == StoreMark.settings, !lostSettings { continue }
            try restore(table, into: database)
        }
    }

    /// Brings an older database, or an empty one, to what this mark says: where they differ, the mark is
    /// newer.
    func renew(_ older: Older, in database: Database) throws {
        switch older {
        case .everything:
            if number != nil { try removeSettings(from: database) }
            try restore(into: database, lostSettings: true)
            for table in tables { try renew(table, in: database) { _ in true } }
        case .spaces(let spaces):
            let ids = Set(spaces.map { PageValue.bytes($0.bytes) })
            for table in tables where table.name == StoreMark.spaces {
                try renew(table, in: database, where: ids.contains)
            }
        }
    }

    /// Those that were removed since.
    private func removeSettings(from database: Database) throws {
        let kept = Set(rows(of: StoreMark.settings).compactMap(\.first))
        for row in try database.rows("SELECT key FROM settings WHERE key GLOB 'user.*'") {
            let key = try row.text("key")
            guard !kept.contains(.text(Array(key.utf8))) else { continue }
            try Settings.set(key, nil, in: database)
        }
    }

    private func renew(
        _ table: Table, in database: Database, where isWanted: (PageValue) -> Bool
    ) throws {
        if let key = StoreMark.kept.first(where: { $0.name == table.name })?.key,
            let place = table.columns.firstIndex(of: key)
        {
            for row in table.rows where isWanted(row[place]) {
                let others = columns(of: table, row) { $0 != key && $0 != "id" }
                guard !others.isEmpty else { continue }
                try database.run(
                    """
                    UPDATE \(table.name) SET \(others.map { "\($0.0) = ?" }.joined(separator: ", "))
                    WHERE \(key) = ?
                    """, others.map(\.1) + [row[place]])
            }
        }
    }

    /// Puts back the spaces that a database lacks, in the rows that they had, by which other tables name
    /// them.
    func restoreSpaces(into database: Database) throws {
        for table in tables where table.name == StoreMark.spaces {
            try restore(table, into: database)
            // Where another space has that row.
            try restore(table, into: database) { $0 != "id" }
        }
    }

    private func restore(
        _ table: Table, into database: Database, columns isWanted: (String) -> Bool = { _ in true }
    ) throws {
        for row in table.rows {
            let values = columns(of: table, row, isWanted)
            guard !values.isEmpty else { continue }
            try database.insertFitting(values.map(\.1), into: table.name, values.map(\.0))
        }
    }

    /// Those that there are: a program of another time may have had other columns, or tables.
    private func columns(
        of table: Table, _ row: [PageValue], _ isWanted: (String) -> Bool
    ) -> [(String, PageValue)] {
        let known = StoreMark.kept.first { $0.name == table.name }?.columns ?? []
        return zip(table.columns, row).filter { known.contains($0.0) && isWanted($0.0) }
    }
}
