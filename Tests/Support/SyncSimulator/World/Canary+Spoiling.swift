import Node
import Store
import SyncCore

extension Canary {
    /// The action as a faulty replica carries it out.
    func spoil(_ action: EngineAction, _ replica: Replica) -> EngineAction {
        guard case .apply(let space, let commits, let verdict, let session) = action else {
            return action
        }
        switch self {
        case .mergeIgnoresCausality:
            // A log's first commit shows that its author had seen its grant.
            return .apply(
                space,
                commits.map { commit in
                    commit.changed { if $0.header.sequence > 1 { $0.header.seen = [] } }
                }, verdict, from: session)
        case .arrivalOrder:
            let count = UInt64(replica.watermark(of: space).positions.count)
            let now = replica.clock.wall.value
            return .apply(
                space,
                commits.map { commit in
                    commit.changed { content in
                        content.header.clock = HybridTime(
                            milliseconds: now, counter: UInt16(truncatingIfNeeded: count))
                    }
                }, verdict, from: session)
        case .forgottenElement:
            return .apply(
                space, commits.map { $0.changed { $0.forgetElements() } }, verdict, from: session)
        case .acknowledgedTooEarly, .noSync, .firstToArrive, .reusedEpoch, .undoesOver,
            .waitsForSilent, .servesMore, .servesLess, .copiesFileAlone, .listsFilesFirst,
            .restoresInPlace, .freesUnheard:
            return action
        }
    }
}

/// The fields that a store reads from a commit.
private struct Content {
    var header: CommitHeader
    var operations: [RecordOperation]

    mutating func forgetElements() {
        for operation in operations.indices {
            for write in operations[operation].writes.indices
            where operations[operation].writes[write].element != nil {
                operations[operation].writes[write].value = .boolean(false)
            }
        }
    }
}

extension VerifiedCommit {
    fileprivate func changed(_ change: (inout Content) throws -> Void) rethrows -> VerifiedCommit {
        var content = Content(header: header, operations: commit.operations)
        try change(&content)
        return VerifiedCommit(
            verified: UnverifiedCommit(
                id: id, header: content.header, clear: commit.clear,
                operations: content.operations, encoded: encoded), facts: facts)
    }

    /// The commit with a lower precedence than the store's present values of the same fields.
    func yielding(to store: SyncStore, in space: SpaceID) throws -> VerifiedCommit {
        guard store.ledger(of: space) != nil else { return self }
        return try changed { content in
            for index in content.operations.indices {
                let operation = content.operations[index]
                let state = try store.records.record(RecordKey(operation), of: space)
                for write in operation.writes.indices
                where state?.fields[operation.writes[write].field] != nil {
                    content.operations[index].writes[write].precedence = 0
                }
            }
        }
    }
}

extension EngineLoop {
    /// Announces commits that still wait to be stored.
    func acknowledgeEarly(_ action: EngineAction, _ replica: Replica) {
        guard case .apply(let space, let commits, _, _) = action,
            replica.ledger(of: space) != nil
        else { return }
        var claimed = replica.watermark(of: space)
        for commit in commits {
            claimed.advance(
                commit.header.log,
                to: LogHead(sequence: commit.header.sequence, commit: commit.id))
        }
        guard let done = replica.work?.perform(.acknowledge(space, claimed)) else { return }
        finish(done, replica)
    }
}
