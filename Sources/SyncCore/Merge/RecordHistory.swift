/// What merging a record needs beside its survivors: its past, which the log holds.
package protocol RecordHistory {
    /// Every effective write to a field of strategy `mergeText`; nil when there are more than
    /// ``Limits/mergedHistory``.
    func history(of field: String) throws -> RegisterHistory?

    /// The value of a write of a history that was asked for; nil when it is not there.
    func value(of write: WriteID) throws -> Value?

    /// Up to where the commit of a surviving write had seen a log; its own as far as itself.
    func seen(by write: SurvivingWrite, of log: LogID) throws -> UInt64
}

extension RecordState {
    /// Whether anything but the survivors says what is shown of the record.
    package func needsPast(under collection: CollectionSchema?) -> Bool {
        isDeleted || !mergedFields(under: collection).isEmpty
    }

    /// Finds what follows from more than the survivors: merged texts, and edits hidden by a deletion.
    /// A pure function of the effective writes: arrival order does not matter.
    package mutating func mergeFromHistory(
        under collection: CollectionSchema?, from past: some RecordHistory
    ) throws {
        merged = [:]
        for field in mergedFields(under: collection) {
            guard let history = try past.history(of: field) else { continue }
            merged[field] = try MergeText.merge(history) { try past.value(of: $0) }
        }
        hiddenEdits = isDeleted ? try edits(hiddenFrom: past) : []
        Invariants.check(
            zip(hiddenEdits, hiddenEdits.dropFirst()).allSatisfy { $0 < $1 },
            "hidden edits are out of order, or named twice")
    }

    /// Fields whose survivors are texts to be merged.
    package func mergedFields(under collection: CollectionSchema?) -> [String] {
        guard let collection else { return [] }
        return collection.fields.compactMap { field in
            guard field.strategy == .mergeText, let register = fields[field.name],
                register.writes.count > 1
            else { return nil }
            let writes = Authority.outranking(register.writes)
            return writes.contains { $0.value != writes[0].value } ? field.name : nil
        }
    }

    private func edits(hiddenFrom past: some RecordHistory) throws -> [WriteID] {
        let deletions = (fields[Write.existence]?.writes ?? [])
            .filter { $0.value == .boolean(true) }
        let hidden = try edits.filter { edit in
            try deletions.allSatisfy { deletion in
                try past.seen(by: deletion, of: edit.log) < edit.sequence
                    && past.seen(by: edit, of: deletion.log) < deletion.sequence
            }
        }
        return hidden.map(\.id).sorted()
    }

    /// Every surviving write but those about the record's existence.
    private var edits: [SurvivingWrite] {
        let fields = fields.filter { $0.key != Write.existence }.values.flatMap(\.writes)
        return fields + sets.values.flatMap { $0.values.flatMap(\.writes) }
    }
}

extension RecordState {
    /// Whether somebody should decide: a field or the record's existence has survivors that
    /// disagree and that its strategy could not put together, or a deletion hides edits that it had
    /// not seen. Of a deleted record the fields do not count.
    package func isConflicted(under collection: CollectionSchema?) -> Bool {
        if fields[Write.existence]?.isConflicted ?? false { return true }
        if isDeleted { return !hiddenEdits.isEmpty }
        return fields.contains { name, register in
            // Nearly always.
            if register.writes.count < 2 { return false }
            let field = collection?.field(name)
            // Who moves a record last says where it stands; nobody has to decide that.
            guard field?.type != .order else { return false }
            let strategy = field?.strategy ?? .lastWrite
            return strategy.shown(register, merged: merged[name])?.isConflicted ?? false
        }
    }
}
