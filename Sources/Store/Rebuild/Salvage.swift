internal import GRDB
internal import SyncCore

/// Copies what can be trusted of a damaged database into an empty one. Commits come to stand in
/// `stranded`, for the store to take them in one by one.
final class Salvage {
    /// The proofs that logs forked.
    private(set) var forks: [UnverifiedFork] = []
    /// How far each log was here.
    private(set) var heads: [LogEnd] = []
    /// Whether what is known of the logs, and how this device writes, could be read whole.
    private(set) var isWhole = true

    private let rows: PageRows
    private let target: DatabaseQueue
    private let decoder: any CommitDecoding
    private var roots: [String: UInt32] = [:]
    private var spaces: [Int64: SpaceID] = [:]
    private var rowOfSpace: [SpaceID: Int64] = [:]
    private var takesStrangeSpaces = false

    init(
        _ file: PageFile, into path: String, _ mark: StoreMark?, _ decoder: any CommitDecoding
    ) throws {
        rows = PageRows(file)
        self.decoder = decoder
        target = try DatabaseQueue(path: path, configuration: StoreOpening.configuration())
        try target.writeWithoutTransaction { database in
            try database.writing { try run(database, mark) }
        }
    }

    /// Ends the work: the store goes on as that of this file.
    func note(fingerprint: String) throws {
        try target.writeWithoutTransaction { database in
            try database.writing {
                try Settings.set("file", Array(fingerprint.utf8), in: database)
                try Settings.set(BlobTable.unplaced, [1], in: database)
                try RebuiltFiles.begin(in: database)
            }
        }
        try target.close()
    }

    private func run(_ database: Database, _ mark: StoreMark?) throws {
        try findRoots(database)
        let areSettingsWhole = try copy("settings", "settings_twice", database)
        // Counted again as the commits are taken in.
        try NewerParts().save(in: database)
        let areSpacesWhole = try copy("spaces", "spaces_twice", database)
        // Before anything else has a row: other tables name spaces by theirs.
        try mark?.restoreSpaces(into: database)
        takesStrangeSpaces = !areSpacesWhole && mark == nil
        try database.run("UPDATE spaces SET role = NULL, shown_schema = NULL")
        for row in try database.rows("SELECT id, space_id FROM spaces") {
            let space: SpaceID = try row.identifier("space_id")
            spaces[try row.integer("id")] = space
            rowOfSpace[space] = try row.integer("id")
        }
        for (table, index) in [
            ("devices", "devices_twice"), ("addresses", nil),
            ("loss_statements", "loss_statements_twice"),
            ("local_values", "local_values_twice"),
            ("recovered", nil), ("dismissed", nil), ("blobs", nil), ("blob_spaces", nil),
            ("acknowledgements", nil),
            ("holdings", nil),
            ("pairing_codes", nil), ("sync_runs", nil), ("lost", nil),
            ("revocation_notices", nil), ("reversals", nil),
        ] {
            _ = try copy(table, index, database)
        }
        try mark?.restore(into: database, lostSettings: !areSettingsWhole)
        // The damaged store may be of an older format.
        try FormerSettings.move(in: database)
        let areHeadsWhole = try eachRow(of: "logs") { noteHead($0) }
        isWhole = areSettingsWhole && areSpacesWhole && areHeadsWhole
        _ = try eachRow(of: "forks") { salvageFork($0) }
        try rows.strayRows { try salvageStray($0, database) }
        for (space, genesis) in mark?.geneses ?? [:] {
            try salvageGenesis(genesis, of: space, database)
        }
        for row in try database.rows("SELECT space, device, incarnation, sequence FROM lost") {
            noteHead(
                space: try row.integer("space"), try row.bytes("device"),
                try row.bytes("incarnation"), try row.integer("sequence"))
        }
        try database.run("DELETE FROM lost")
    }

