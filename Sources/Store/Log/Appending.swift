package import SyncCore
internal import Synchronization

/// What a device wants to write, before it has a place in its log.
package struct CommitDraft: Sendable {
    package var clear: ClearPart
    package var operations: [RecordOperation]
    /// Unfinished records that the operations write into the log, as they were read: they are kept there alone from then on.
    package var finishes: [RecordKey: RecordState] = [:]

    package init(clear: ClearPart = ClearPart(), operations: [RecordOperation]) {
        (self.clear, self.operations) = (clear, operations)
    }
}

/// How this device writes: in which log, by which clock, and which devices are lost and must not be
/// able to read it.
package struct OwnWriting {
    package let log: LogID
    package let clock: () -> HybridTime
    package let now: Milliseconds
    package let lost: Set<DeviceID>

    package init(
        in log: LogID, clock: @escaping () -> HybridTime, now: Milliseconds,
        lost: Set<DeviceID> = []
    ) {
        (self.log, self.clock, self.now, self.lost) = (log, clock, now, lost)
    }
}

/// What a draft may look at: the space as it is in the very transaction that will store it.
package struct DraftContext {
    package let ledger: SpaceLedger
    /// The grant the commit will name; a grant it makes descends from this one.
    package let grant: FactReference
    /// The state of a record; nil when nothing effective was written to it.
    package let record: (RecordKey) throws -> RecordState?
}

extension CommitLog {
    /// Writes so many commits of this device, more than one as a group: `draft` says what the one with an index says,
    /// `seal` makes header and draft into a signed commit, filling in the two part hashes, which come as zero. Durable
    /// on return: all of them or none.
    ///
    /// They name `grant`, or the device's most able one, and are sealed under no epoch that a device knows
    /// which is lost. Throws
    /// ``StoreError/permissionRefused(required:)`` before anything is sealed when that grant does
    /// not cover a draft, ``StoreError/epochMissing`` when there is nothing to seal it under,
    /// ``StoreError/unfinishedChanged``, and ``StoreError/commitTooLarge(bytes:)``; nothing is stored then. With
    /// `standing` the space stands so from these commits on. The closures run on the writer's queue: they must be
    /// quick and not call the store.
    package func append(
        to space: SpaceID, _ own: OwnWriting, under grant: FactReference? = nil,
        standing: SpaceStanding? = nil, count: Int = 1,
        draft: (DraftContext, Int) throws -> CommitDraft,
        seal: (CommitHeader, CommitDraft) throws -> VerifiedCommit
    ) throws -> ApplyReport {
        precondition((1...Limits.commitsOfGroup).contains(count), "\(count) commits are no group")
        connection.pace.withLock { $0.noteOwnWrite() }
        return try connection.turn { turn in
            var report = ApplyReport(space: space)
            for index in 0..<count {
                report.merge(
                    try turn.append(
                        to: space, own, under: grant, following: count - 1 - index,
                        draft: { try draft($0, index) }, seal: seal))
            }
            if let standing {
                let row = try SpaceTable.row(of: space, in: turn.database)
                try turn.setStanding(of: space, in: row, to: standing, now: own.now)
            }
            return report
        }
    }
}

extension WriteTransaction {
    func append(
        to space: SpaceID, _ own: OwnWriting, under grant: FactReference? = nil,
        following: Int = 0, draft: (DraftContext) throws -> CommitDraft,
        seal: (CommitHeader, CommitDraft) throws -> VerifiedCommit
    ) throws -> ApplyReport {
        guard let state = loaded.spaces[space] else { throw StoreError.spaceUnknown(space) }
        let ledger = state.ledger
        guard let grant = grant ?? ledger.membership.writingGrant(of: own.log.device) else {
            throw StoreError.permissionRefused(required: [])
        }
        let context = DraftContext(ledger: ledger, grant: grant) { [database] key in
            try RecordTable.state(of: key, in: state.row, database)
        }
        let draft = try draft(context)
        try UnfinishedTable.require(
            draft.finishes, in: state.row, under: schemas(ledger.schema), database)
        var header = ledger.nextHeader(
            in: own.log, under: grant, clock: own.clock(), following: UInt32(following))
        if !draft.operations.isEmpty, ledger.membership.isToBeSealed {
            header.epoch = try writingEpoch(of: ledger, avoiding: own.lost)
        }
        let claim = ledger.claim(of: header, draft.clear, draft.operations)
        // Whether an exchange of keys counts is judged without what the old key took.
        guard ledger.isAllowed(claim) || draft.isOfKeysAlone else {
            throw StoreError.permissionRefused(required: claim.required)
        }
        let commit = try seal(header, draft)
        guard ledger.claim(of: commit.commit) == claim, commit.header.isPlaced(as: header) else {
            throw StoreError.sealedOtherwise
        }
        guard commit.encoded.byteCount <= Limits.commitBytes,
            commit.encoded.header.count <= Limits.headerBytes
        else {
            throw StoreError.commitTooLarge(bytes: commit.encoded.byteCount)
        }
        loaded.spaces[space]?.ledger.needAll(of: own.log)
        let report = try apply([commit], to: space, now: own.now)
        if let refusal = report.refusal { throw StoreError.refused(refusal.reason) }
        precondition(
            report.stored.map(\.id) == [commit.id], "an own commit was neither stored nor refused")
        precondition(
            report.watermark.sequence(of: own.log) == header.sequence
                || report.view?.forks.cuts(own.log, header.sequence) == true,
            "own commit \(header.sequence) is not the end of its log")
        for key in draft.finishes.keys {
            try UnfinishedTable.set(nil, key, in: state.row, database)
        }
        return report
    }
}

extension CommitDraft {
    fileprivate var isOfKeysAlone: Bool {
        operations.isEmpty && clear.schema == nil && clear.blobs.isEmpty
            && clear.facts.allSatisfy { if case .keyExchange = $0 { true } else { false } }
    }
}

extension WriteTransaction {
    /// What is written here is sealed under this epoch: never under one that somebody knows who may not
    /// read any more, or who is lost.
    private func writingEpoch(
        of ledger: SpaceLedger, avoiding lost: Set<DeviceID>
    ) throws -> CommitID {
        let epoch = ledger.membership.writingEpoch(avoiding: lost) {
            decoder.epochKeys?.holds($0, in: ledger.space) ?? false
        }
        guard let epoch else { throw StoreError.epochMissing }
        return epoch
    }
}

extension CommitHeader {
    /// Whether this header stands where `other` does; hashes may differ.
    fileprivate func isPlaced(as other: CommitHeader) -> Bool {
        var same = self
        same.clearHash = other.clearHash
        same.operationsHash = other.operationsHash
        return same == other
    }
}
