/// Everything effective that was written to one record.
package struct RecordState: Hashable, Sendable {
    /// By field name; the empty name is the existence register.
    package var fields: [String: Register]
    /// Set fields: by field name, then by element. The empty name has touches of the record.
    package var sets: [String: [Value: Register]]
    /// Texts of `mergeText` fields whose survivors disagree and could be merged, by field name; see
    /// ``mergeFromHistory(under:from:)``.
    package var merged: [String: MergeText.Result]
    /// While the record is deleted: surviving writes that no deletion had seen, nor they it, in the
    /// order of their ids; see ``mergeFromHistory(under:from:)``.
    package var hiddenEdits: [WriteID]

    package init(
        fields: [String: Register] = [:], sets: [String: [Value: Register]] = [:],
        merged: [String: MergeText.Result] = [:], hiddenEdits: [WriteID] = []
    ) {
        (self.fields, self.sets) = (fields, sets)
        (self.merged, self.hiddenEdits) = (merged, hiddenEdits)
    }

    /// Applies one operation's writes; `firstIndex` is the index of its first write in the commit.
    /// What merging from history found is gone then.
    package mutating func apply(
        _ operation: RecordOperation, firstIndex: UInt32, of commit: AppliedCommit
    ) {
        hiddenEdits = []
        var index = firstIndex
        for write in operation.writes {
            let survivor = SurvivingWrite(
                id: WriteID(commit: commit.id, index: index), log: commit.log,
                sequence: commit.sequence, clock: commit.clock, precedence: write.precedence,
                value: write.value)
            index += 1
            if let element = write.element {
                sets[write.field, default: [:]][element, default: Register()]
                    .apply(survivor, replaces: write.replaces, seen: commit.seen)
            } else {
                merged[write.field] = nil
                fields[write.field, default: Register()]
                    .apply(survivor, replaces: write.replaces, seen: commit.seen)
            }
        }
    }

    /// Every write that still counts, about whatever of the record; in no order.
    package var survivors: [SurvivingWrite] { statements + touches }

    /// Those that say something of the record itself.
    package var statements: [SurvivingWrite] {
        let sets = sets.filter { $0.key != Write.existence }
        return fields.values.flatMap(\.writes) + sets.values.flatMap { $0.values.flatMap(\.writes) }
    }

    /// Those that only say that a part of it was written: see ``Write/touch``.
    package var touches: [SurvivingWrite] {
        sets[Write.existence]?.values.flatMap(\.writes) ?? []
    }

    /// Whether the record is deleted, by its existence register.
    package var isDeleted: Bool {
        fields[Write.existence]?.latest?.value == .boolean(true)
    }

    /// The elements of a set that are in it, in the order of their canonical bytes.
    package func elements(of field: String) -> [Value] {
        (sets[field] ?? [:])
            .filter { $0.value.latest?.value == .boolean(true) }
            .map(\.key)
            .sorted { $0.canonicalBytes.lexicographicallyPrecedes($1.canonicalBytes) }
    }
}

/// What merging needs to know of the commit whose writes are applied.
package struct AppliedCommit: Sendable {
    package let id: CommitID
    package let log: LogID
    package let sequence: UInt64
    package let clock: HybridTime
    private let seenSequences: [LogID: UInt64]

    /// `clock` is when it counts as written: ``SpaceLedger/clock(of:)``.
    package init(
        id: CommitID, header: CommitHeader, clock: HybridTime, seen: [LogID: UInt64]
    ) {
        self.id = id
        self.log = header.log
        self.sequence = header.sequence
        self.clock = clock
        self.seenSequences = seen
    }

    /// Up to where the commit had seen a log; of its own log, everything before it and itself.
    package func seen(_ other: LogID) -> UInt64 {
        other == log ? sequence : seenSequences[other] ?? 0
    }
}