    /// Where each tree starts: by the file's own schema or, where that is damaged, by that of a new
    /// file, in which tables are made in the same order.
    private func findRoots(_ database: Database) throws {
        for row in try database.rows("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
        {
            roots[try row.text("name")] = UInt32(clamping: try row.integer("rootpage"))
        }
        var own: [String: UInt32] = [:]
        let isWhole = try rows.rows(ofTree: 1) { row in
            guard row.count >= 4, case .text(let name) = row[1],
                let root = row[3].number.flatMap({ UInt32(exactly: $0) }), root > 0
            else { return }
            own[String(decoding: name, as: UTF8.self)] = root
        }
        roots = isWhole ? own : roots.merging(own) { $1 }
        // What it was called before format 12; its columns are the first ones.
        if let former = own["rescued"] { roots["recovered"] = former }
    }

    /// Returns whether every row could be read.
    private func eachRow(
        of name: String, _ body: ([PageValue]) throws -> Void
    ) throws -> Bool {
        guard let root = roots[name] else { return true }
        return try rows.rows(ofTree: root, body)
    }

    /// Copies a table, and what it lacks from the index that holds the same. Returns whether all of
    /// it is there now.
    private func copy(_ table: String, _ index: String?, _ database: Database) throws -> Bool {
        let columns = try database.rows("PRAGMA table_info(\(table))").map { try $0.text("name") }
        let hasRowID = columns.first == "id"
        let isWhole = try eachRow(of: table) {
            try database.insertFitting($0, into: table, columns)
        }
        guard !isWhole, let index, roots[index] != nil else { return isWhole }
        return try eachRow(of: index) { row in
            // An index has the row's id at its end.
            let values = hasRowID ? Array(row.suffix(1) + row.dropLast()) : row
            try database.insertFitting(values, into: table, columns)
        }
    }

    private func noteHead(_ row: [PageValue]) {
        guard row.count >= 5, let space = row[1].number, let device = row[2].blob,
            let incarnation = row[3].blob, let sequence = row[4].number
        else { return }
        noteHead(space: space, device, incarnation, sequence)
    }

    private func noteHead(
        space: Int64, _ device: [UInt8], _ incarnation: [UInt8], _ sequence: Int64
    ) {
        guard let space = spaces[space], let device = DeviceID(bytes: device),
            let incarnation = Bytes16(incarnation), sequence > 0
        else { return }
        let log = LogID(device: device, incarnation: incarnation)
        heads.append(
            LogEnd(space: space, log: log, sequence: UInt64(sequence)))
    }

    private func salvageFork(_ row: [PageValue]) {
        func side(_ header: [UInt8]?, _ signature: [UInt8]?) -> UnverifiedFork.Side? {
            // One that does not read is proven again by a peer that has both branches.
            guard let header, let signature, let read = try? decoder.header(header) else {
                return nil
            }
            return UnverifiedFork.Side(bytes: header, header: read, signature: signature)
        }
        guard row.count == 8, let first = side(row[4].blob, row[5].blob),
            let second = side(row[6].blob, row[7].blob)
        else { return }
        forks.append(UnverifiedFork(first: first, second: second))
    }

    private func salvageStray(_ row: [PageValue], _ database: Database) throws {
        switch row.count {
        // The tables commits, branches and stranded: their last columns are the same.
        case 19, 14, 10: try salvageCommit(row, database)
        case 8: try salvageBlob(row, database)
        default: break
        }
    }

    private func salvageCommit(_ row: [PageValue], _ database: Database) throws {
        let end = row.count
        guard let header = row[end - 4].blob, let signature = row[end - 3].blob,
            let clear = row[end - 2].blob, let operations = row[end - 1].blob,
            let received = row[end - 7].number, let id = row[end - 6].blob
        else { return }
        let encoded = EncodedCommit(
            header: header, signature: signature, clear: clear, operations: operations)
        // What is no commit stays behind in the copy.
        guard encoded.id.bytes == id, let commit = try? decoder.decode(encoded),
            let space = try self.row(of: commit.space, database)
        else { return }
        let order = row.count == 10 ? row[2].number : row[0].number
        try database.run(
            """
            INSERT OR IGNORE INTO stranded (space, place, received_at, commit_id, byte_count,
                header, signature, clear, operations) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                space, order ?? 0, received, id, encoded.byteCount, header, signature, clear,
                operations,
            ])
    }

    /// The first commit of a space of which later ones are here.
    private func salvageGenesis(
        _ genesis: EncodedCommit, of space: SpaceID, _ database: Database
    ) throws {
        let first = try database.number(
            "SELECT MIN(received_at) FROM stranded WHERE space = ?", [rowOfSpace[space] ?? 0])
        guard let first else { return }
        let parts = [genesis.header, genesis.signature, genesis.clear, genesis.operations]
        try salvageCommit(
            // As a row of the table stranded.
            [.null, .null, .integer(0), .integer(first), .bytes(genesis.id.bytes), .null]
                + parts.map { .bytes($0) }, database)
    }

    /// The row of a space. One that is not known is taken up only when not all of them could be read.
    private func row(of space: SpaceID, _ database: Database) throws -> Int64? {
        if let row = rowOfSpace[space] { return row }
        guard takesStrangeSpaces else { return nil }
        try database.run(
            "INSERT INTO spaces (space_id, standing) VALUES (?, ?)",
            [space.bytes, SpaceStanding.active.rawValue])
        rowOfSpace[space] = database.lastInsertedRowID
        return rowOfSpace[space]
    }

    private func salvageBlob(_ row: [PageValue], _ database: Database) throws {
        guard let id = row[1].blob, let blob = BlobID(bytes: id), let content = row[7].blob,
            content.count < Limits.smallBlobBytes,
            // Not its bytes: the next copy may be.
            let list = try? BlobHash.chunkList(of: content), list.blobID == blob
        else { return }
        try database.run(
            "INSERT OR IGNORE INTO blobs (blob_id, state, size, content) VALUES (?, ?, ?, ?)",
            [id, BlobState.present, content.count, content])
    }
}
