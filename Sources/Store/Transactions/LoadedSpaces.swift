internal import GRDB
internal import SyncCore

/// One space as it is kept in memory beside the database.
struct LoadedSpace: Sendable {
    let row: Int64
    var ledger: SpaceLedger
    /// Row ids of the interned logs.
    var logs: [LogID: Int64] = [:]
    /// Nil while the files of the space are to be counted again.
    var blobCounts: BlobCounts?
    /// Which of the files that a device listed last as lacking are thumbnails, with the counter of that
    /// list.
    var lackedThumbnails: [DeviceID: (counter: UInt64, blobs: Set<BlobID>)] = [:]
    /// Files of records that are not shown; nil while they are to be looked for again.
    var deletedFiles: [BlobID: DeletedFile]?
    /// With which ``LoadedSpaces/version`` the files last changed that no record names any more, and with which
    /// these or the deleted ones, or which orphans were written again: ``KeptFindings`` of before are outdated.
    private(set) var replacedSince: UInt64 = 0
    private(set) var hiddenSince: UInt64 = 0
    private(set) var rewrittenSince: UInt64 = 0
    /// Files that several commits name; nil while they are to be looked for again.
    var repeatedBlobs: [BlobID]?
    /// Rows of records by collection, deleted ones too; nil while they are to be counted again.
    var recordCounts: [CollectionName: Int]?

    /// A space as it is found with a version.
    init(row: Int64, founded ledger: SpaceLedger, at version: UInt64) {
        (self.row, self.ledger) = (row, ledger)
        (blobCounts, recordCounts) = (BlobCounts(), [:])
        (replacedSince, hiddenSince, rewrittenSince) = (version, version, version)
    }

    init(row: Int64, ledger: SpaceLedger, logs: [LogID: Int64]) {
        (self.row, self.ledger, self.logs) = (row, ledger, logs)
    }

    /// Whether a device reads the space today.
    func isReader(_ device: DeviceID) -> Bool {
        ledger.membership.permissions(of: device).contains(.read)
    }

    /// Counts records that had no row before, by collection.
    mutating func count(inserted: [CollectionName: Int]) {
        for (collection, count) in inserted { recordCounts?[collection, default: 0] += count }
    }

    /// Commits that were here became or ceased to be effective, or went: the first name of a blob may
    /// be another one.
    mutating func forgetFiles(at version: UInt64) {
        blobCounts = nil
        lackedThumbnails = [:]
        repeatedBlobs = nil
        (replacedSince, hiddenSince) = (version, version)
    }

    /// Commits came, or count otherwise: other orphans may wait, or be written again.
    mutating func forgetRewrittenOrphans(at version: UInt64) { rewrittenSince = version }

    /// A commit named files.
    mutating func forgetNamedFiles(at version: UInt64) {
        repeatedBlobs = nil
        replacedSince = version
    }

    /// Records changed, or are to be made again; those of nil are all.
    mutating func forgetDeletedFiles(
        touched: Set<RecordKey>?, _ schema: Schema?, at version: UInt64
    ) {
        deletedFiles = nil
        hiddenSince = version
        guard let touched, let schema else {
            replacedSince = version
            return
        }
        let hasFiles = touched.contains { schema.collection($0.collection)?.fileFieldCount != 0 }
        if hasFiles { replacedSince = version }
    }
}

/// All spaces whose genesis is here, the keys that their cards showed, and where every space stands.
struct LoadedSpaces: Sendable {
    var spaces: [SpaceID: LoadedSpace] = [:]
    var keys = KeyDirectory()
    /// Of all spaces that have a row.
    var standings: [SpaceID: SpaceStanding] = [:]
    /// Of which commits wait for others that are not here any more.
    var stranded: Set<SpaceID> = []
    /// Which may have records that are unfinished: those that had one since the store was opened.
    var unfinished: Set<SpaceID> = []
    /// Whether there may be files that were freed.
    var hasFreed = false
    /// Which records the index of words may not have yet.
    var pending = PendingRecords()
    /// When the stored commits came here.
    var receipts = Receipts()
    /// Nil before the first opening has drawn one.
    var incarnation: Incarnation?
    /// Counts write transactions.
    var version: UInt64 = 0
    /// Counts changes of what is known of other devices.
    var deviceChanges: UInt64 = 0
    /// Whether a transaction is ending whose results are not here yet, though the database may show them.
    var isCommitting = false
    /// Of which everything was lost to damage, and nothing came again yet.
    var emptied: Set<SpaceID> = []
    var dismissed = DismissedDamage()
    /// Whether the mark beside the store says which spaces and devices there are.
    var isMarked = true

