internal import SyncCore

extension WriteTransaction {
    /// Judges every commit of a space by its current membership. Returns the records that commits with a
    /// changed judgement touch: they are to be rebuilt from the log.
    func reevaluate(
        _ state: inout LoadedSpace, _ report: inout ApplyReport
    ) throws -> Set<RecordKey> {
        let byRow = Dictionary(state.logs.map { ($0.value, $0.key) }) { first, _ in first }
        var changed: [(row: Int64, effective: Bool)] = []
        let isSealed = try SealedTable.concerns(state, in: database)
        let cursor = try database.rowCursor(
            """
            SELECT id, log, sequence, effective, genesis, required, precedence, grant_commit,
                grant_index, \(GroupTable.end), \(isSealed ? SealedTable.claimed : SealedTable.unclaimed)
            WHERE commits.space = ? ORDER BY id
            """, [state.row])
        while let row = try cursor.next() {
            guard let log = byRow[try row.integer("log")] else { throw row.wrong("log") }
            let effective = state.ledger.isEffective(try row.claim(of: log))
            if effective != (try row.flag("effective")) {
                changed.append((try row.integer("id"), effective))
            }
        }
        var touched: Set<RecordKey> = []
        guard !changed.isEmpty || !displaced.isEmpty else { return touched }
        state.forgetFiles(at: nextVersion)
        for (row, effective) in changed {
            try database.run(
                "UPDATE commits SET effective = ? WHERE id = ?", [effective, row])
            let commit = try decoded(row)
            touched.formUnion(keys(of: commit, in: state))
            if effective {
                report.need(try BlobTable.missing(namedBy: row, in: database))
            }
        }
        report.reevaluated += changed.count
        return touched
    }

    /// Dates the commits of devices by the current redatings. Returns the records that commits with a
    /// changed time touch: they are to be rebuilt from the log.
    func redate(
        _ devices: some Sequence<DeviceID>, _ state: LoadedSpace, _ report: inout ApplyReport
    ) throws -> Set<RecordKey> {
        var touched: Set<RecordKey> = []
        for device in devices {
            for (row, clock) in try misdated(device, state) {
                try database.run(
                    "UPDATE commits SET clock = ? WHERE id = ?",
                    [Int64(bitPattern: clock.raw), row])
                touched.formUnion(keys(of: try decoded(row), in: state))
                report.redated.insert(device)
            }
        }
        return touched
    }

    /// Commits of a device that are kept with another time than they count as written at.
    private func misdated(
        _ device: DeviceID, _ state: LoadedSpace
    ) throws -> [(row: Int64, clock: HybridTime)] {
        var found: [(row: Int64, clock: HybridTime)] = []
        for (log, number) in state.logs where log.device == device {
            let cursor = try database.rowCursor(
                "SELECT id, clock, header FROM commits WHERE log = ?", [number])
            while let row = try cursor.next() {
                let clock = state.ledger.clock(of: try decoder.header(try row.bytes("header")))
                if clock.raw != (try row.unsigned("clock")) {
                    found.append((try row.integer("id"), clock))
                }
            }
        }
        return found
    }

    /// Rebuilds records from the effective commits of the log, in storing order; nil: all.
    func rebuild(_ state: inout LoadedSpace, only: Set<RecordKey>?) throws {
        state.forgetDeletedFiles(touched: nil, nil, at: nextVersion)
        state.forgetRewrittenOrphans(at: nextVersion)
        state.recordCounts = nil
        try RecordBatch.remove(only, of: state.row, in: database)
        var batch = RecordBatch(of: state, in: self)
        try replay(state) { commit, applied, row in
            try batch.apply(commit.operations, of: applied, in: row, only: only)
            if batch.count > Limits.writesPerTurn { _ = try batch.save(&loaded.pending) }
        }
        _ = try batch.save(&loaded.pending)
    }

    /// Hands on the effective commits of the log in storing order, with their rows, as they were applied.
    func replay(
        _ state: LoadedSpace, _ body: (UnverifiedCommit, AppliedCommit, Int64) throws -> Void
    ) throws {
        var seen: [LogID: [LogID: UInt64]] = [:]
        let cursor = try database.rowCursor(
            """
            SELECT id, effective, header, signature, clear, operations FROM commits
            WHERE space = ? ORDER BY id
            """, [state.row])
        while let row = try cursor.next() {
            let commit = try row.commit(decoder)
            let header = commit.header
            for position in header.seen {
                seen[header.log, default: [:]][position.log] = position.head.sequence
            }
            guard try row.flag("effective") else { continue }
            let applied = AppliedCommit(
                id: commit.id, header: header, clock: state.ledger.clock(of: header),
                seen: seen[header.log] ?? [:])
            try body(commit, applied, try row.integer("id"))
        }
    }

    /// The records that a commit writes to, under the names they have now.
    func keys(of commit: UnverifiedCommit, in state: LoadedSpace) -> [RecordKey] {
        let schema = schemas(state.ledger.schema)
        return commit.operations.map { RecordKey(of: $0, under: schema) }
    }

    private func decoded(_ commit: Int64) throws -> UnverifiedCommit {
        let row = try database.row(
            "SELECT header, signature, clear, operations FROM commits WHERE id = ?", [commit])
        guard let row else { throw StoreError.corrupt("commit \(commit) is not there") }
        return try row.commit(decoder)
    }
}

extension Row {
    private func contents() throws -> CommitContents {
        let raw = UInt8(truncatingIfNeeded: try integer("contents"))
        guard let contents = CommitContents(rawValue: raw) else { throw wrong("contents") }
        return contents
    }

    /// With the columns of ``SealedTable/claimed`` and ``GroupTable/end``.
    func claim(of log: LogID) throws -> CommitClaim {
        CommitClaim(
            isGenesis: try flag("genesis"), log: log, sequence: try sequence("sequence"),
            groupEnd: try optionalInteger("group_end").map { UInt64(bitPattern: $0) },
            grant: FactReference(
                commit: try identifier("grant_commit"),
                index: UInt32(truncatingIfNeeded: try integer("grant_index"))),
            required: Permissions(rawValue: UInt32(truncatingIfNeeded: try integer("required"))),
            precedence: UInt32(truncatingIfNeeded: try integer("precedence")),
            contents: try contents(),
            epoch: try optionalBytes("epoch").flatMap { CommitID(bytes: $0) })
    }
}
