internal import Encryption
internal import Identity
package import Records
package import Store
package import SyncCore
internal import Wire

/// Writing: signed commits, durable on return; then the engine is to hear of it.
extension EngineWork {
    /// Writes one commit whose content depends on the ledger as it is at that moment. Throws what the store throws, and
    /// then nothing was written.
    package func append(
        to space: SpaceID, under grant: FactReference? = nil, standing: SpaceStanding? = nil,
        isFromNow: Bool = false, _ draft: (DraftContext) throws -> CommitDraft
    ) throws -> Done {
        try append(to: space, under: grant, standing: standing, isFromNow: isFromNow, count: 1) {
            context, _ in try draft(context)
        }
    }

    /// The same with several commits, which are one group: `draft` is given the index of each. With `standing`
    /// the space stands so from this commit on. People it lets into an encrypted space get the keys of
    /// all epochs or, with `isFromNow`, of the latest alone. Before what has to be sealed,
    /// ``EpochKeeping/ready(in:)``. It is written under `grant`, or the most able one. Throws what the store
    /// throws, and then nothing was written.
    package func append(
        to space: SpaceID, under grant: FactReference? = nil, standing: SpaceStanding? = nil,
        isFromNow: Bool = false, count: Int, _ draft: (DraftContext, Int) throws -> CommitDraft
    ) throws -> Done {
        let log = try logs.current(in: space)
        let report = try store.log.append(
            to: space, OwnWriting(self, in: log), under: grant, standing: standing, count: count,
            draft: { try epochs.withKeys(draft($0, $1), at: log, $0, isFromNow: isFromNow) },
            seal: seal)
        return tell(report, from: nil)
    }

    /// Writes changes, each as a commit and all as one group, with the authority that was given to this device.
    /// `isSealed`: the files that they name lie here as an encrypted space has them. Before, ``EpochKeeping/ready(in:)``. Throws
    /// ``StoreError/filesInClear`` where the space has been encrypted since, and what the store throws.
    package func write(
        _ group: [ChangeSet], to space: SpaceID, isSealed: Bool
    ) throws -> Done {
        try append(to: space, count: group.count) { context, index in
            let (changes, membership) = (group[index], context.ledger.membership)
            guard isSealed || !membership.isToBeSealed || changes.blobs.isEmpty else {
                throw StoreError.filesInClear
            }
            let precedence = membership.precedence(of: device, under: context.grant)
            var draft = CommitDraft(
                clear: ClearPart(blobs: changes.blobs),
                operations: changes.keepsPrecedence
                    ? changes.operations : changes.operations.map { $0.raised(to: precedence) })
            draft.finishes = changes.finishes
            return draft
        }
    }

    /// Rewrites an orphan as a commit of this device; where it is sealed, with these names of files.
    /// Throws what the store throws.
    package func recover(
        _ orphan: Orphan, of orphans: Orphans, naming files: SealedFiles?,
        in space: SpaceID
    ) throws -> Done {
        let log = try logs.current(in: space)
        let report = try store.orphans.recover(
            orphan, of: orphans, in: space, OwnWriting(self, in: log), naming: files, seal: seal)
        return tell(report, from: nil)
    }

    /// Takes back what was recovered here under a number; nil when nothing was.
    package func undoRecovery(
        _ number: Int64, in space: SpaceID
    ) throws -> (done: Done, commits: Int)? {
        try store.orphans.undoRecovery(
            number, in: space, OwnWriting(self, in: logs.current(in: space)), seal: seal
        ).map { (tell($0.report, from: nil), $0.commits) }
    }

    /// Says that a device's clock was wrong. About this device it is said by the clock as it stands
    /// now: else it would itself be dated in the future. Throws what the store throws.
    package func redate(_ redating: Redating, in space: SpaceID) throws -> Done {
        if redating.device == device { clock.settle() }
        return try append(to: space) { _ in
            CommitDraft(clear: ClearPart(facts: [.redating(redating)]), operations: [])
        }
    }

    /// Makes a space with this device, whose card this is, as founder; it follows the journal unless
    /// another schema is named. One that is to be encrypted has its first epoch from the start: both are
    /// stored or neither.
    package func found(
        _ role: SpaceRole, _ card: UnverifiedCard, following schema: SchemaPin? = nil,
        isEncrypted: Bool = false
    ) throws -> (SpaceID, Done) {
        var random = random
        let nonce = sha256(Bytes16(random: &random).bytes + Bytes16(random: &random).bytes)
        let pin = schema ?? journal
        let header = CommitHeader(
            space: .zero, log: LogID(device: device, incarnation: try store.incarnation()),
            sequence: 1, previous: .zero, clock: clock.tick(), seen: [], grant: .none,
            schema: pin.schema, schemaVersion: pin.version, clearHash: .zero,
            operationsHash: .zero)
        let genesis = Genesis(nonce: nonce, founder: card, role: role, schema: pin)
        let first = try seal(
            header, CommitDraft(clear: ClearPart(genesis: genesis), operations: []))
        let space = first.space
        let commits = isEncrypted ? [first, try firstEpoch(after: first, genesis)] : [first]
        _ = try store.log.apply(commits, to: space, now: clock.wall)
        try store.spaces.setStanding(of: space, to: .active, now: clock.wall)
        let opened = store.ledger(of: space).map { [EngineEvent.spaceOpened(SpaceView($0))] }
        var done = Done(events: opened ?? [])
        if let offered = offers.description(of: space, &done) {
            done.events.append(.spaceDescribed(space, offered))
        }
        return (space, done)
    }