    /// Whether search covers a space: not one that is only offered, or was left.
    func isIndexed(_ space: SpaceID) -> Bool { standings[space] == .active }

    /// Spaces with records that search does not cover.
    var unindexed: Set<SpaceID> { Set(spaces.keys.filter { !isIndexed($0) }) }

    /// How far each log goes, by its row.
    var ends: [Int64: LogEnd] {
        spaces.values.reduce(into: [:]) { ends, space in
            for (log, head) in space.ledger.watermark.heads {
                guard let row = space.logs[log] else { continue }
                ends[row] = LogEnd(space: space.ledger.space, log: log, head: head)
            }
        }
    }
}

extension LoadedSpaces {
    /// Loads every space; membership facts are verified again, so that changing the file
    /// gains nothing.
    init(
        from database: Database, decoder: any CommitDecoding, verifier: any CommitVerifying
    ) throws {
        let rows = try database.rows(
            """
            SELECT id, space_id, role, schema_id, schema_version, schema_document FROM spaces
            WHERE role IS NOT NULL
            """)
        for row in rows {
            let space: SpaceID = try row.identifier("space_id")
            try load(space, row, from: database, decoder: decoder, verifier: verifier)
        }
        for row in try database.rows("SELECT signing_key FROM devices") {
            guard let key = Bytes32(try row.bytes("signing_key")) else {
                throw row.wrong("signing_key")
            }
            keys.add(key)
        }
        for row in try database.rows("SELECT space_id, standing FROM spaces") {
            standings[try row.identifier("space_id")] = try row.standing()
        }
        for row in try database.rows(
            "SELECT space_id FROM spaces WHERE id IN (SELECT space FROM stranded)")
        {
            stranded.insert(try row.identifier("space_id"))
        }
        unfinished = try UnfinishedTable.spaces(in: database)
        hasFreed =
            try database.number(
                "SELECT 1 FROM blobs INDEXED BY blobs_freed WHERE state = 2 LIMIT 1") != nil
        dismissed = try DismissedDamage(from: database)
        receipts = try Receipts(in: database)
        incarnation = try Settings.bytes("incarnation", in: database).flatMap { Incarnation($0) }
    }

    private mutating func load(
        _ space: SpaceID, _ row: Row, from database: Database, decoder: any CommitDecoding,
        verifier: any CommitVerifying
    ) throws {
        guard let role = SpaceRole(rawValue: UInt8(truncatingIfNeeded: try row.integer("role")))
        else { throw row.wrong("role") }
        let id = try row.integer("id")
        let schema = SchemaPin(
            schema: try row.identifier("schema_id"),
            version: UInt32(truncatingIfNeeded: try row.integer("schema_version")),
            document: try row.optionalBytes("schema_document"))
        let (logs, watermark) = try LoadedSpaces.logs(of: id, in: database)
        var membership = try collectMembership(of: id, database, decoder, verifier)
        let forks = try ForkTable.load(
            space, id, logs, database, decoder: decoder, verifier: verifier, keys: keys)
        for (log, fork) in forks {
            membership.collectFork(of: log, at: fork.sequence, branches: fork.branches)
        }
        membership.evaluate()
        let seen = try LoadedSpaces.seen(by: logs, in: id, database)
        let ledger = SpaceLedger(
            restored: space, role: role, schema: schema, watermark: watermark,
            membership: membership,
            forks: forks.mapValues { ForkedLog(sequence: $0.sequence, branches: $0.branches) },
            seen: seen,
            sealing: try SealedTable.sealing(of: id, logs, membership, in: database),
            openGroups: OpenGroups(
                try GroupTable.open(in: id, logs, database).filter { log, _ in
                    forks[log].map { watermark.sequence(of: log) + 1 < $0.sequence } ?? true
                }))
        spaces[space] = LoadedSpace(row: id, ledger: ledger, logs: logs)
    }

