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
            let only = table.name == StoreMark.settings ? "WHERE key GLOB 'user.*'" : ""
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

    /// Whether another one says the same. Addresses, and settings that pass, change without being marked.
    func isAsGood(as other: StoreMark?) -> Bool {
        guard let other else { return false }
        return filled == other.filled
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

    /// Nil where nothing is.
    func older(_ store: StoreMark) -> Older? {
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
            try restore(into: database, lostSettings: true)
            for table in tables { try renew(table, in: database) { _ in true } }
        case .spaces(let spaces):
            let ids = Set(spaces.map { PageValue.bytes($0.bytes) })
            for table in tables where table.name == StoreMark.spaces {
                try renew(table, in: database, where: ids.contains)
            }
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

// MARK: Bytes

/// ```
/// head       16 bytes: "peersync mark 1\n"
/// tables     count, then of each: name, count of columns, their names, count of rows, values of each
/// filled     count, then space ids (32)
/// hash       32 bytes: SHA-256 of everything before
/// ```
/// A value is a byte for its kind, then: 0 nothing, 1 eight bytes (big endian), 2 a text, 3 bytes.
/// Counts are variable-length numbers, names, texts and bytes are preceded by their length.
extension StoreMark {
    private static let head = Array("peersync mark 1\n".utf8)

    var encoded: [UInt8] {
        var writer = ByteWriter(capacity: 4096)
        writer.append(StoreMark.head)
        writer.append(number: UInt64(tables.count))
        for table in tables {
            writer.append(prefixed: table.name.utf8)
            writer.append(number: UInt64(table.columns.count))
            for column in table.columns { writer.append(prefixed: column.utf8) }
            writer.append(number: UInt64(table.rows.count))
            for row in table.rows {
                for value in row { writer.append(value) }
            }
        }
        writer.append(number: UInt64(filled.count))
        for space in filled.sorted() { writer.append(space.bytes) }
        Invariants.check(
            tables.allSatisfy { table in table.rows.allSatisfy { $0.count == table.columns.count }
            },
            "a row of the mark has other columns than its table")
        let whole = writer.bytes + sha256(writer.bytes).bytes
        Invariants.check(
            StoreMark(encoded: whole)?.filled == filled, "a mark is read back as another one")
        Invariants.check(
            StoreMark(encoded: whole)?.tables.map(\.rows) == tables.map(\.rows),
            "a mark is read back with other rows")
        return whole
    }

    /// Nil for bytes that are not what was written.
    init?(encoded: [UInt8]) {
        let content = Array(encoded.dropLast(32))
        guard encoded.count >= 32, sha256(content).bytes == Array(encoded.suffix(32)),
            let mark = try? StoreMark(content: content)
        else { return nil }
        self = mark
    }

    private init(content: [UInt8]) throws(RecordCodec.Malformed) {
        var reader = ByteReader(content)
        guard try reader.bytes(StoreMark.head.count).elementsEqual(StoreMark.head) else {
            throw .init()
        }
        tables = []
        for _ in 0..<(try reader.count()) {
            let name = try reader.text()
            var columns: [String] = []
            for _ in 0..<(try reader.count()) { columns.append(try reader.text()) }
            var table = Table(name: name, columns: columns)
            for _ in 0..<(try reader.count()) {
                var row: [PageValue] = []
                for _ in columns { row.append(try reader.value()) }
                table.rows.append(row)
            }
            tables.append(table)
        }
        filled = []
        for _ in 0..<(try reader.count()) {
            guard let space = SpaceID(bytes: Array(try reader.bytes(32))) else { throw .init() }
            filled.insert(space)
        }
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ value: PageValue) {
        switch value {
        case .null: append(0)
        case .integer(let number):
            append(1)
            append(bigEndian(UInt64(bitPattern: number)))
        case .text(let text):
            append(2)
            append(prefixed: text)
        case .bytes(let bytes):
            append(3)
            append(prefixed: bytes)
        }
    }
}

extension ByteReader {
    fileprivate mutating func value() throws(RecordCodec.Malformed) -> PageValue {
        switch try byte() {
        case 0: .null
        case 1: .integer(Int64(bitPattern: try fixed64()))
        case 2: .text(Array(try prefixed()))
        case 3: .bytes(Array(try prefixed()))
        default: throw .init()
        }
    }
}
