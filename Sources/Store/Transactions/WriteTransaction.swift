internal import GRDB
internal import SyncCore

/// One write transaction at work: its changes to ledgers count once it is committed.
final class WriteTransaction {
    let database: Database
    var loaded: LoadedSpaces
    let decoder: any CommitDecoding
    let schemas: @Sendable (SchemaPin) -> Schema?
    /// Records whose commits became a branch, or count now out of order: to be rebuilt by ``finish(_:since:_:)``.
    var displaced: Set<RecordKey> = []
    /// Commits among those stored since the last ``finish(_:since:_:)`` pin a schema.
    var hasPins = false
    /// How far logs go that became longer, by their rows.
    private(set) var ends: [Int64: LogEnd] = [:]
    /// Whether it says something that the mark beside the database has to say as soon as it is answered: without
    /// room for the mark it is not committed.
    var isToBeMarked = false {
        didSet { if isToBeMarked { loaded.isMarked = false } }
    }

    init(
        _ database: Database, _ loaded: LoadedSpaces, decoder: any CommitDecoding,
        schemas: @escaping @Sendable (SchemaPin) -> Schema?
    ) {
        (self.database, self.loaded) = (database, loaded)
        (self.decoder, self.schemas) = (decoder, schemas)
    }

    /// The ``LoadedSpaces/version`` that it makes.
    var nextVersion: UInt64 { loaded.version + 1 }

    /// Each commit is judged as it came, as readers judge it, and kept as this device may have it.
    func apply(
        _ commits: ArraySlice<VerifiedCommit>, to space: SpaceID, on device: DeviceID? = nil,
        now: Milliseconds
    ) throws -> ApplyReport {
        var report = ApplyReport(space: space)
        guard var state = try loaded.spaces[space] ?? found(space, commits.first, &report) else {
            return report
        }
        state.ledger.pace.advance(to: now)
        let before = state.ledger
        var batch = RecordBatch(of: state, in: self)
        var carried = CarriedCommits(on: device)
        for whole in commits {
            let commit = carried.kept(whole, in: state.ledger)
            var refusal = try state.ledger.check(whole) { log, sequence in
                try commitID(at: sequence, of: log, state)
            }
            if case .forked(let stored) = refusal {
                try prove(commit, stored, &state, &report)
                // Its first commit; what comes before may have parted already.
                if state.ledger.forks.cuts(commit.header.log, commit.header.sequence) {
                    refusal = .beyondFork
                }
                // It proves that also where it is not whole; its branch comes from who keeps it so.
                if commit.commit.isWithheld { break }
            }
            if refusal == .beyondFork {
                if commit.commit.isWithheld, let device, state.isReader(device) { continue }
                report.found.lastBranch = BranchPlace(commit.commit)
                refusal = try keepBranch(commit, in: &state, &report, now: now)
            } else if refusal == nil {
                try store(commit, into: &state, &batch, &report, now: now)
                report.stored.append(whole.commit)
            } else if refusal == .known {
                try complete(commit, in: &state, &report)
            }
            guard let refusal, refusal != .known else { continue }
            let reason = state.ledger.noteRefusal(refusal, of: commit)
            report.note(ApplyReport.Refusal(commit, reason))
            if reason.isMisbehaviour { break }
        }
        check(report, before, state)
        report.touched = try batch.save(&loaded.pending)
        state.count(inserted: batch.inserted)
        try finish(&state, since: before, &report)
        report.check(inserted: batch.inserted)
        loaded.spaces[space] = state
        report.view = SpaceView(state.ledger)
        return report
    }