    private static func logs(
        of space: Int64, in database: Database
    ) throws -> ([LogID: Int64], Watermark) {
        var logs: [LogID: Int64] = [:]
        var heads: [LogID: LogHead] = [:]
        for row in try database.rows("SELECT * FROM logs WHERE space = ?", [space]) {
            let log = try row.log()
            logs[log] = try row.integer("id")
            let sequence = try row.sequence("head_sequence")
            // A log that forked at its start, or that was only named, has no head.
            guard sequence > 0 else { continue }
            heads[log] = LogHead(
                sequence: sequence, commit: try row.identifier("head_commit"))
        }
        return (logs, Watermark(heads))
    }

    /// All facts of a space, not judged yet: its forks are still to come.
    private mutating func collectMembership(
        of space: Int64, _ database: Database, _ decoder: any CommitDecoding,
        _ verifier: any CommitVerifying
    ) throws -> Membership {
        var membership = Membership()
        let cursor = try database.rowCursor(
            """
            SELECT branch, log, header, signature, clear, operations FROM (
                SELECT id, 0 AS branch, log, header, signature, clear, operations FROM commits
                    WHERE space = ? AND facts = 1
                UNION ALL
                SELECT id, 1, log, header, signature, clear, operations FROM branches
                    WHERE space = ? AND facts = 1)
            ORDER BY branch, id
            """, [space, space])
        while let row = try cursor.next() {
            let commit = try row.commit(decoder)
            keys.learn(from: commit.clear)
            let facts = verifier.facts(of: commit, keys: keys)
            let verified = VerifiedCommit(verified: commit, facts: facts)
            var seen: [LogID: UInt64] = [:]
            if verified.needsSeen {
                let (log, header) = (try row.integer("log"), commit.header)
                seen =
                    try row.flag("branch")
                    ? BranchTable.seen(by: header, of: log, database, decoder) {
                        membership.facts.seen(by: $0)
                    } : SeenTable.seen(by: log, at: header.sequence, database)
            }
            decoder.epochKeys?.learn(facts, of: commit.id, in: commit.space)
            membership.collect(verified, seen: seen)
        }
        return membership
    }

    private static func seen(
        by logs: [LogID: Int64], in space: Int64, _ database: Database
    ) throws -> [LogID: [LogID: UInt64]] {
        let byRow = Dictionary(logs.map { ($0.value, $0.key) }) { first, _ in first }
        var seen: [LogID: [LogID: UInt64]] = [:]
        let cursor = try database.rowCursor(
            """
            SELECT seen.log, seen.target, MAX(seen.sequence) AS sequence FROM seen
            JOIN logs ON logs.id = seen.log WHERE logs.space = ? GROUP BY seen.log, seen.target
            """, [space])
        while let row = try cursor.next() {
            guard let log = byRow[try row.integer("log")],
                let target = byRow[try row.integer("target")]
            else { throw row.wrong("target") }
            seen[log, default: [:]][target] = try row.unsigned("sequence")
        }
        return seen
    }
}

extension KeyDirectory {
    /// Takes in every card of a clear part.
    mutating func learn(from clear: ClearPart) {
        if let founder = clear.genesis?.founder { add(founder) }
        for fact in clear.facts {
            switch fact {
            case .grant(let grant): add(grant.card)
            case .personStatement(let statement):
                if case .grant(let grant) = statement.body { add(grant.card) }
            case .revocation, .epoch, .fork, .redating, .request, .keyExchange, .unknown: break
            }
        }
    }
}
