internal import LocalAPI
internal import Store
internal import SyncCore

/// A register that somebody should decide about.
struct OpenConflict: Sendable {
    let space: ReadableSpace
    let key: RecordKey
    /// ``Write/existence`` for a deletion.
    let field: String
    /// Nil when the schema does not know the field.
    let fieldSchema: FieldSchema?
    let state: RecordState
    /// For a deleted space: the work of each device that the deletion had not seen, in words and as its
    /// latest commit.
    var work: [SurvivingWrite] = []

    var isDeletion: Bool { field == Write.existence }
    /// Whether a write only says that a part of the record was written.
    func isTouch(_ write: SurvivingWrite) -> Bool {
        state.touches.contains { $0.id == write.id }
    }

    /// Whether a whole space was deleted.
    var isOfSpace: Bool { space.known?.deletion != nil }

    /// The surviving writes of the register; for a deletion, first the writes that deleted the record, then
    /// those that restored it, then the edits and touches that no deletion had seen.
    var writes: [(field: String, write: SurvivingWrite)] {
        let register = (state.fields[field]?.writes ?? []).map { (field: field, write: $0) }
        guard isDeletion else { return register }
        let ordered =
            register.filter { $0.write.value == .boolean(true) }
            + register.filter { $0.write.value != .boolean(true) }
        if isOfSpace { return ordered + work.map { ("", $0) } }
        let hidden = Set(state.hiddenEdits)
        let edits =
            state.fields.filter { $0.key != Write.existence }.map { ($0.key, $0.value.writes) }
            + state.sets.map { ($0.key, $0.value.values.flatMap(\.writes)) }
        return ordered
            + edits.flatMap { name, writes in
                writes.filter { hidden.contains($0.id) }.map { (field: name, write: $0) }
            }.sorted { OpenConflict.isBefore($0.write, $1.write) }
    }

    /// The writes to choose from: each distinct value once, by its latest write, without outranked ones.
    var choices: [(field: String, write: SurvivingWrite)] {
        if isDeletion { return deletionChoices }
        let writes = writes.map(\.write)
        let highest = writes.map(\.precedence).max() ?? 0
        let ranking = writes.filter { $0.precedence == highest }
        var chosen: [Value: SurvivingWrite] = [:]
        for write in ranking {
            guard let other = chosen[write.value] else {
                chosen[write.value] = write
                continue
            }
            if SurvivingWrite.isOlder(other, write) { chosen[write.value] = write }
        }
        return chosen.values.sorted { OpenConflict.isBefore($0, $1) }.map { (field, $0) }
    }

    /// The order in which people see values: by the clocks of their authors.
    private static func isBefore(_ one: SurvivingWrite, _ other: SurvivingWrite) -> Bool {
        (one.clock, one.id) < (other.clock, other.id)
    }

    /// The first one keeps the record deleted, every other one restores it.
    private var deletionChoices: [(field: String, write: SurvivingWrite)] {
        let deletions = writes.filter { OpenConflict.deletes($0) }
        return [deletions.map(\.write).max(by: SurvivingWrite.isOlder)].compactMap(\.self)
            .map { (Write.existence, $0) } + writes.filter { !OpenConflict.deletes($0) }
    }

    private static func deletes(_ entry: (field: String, write: SurvivingWrite)) -> Bool {
        entry.field == Write.existence && entry.write.value == .boolean(true)
    }

    /// Equal on every device that has the same writes; a new write changes it.
    var id: String {
        var bytes = space.id.bytes + lengthPrefixed(Array(key.collection.utf8)) + key.record.bytes
        bytes += lengthPrefixed(Array(field.utf8))
        for write in writes.map(\.write.id).sorted() {
            bytes += write.commit.bytes + bigEndian(UInt64(write.index))
        }
        return hexadecimal(Label.conflict.hash(bytes).bytes.prefix(Bytes16.byteCount))
    }
}

/// Conflicts of one record.
extension OpenConflict {
    /// The conflict about a deleted space; nil while nobody else wrote anything.
    static func ofDeleted(
        _ space: ReadableSpace, _ key: RecordKey, _ state: RecordState,
        _ work: [(work: UnseenWork, last: StoredCommit)]
    ) -> OpenConflict? {
        let isDisputed = state.fields[Write.existence]?.isConflicted ?? false
        guard isDisputed || !work.isEmpty else { return nil }
        return OpenConflict(
            space: space, key: key, field: Write.existence, fieldSchema: nil, state: state,
            work: work.map { work, last in
                let header = last.commit.header
                return SurvivingWrite(
                    id: WriteID(commit: last.commit.id, index: 0), log: header.log,
                    sequence: header.sequence, clock: last.clock,
                    precedence: Precedence.user.rawValue,
                    value: .text(Sentence.Changes.text(work.changes)))
            })
    }

    static func all(
        _ key: RecordKey, _ state: RecordState, under collection: CollectionSchema?,
        in space: ReadableSpace
    ) -> [OpenConflict] {
        guard state.isConflicted(under: collection) else { return [] }
        func conflict(_ field: String) -> OpenConflict {
            OpenConflict(
                space: space, key: key, field: field,
                fieldSchema: collection?.field(field), state: state)
        }
        let isDisputed = state.fields[Write.existence]?.isConflicted ?? false
        let first = isDisputed || state.isDeleted ? [conflict(Write.existence)] : []
        guard !state.isDeleted else { return first }
        // In the order that people see; unknown fields come last.
        let known = collection?.fields.map(\.name) ?? []
        let others = state.fields.keys.filter { !known.contains($0) && $0 != Write.existence }
        return first
            + (known + others.sorted()).filter { name in
                let field = collection?.field(name)
                guard let register = state.fields[name], field?.type != .order else { return false }
                let strategy = field?.strategy ?? .lastWrite
                let shown = strategy.shown(register, merged: state.merged[name])
                return shown?.isConflicted ?? false
            }.map(conflict)
    }
}