    /// Checks that the ledger took in the stored commits, and no others.
    private func check(_ report: ApplyReport, _ before: SpaceLedger, _ state: LoadedSpace) {
        let after = state.ledger
        precondition(
            report.effective <= report.stored.count, "more commits count than were stored")
        precondition(
            report.found.newForks.isEmpty || report.membershipChanged,
            "a log forked, and nobody is judged again")
        precondition(
            report.found.branched == 0 || report.found.lastBranch != nil,
            "\(report.found.branched) commits of branches came from nowhere")
        precondition(
            report.found.lastBranch.map { after.forks.cuts($0.log, $0.sequence) } ?? true,
            "a commit of a branch stands before any fork")
        Invariants.check(
            report.found.newForks.allSatisfy { after.forks[$0] != nil },
            "a fork was found that \(after.space) does not know")
        Invariants.check(
            !report.found.newForks.isEmpty
                || after.watermark.count(beyond: before.watermark)
                    == UInt64(report.stored.count),
            "\(report.stored.count) commits moved the ledger elsewhere")
        Invariants.check(
            !report.found.newForks.isEmpty
                || after.forks.values.reduce(0) { $0 + $1.count }
                    == before.forks.values.reduce(report.found.branched) { $0 + $1.count },
            "\(report.found.branched) commits of branches moved the ledger elsewhere")
        Invariants.check(
            report.membershipChanged
                || after.membership.standings == before.membership.standings,
            "rights changed, and nobody is judged again")
        Invariants.check(
            after.membership.revision >= before.membership.revision,
            "facts of members went")
        Invariants.check(
            before.forks.allSatisfy { after.forks.cuts($0.key, $0.value.sequence) },
            "a fork became higher")
        Invariants.check(
            after.watermark.covers(before.watermark.limited(by: after.forks)),
            "the watermark of \(after.space) falls")
        Invariants.check(
            after.watermark.heads.keys.allSatisfy { state.logs[$0] != nil },
            "a log of \(after.space) has no row")
    }

    /// Makes the space of a genesis; refuses everything else for a space that is not here.
    private func found(
        _ space: SpaceID, _ first: VerifiedCommit?, _ report: inout ApplyReport
    ) throws -> LoadedSpace? {
        guard let first else { return nil }
        guard first.header.isGenesis else {
            report.note(ApplyReport.Refusal(first, .causalPastMissing))
            return nil
        }
        guard first.space == space, first.header.sequence == 1, first.header.previous == .zero,
            let genesis = first.commit.clear.genesis
        else {
            report.note(ApplyReport.Refusal(first, .misbehaved(.wrongSpace)))
            return nil
        }
        let row = try row(of: space, insertedAs: .active)
        loaded.emptied.remove(space)
        loaded.isMarked = false
        try database.run("UPDATE spaces SET role = ? WHERE id = ?", [genesis.role.rawValue, row])
        try SpaceTable.pin(
            genesis.schema, row, shownUnder: schemas(genesis.schema)?.id, in: database)
        return LoadedSpace(
            row: row,
            founded: SpaceLedger(space: space, role: genesis.role, schema: genesis.schema),
            at: nextVersion)
    }

    private func store(
        _ received: VerifiedCommit, into state: inout LoadedSpace, _ batch: inout RecordBatch,
        _ report: inout ApplyReport, now: Milliseconds
    ) throws {
        decoder.learnKeys(from: received)
        let commit = received.opened(by: decoder)
        let group = state.ledger.openGroups[commit.header.log]
        if state.ledger.record(commit) { report.membershipChanged = true }
        loaded.keys.learn(from: commit.commit.clear)
        try NewerParts.note(commit.commit, in: database)
        let effective = state.ledger.isEffective(commit)
        let row = try insert(commit, effective: effective, into: &state, now: now)
        let missing = try BlobTable.name(
            commit.commit.clear.blobs, by: row, in: state.row, database)
        let clear = commit.commit.clear
        if !clear.blobs.isEmpty { state.forgetNamedFiles(at: nextVersion) }
        if try SpaceTable.notePin(of: commit.commit, at: row, in: state.row, database) {
            hasPins = true
        }
        if let group, commit.header.following == 0 {
            try count(group, of: commit.header.log, in: &state, &batch, &report)
        }
        if effective {
            report.effective += 1
            report.need(missing)
            if !clear.blobs.isEmpty {
                state.lackedThumbnails = [:]
                for blob in try BlobTable.namedFirst(by: row, in: state.row, database) {
                    state.blobCounts?.add(blob)
                }
            }
            try batch.apply(
                commit.commit.operations, of: state.ledger.applied(commit.commit), in: row)
        }
        try adoptForks(statedBy: commit, in: &state, &report)
    }

