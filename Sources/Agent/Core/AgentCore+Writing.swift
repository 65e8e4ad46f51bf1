internal import Identity
internal import Logging
import Store
import SyncCore
internal import Wire

/// Writing: one signed commit at a time, durable before it is answered, then handed to the engine.
extension AgentCore {
    /// Writes one atomic commit. Throws ``AgentError/notPermitted(required:)`` when the role does
    /// not allow it, ``AgentError/tooLarge`` over 1 MiB, and what the store throws.
    func write(_ draft: CommitDraft, to space: SpaceID) async throws {
        try await append(to: space) { _ in
            Store.CommitDraft(
                clear: ClearPart(blobs: draft.blobs), operations: draft.operations)
        }
    }

    /// Writes one commit whose content depends on the ledger as it is at that moment.
    func append(
        to space: SpaceID,
        _ draft: @escaping @Sendable (DraftContext) throws -> Store.CommitDraft
    ) async throws {
        let report: ApplyReport
        do {
            report = try await store.offloaded { [self] store in
                let before = store.ledger(of: space)?.watermark ?? Watermark()
                let log = LogID(device: identity.deviceID, incarnation: try store.incarnation())
                var sealed: UnverifiedCommit?
                let outcome = try store.append(
                    to: space, log: log, clock: tick(), now: clock.wall, draft: draft
                ) { header, draft in
                    let commit = seal(header, draft)
                    sealed = commit.commit
                    return commit
                }
                return self.report(
                    outcome, before: before, commits: sealed.map { [$0] } ?? [])
            }
        } catch StoreError.permissionRefused(let required) {
            throw AgentError.notPermitted(required: required)
        } catch StoreError.commitTooLarge {
            throw AgentError.tooLarge
        } catch StoreError.spaceUnknown {
            throw AgentError.spaceUnknown
        } catch let error as StoreError {
            notWritten("commit not stored", error)
            throw error
        }
        loop.post(.applied(report, from: nil))
        describe(space)
    }

    /// Makes a space with this device as founder and writes its first records, whose ids may depend
    /// on the new space.
    func createSpace(
        _ role: SpaceRole, operations: @escaping @Sendable (SpaceID) -> [RecordOperation]
    ) async throws -> SpaceID {
        guard let card = identity.unverifiedCard else { throw AgentError.notInitialised }
        var random = SystemRandomNumberGenerator()
        let nonce = sha256(Bytes16(random: &random).bytes + Bytes16(random: &random).bytes)
        let pin = SchemaPin(schema: schema.id, version: schema.version)
        let genesis = Genesis(nonce: nonce, founder: card, role: role, schema: pin)
        let space = try await store.offloaded { [self] store in
            let header = CommitHeader(
                space: .zero,
                log: LogID(device: identity.deviceID, incarnation: try store.incarnation()),
                sequence: 1, previous: .zero, clock: tick(), seen: [], grant: .none,
                schema: schema.id, schemaVersion: schema.version, clearHash: .zero,
                operationsHash: .zero)
            let commit = seal(
                header, Store.CommitDraft(clear: ClearPart(genesis: genesis), operations: []))
            _ = try store.apply([commit], to: commit.space, now: clock.wall)
            try store.setStanding(of: commit.space, to: .active, now: clock.wall)
            return commit.space
        }
        if let ledger = store.ledger(of: space) {
            loop.post(.spaceOpened(SpaceView(ledger)))
        }
        let records = operations(space)
        if !records.isEmpty {
            try await write(CommitDraft(operations: records), to: space)
        }
        // Further devices of this person have it without being asked.
        await grantSiblings()
        return space
    }

    /// Fills in the part hashes, encodes and signs.
    private func seal(_ header: CommitHeader, _ draft: Store.CommitDraft) -> VerifiedCommit {
        let clear = codec.encode(draft.clear)
        let operations = codec.encode(draft.operations)
        var header = header
        header.clearHash = Label.clearPart.hash(clear)
        header.operationsHash = Label.operationsPart.hash(operations)
        let bytes = codec.encodeHeader(header)
        let encoded = EncodedCommit(
            header: bytes, signature: identity.keys.sign(.commit, bytes), clear: clear,
            operations: operations)
        let commit = UnverifiedCommit(
            id: encoded.id, header: header, clear: draft.clear, operations: draft.operations,
            encoded: encoded)
        return VerifiedCommit(
            verified: commit, facts: verifier.facts(of: commit, keys: store.keys))
    }

    /// What the engine is told of commits that the store took.
    func report(
        _ outcome: ApplyOutcome, before: Watermark, commits: [UnverifiedCommit]
    ) -> ApplyReport {
        let stored = Set(outcome.stored)
        let isWanted = outcome.missingBlobs.isEmpty || isActive(outcome.space)
        return ApplyReport(
            space: outcome.space, before: before, after: outcome.watermark,
            role: outcome.ledger?.role ?? .shared,
            membership: outcome.membership ?? Membership(),
            stored: commits.filter { stored.contains($0.id) },
            refusal: outcome.refusal?.reason,
            needs: isWanted ? outcome.missingBlobs.map { BlobNeed($0, in: outcome.space) } : [])
    }

    /// Whether this person has the space: of one that was left no files are fetched.
    private func isActive(_ space: SpaceID) -> Bool {
        do {
            return try store.space(space)?.standing == .active
        } catch {
            logger.error("space not read", metadata: ["why": "\(error)"])
            return true
        }
    }

    func newRecordID() -> RecordID {
        var random = SystemRandomNumberGenerator()
        return RecordID(Bytes16(random: &random))
    }

    /// The same id on every device: the first 16 bytes of SHA-256 over space, collection and
    /// source, label ``Label/derivedRecord``.
    func derivedRecordID(
        space: SpaceID, collection: String, source: [UInt8]
    ) -> RecordID {
        let message = space.bytes + lengthPrefixed(Array(collection.utf8)) + source
        let hash = Label.derivedRecord.hash(message)
        guard let id = RecordID(bytes: hash.bytes.prefix(Bytes16.byteCount)) else {
            preconditionFailure("a hash has at least 16 bytes")
        }
        return id
    }
}

extension SpaceView {
    init(_ ledger: SpaceLedger) {
        self.init(
            space: ledger.space, role: ledger.role, watermark: ledger.watermark,
            membership: ledger.membership)
    }
}

extension BlobNeed {
    init(_ named: NamedBlob, in space: SpaceID) {
        self.init(blob: named.blob, space: space, size: named.size, kind: named.kind)
    }
}