    /// The commit that encrypts a space before anything else is written to it.
    private func firstEpoch(
        after first: VerifiedCommit, _ genesis: Genesis
    ) throws -> VerifiedCommit {
        var ledger = SpaceLedger(space: first.space, role: genesis.role, schema: genesis.schema)
        _ = ledger.record(first)
        let (log, membership) = (first.header.log, ledger.membership)
        guard let grant = membership.writingGrant(of: log.device) else {
            throw StoreError.permissionRefused(required: .admin)
        }
        let fact = try epochs.new(for: membership, in: first.space)
        return try seal(
            ledger.nextHeader(in: log, under: grant, clock: clock.tick()),
            CommitDraft(clear: ClearPart(facts: [.epoch(fact)]), operations: []))
    }

    /// The membership once a draft is written.
    func membership(
        after draft: CommitDraft, at log: LogID, _ context: DraftContext
    ) -> Membership {
        let ledger = context.ledger
        let (sequence, previous) = ledger.nextPosition(in: log)
        let header = CommitHeader(
            space: ledger.space, log: log, sequence: sequence, previous: previous,
            clock: HybridTime(raw: 0), seen: [], grant: context.grant,
            schema: ledger.schema.schema, schemaVersion: ledger.schema.version,
            clearHash: .zero, operationsHash: .zero)
        // No commit has this id.
        let commit = UnverifiedCommit(
            id: .zero, header: header, clear: ClearPart(facts: draft.clear.facts), operations: [],
            encoded: EncodedCommit(header: [], signature: [], clear: [], operations: []))
        let verified = VerifiedCommit(
            verified: commit, facts: verifier.facts(of: commit, keys: store.keys))
        return ledger.membership.adding(
            verified, seen: ledger.watermark.heads.mapValues(\.sequence))
    }

    /// Fills in the part hashes, encodes, encrypts what the header names an epoch for, and signs.
    private func seal(_ header: CommitHeader, _ draft: CommitDraft) throws -> VerifiedCommit {
        let clear = codec.encode(draft.clear)
        var operations = codec.encode(draft.operations)
        if let epoch = header.epoch {
            guard let secret = epochKeys.secret(of: epoch, in: header.space) else {
                throw StoreError.epochMissing
            }
            var random = random
            operations = SealedOperations.seal(
                operations, under: secret, salt: random.bytes(SealedOperations.saltBytes),
                at: header)
        }
        var header = header
        header.clearHash = Label.clearPart.hash(clear)
        header.operationsHash = Label.operationsPart.hash(operations)
        let bytes = codec.encodeHeader(header)
        let encoded = EncodedCommit(
            header: bytes, signature: keys.sign(.commit, bytes), clear: clear,
            operations: operations)
        let commit = UnverifiedCommit(
            id: encoded.id, header: header, clear: draft.clear, operations: draft.operations,
            contents: header.epoch == nil ? nil : .opened, encoded: encoded)
        return VerifiedCommit(
            verified: commit, facts: verifier.facts(of: commit, keys: store.keys))
    }

    /// Tells the engine of commits that the store took, with which files they make this device fetch,
    /// and with what an offer of the space says now.
    func tell(
        _ report: ApplyReport, from session: SessionID?, _ verdict: BatchVerdict = .sound
    ) -> Done {
        var (report, done) = (report, Done())
        if report.redated.contains(device) { clock.settle() }
        let describes = offers.mayDiffer(after: report)
        report.needs = spaces.needs(after: report, &done)
        report.verdict = verdict
        if describes { report.offered = offers.description(of: report.space, &done) }
        done.events.append(.applied(report, from: session))
        return done
    }
}

extension ApplyReport {
    /// The space was not here before: what is stored of one first is its genesis.
    var hasGenesis: Bool { stored.first?.id == CommitID(space.value) }
}

extension OwnWriting {
    fileprivate init(_ work: EngineWork, in log: LogID) throws {
        self.init(
            in: log, clock: work.clock.tick, now: work.clock.wall,
            lost: try work.losses.lostDevices(but: work.device))
    }
}
