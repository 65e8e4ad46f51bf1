import SyncCore

/// A commit with one operation on the one record of a law test.
struct LawCommit {
    let applied: AppliedCommit
    let seen: [LogID: UInt64]
    let clock: HybridTime
    let operation: RecordOperation

    var log: LogID { applied.log }
}

/// A device in miniature: commits in the order in which they came, and the state they make.
struct MergingReplica {
    private(set) var commits: [LawCommit] = []
    private(set) var state = RecordState()

    static let collection = CollectionSchema(
        name: "memory",
        fields: [
            FieldSchema(name: "last", type: .text, strategy: .lastWrite, isSearched: false),
            FieldSchema(name: "longest", type: .text, strategy: .longest, isSearched: false),
            FieldSchema(name: "text", type: .text, strategy: .mergeText, isSearched: false),
            FieldSchema(
                name: "place", type: .position, strategy: .mostAccurate, isSearched: false),
            FieldSchema(name: "choice", type: .integer, strategy: .userChoice, isSearched: false),
            FieldSchema(name: "tags", type: .set(of: .text), strategy: .union, isSearched: false),
        ])
    static let schema = Schema(
        id: TestCommit.schema.schema, name: "laws", version: 1, collections: [collection])

    mutating func apply(_ commit: LawCommit) throws {
        guard !commits.contains(where: { $0.applied.id == commit.applied.id }) else { return }
        commits.append(commit)
        state.apply(commit.operation, firstIndex: 0, of: commit.applied)
        try state.mergeFromHistory(under: Self.collection, from: self)
    }

    func merged(with other: MergingReplica) throws -> MergingReplica {
        var result = self
        for commit in other.commits { try result.apply(commit) }
        return result
    }

    /// What is known of each log.
    var known: [LogID: UInt64] {
        commits.reduce(into: [:]) { known, commit in
            known[commit.log] = max(known[commit.log] ?? 0, commit.applied.sequence)
        }
    }

    /// Everything that people see, as bytes.
    var shownBytes: [UInt8] {
        let shown = Self.schema.shown(state, in: Self.collection.name)
        let fields = (shown?.values ?? [:]).sorted { $0.key < $1.key }
        return fields.flatMap { name, value in
            lengthPrefixed(Array(name.utf8)) + lengthPrefixed(value.canonicalBytes)
                + [shown?.isConflicted(name) == true ? 1 : 0]
        } + [state.isDeleted ? 1 : 0, state.isConflicted(under: Self.collection) ? 1 : 0]
    }
}

extension MergingReplica: RecordHistory {
    func history(of field: String) -> RegisterHistory? {
        RegisterHistory(
            commits.flatMap { commit in
                commit.operation.writes.enumerated().filter { $1.field == field }.map {
                    index, write in
                    RegisterHistory.Entry(
                        id: WriteID(
                            commit: commit.applied.id, index: UInt32(truncatingIfNeeded: index)),
                        log: commit.log, sequence: commit.applied.sequence, clock: commit.clock,
                        precedence: write.precedence, replaces: write.replaces,
                        seen: commit.seen.merging([commit.log: commit.applied.sequence]) { $1 })
                }
            })
    }

    func value(of write: WriteID) -> Value? {
        commits.first { $0.applied.id == write.commit }?.operation.writes[Int(write.index)].value
    }

    func seen(by write: SurvivingWrite, of log: LogID) -> UInt64 {
        commits.first { $0.applied.id == write.id.commit }?.applied.seen(log) ?? 0
    }
}