    private func insert(
        _ commit: VerifiedCommit, effective: Bool, into state: inout LoadedSpace, now: Milliseconds
    ) throws -> Int64 {
        let header = commit.header
        precondition(
            state.ledger.watermark.heads[header.log]?.commit == commit.id,
            "\(commit.id) gets a row and is not the end of its log")
        let claim = state.ledger.claim(of: commit.commit)
        let encoded = commit.encoded
        let log = try intern(header.log, in: &state)
        let arguments: [(any Bindable)?] = [
            state.row, log, Int64(bitPattern: header.sequence), effective,
            !commit.facts.isEmpty || claim.isGenesis, claim.isGenesis,
            Int64(claim.required.rawValue), Int64(claim.precedence), claim.grant.commit.bytes,
            Int64(claim.grant.index),
            Int64(bitPattern: state.ledger.clock(of: header).raw), now.stored,
            commit.id.bytes, encoded.byteCount, encoded.header, encoded.signature,
            encoded.clear, encoded.operations,
        ]
        try database.run(
            """
            INSERT INTO commits (space, log, sequence, effective, facts, genesis, required,
                precedence, grant_commit, grant_index, clock, received_at, commit_id, byte_count,
                header, signature, clear, operations)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, arguments)
        let row = database.lastInsertedRowID
        try loaded.receipts.note(now.stored, in: database)
        precondition(
            ends[log].map { $0.sequence < header.sequence } ?? true,
            "\(header.log) ends at \(header.sequence) after a later one")
        ends[log] = LogEnd(
            space: state.ledger.space, log: header.log,
            head: LogHead(sequence: header.sequence, commit: commit.id))
        try SealedTable.note(claim, at: row, in: state.row, database)
        if let group = state.ledger.openGroups[header.log] {
            try GroupTable.note(row, of: group, in: log, database)
        }
        try database.run(
            "UPDATE logs SET head_sequence = ?, head_commit = ? WHERE id = ?",
            [Int64(bitPattern: header.sequence), commit.id.bytes, log])
        precondition(database.changesCount == 1, "\(header.log) has no row")
        for position in header.seen {
            try SeenTable.note(
                position.head.sequence, of: try intern(position.log, in: &state),
                by: log, at: header.sequence, database)
        }
        return row
    }

    func intern(_ log: LogID, in state: inout LoadedSpace) throws -> Int64 {
        if let row = state.logs[log] { return row }
        try database.run(
            """
            INSERT INTO logs (space, device, incarnation, head_sequence, head_commit)
            VALUES (?, ?, ?, 0, ?)
            """, [state.row, log.device.bytes, log.incarnation.bytes, CommitID.zero.bytes])
        let row = database.lastInsertedRowID
        Invariants.check(!state.logs.values.contains(row), "two logs have row \(row)")
        state.logs[log] = row
        return row
    }

    func commitID(at sequence: UInt64, of log: LogID, _ state: LoadedSpace) throws -> CommitID? {
        guard let row = state.logs[log] else { return nil }
        return try LogTable.commit(at: sequence, of: row, in: database)
    }

    /// What has to follow from a changed membership or schema.
    func finish(
        _ state: inout LoadedSpace, since before: SpaceLedger, _ report: inout ApplyReport
    ) throws {
        try loaded.narrowDismissed(to: state.ledger, in: database)
        state.forgetDeletedFiles(
            touched: report.touched, schemas(state.ledger.schema), at: nextVersion)
        state.forgetRewrittenOrphans(at: nextVersion)
        var touched = displaced
        let hasPins = self.hasPins
        defer { (displaced, self.hasPins) = ([], false) }
        let ledgers = [before, state.ledger]
        if report.membershipChanged, ledgers.contains(where: \.membership.hasEpochs) {
            touched.formUnion(try openSealed(&state, &report))
        }
        if report.membershipChanged {
            touched.formUnion(try reevaluate(&state, &report))
        }
        let old = before.membership.redatings.shifts
        let new = state.ledger.membership.redatings.shifts
        if old != new {
            let devices = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
            touched.formUnion(try redate(devices, state, &report))
        }
        if !touched.isEmpty {
            report.touched.formUnion(touched)
            try rebuild(&state, only: touched)
        }
        Invariants.check(
            report.touched.isSuperset(of: displaced), "what a branch wrote to is not made again")
        guard report.membershipChanged || hasPins,
            let pin = try SpaceTable.followed(
                in: state.row, insteadOf: state.ledger.schema, decoder, database)
        else { return }
        report.schemaChanged = true
        state.ledger.follow(pin)
        try SpaceTable.pin(pin, state.row, shownUnder: schemas(pin)?.id, in: database)
        // Strategies may be others now.
        try rebuild(&state, only: nil)
    }
}

extension ApplyReport {
    /// Looks at which records were written, of which some had no row before, by collection.
    fileprivate func check(inserted: [CollectionName: Int]) {
        Invariants.check(
            inserted.values.reduce(0, +) <= touched.count,
            "more records are new than were written")
    }
}
