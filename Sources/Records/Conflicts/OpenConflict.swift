internal import LocalAPI
internal import Store
internal import SyncCore

/// One register about which somebody should decide.
struct OpenConflict: Sendable {
    let space: ReadableSpace
    let key: RecordKey
    /// ``Write/existence`` for a deletion.
    let field: String
    /// Nil when the schema does not know the field.
    let fieldSchema: FieldSchema?
    let state: RecordState
    /// Of a deleted space: for each device what it wrote there that the deletion had not seen, in words
    /// and as the latest of its commits.
    var work: [SurvivingWrite] = []

    var isDeletion: Bool { field == Write.existence }
    /// Whether a whole space was deleted.
    var isOfSpace: Bool { space.known?.deletion != nil }

    /// What survives in the register; for a deletion, first the writes that deleted the record, then
    /// those that brought it back, then the edits that no deletion had seen.
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

    /// The writes that decide: each distinct value once, by its latest write; what is outranked is
    /// no choice.
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

    /// The order in which people read values: by the clocks of their authors.
    private static func isBefore(_ one: SurvivingWrite, _ other: SurvivingWrite) -> Bool {
        (one.clock, one.id) < (other.clock, other.id)
    }

    /// The first one keeps the record deleted, every other one brings it back.
    private var deletionChoices: [(field: String, write: SurvivingWrite)] {
        let deletions = writes.filter { OpenConflict.deletes($0) }
        return [deletions.map(\.write).max(by: SurvivingWrite.isOlder)].compactMap(\.self)
            .map { (Write.existence, $0) } + writes.filter { !OpenConflict.deletes($0) }
    }

    private static func deletes(_ entry: (field: String, write: SurvivingWrite)) -> Bool {
        entry.field == Write.existence && entry.write.value == .boolean(true)
    }

    /// The same on every device that has the same writes; another one when a write comes in.
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
    /// The one about a deleted space; nil while nobody wrote or said anything else.
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
        // In the order people see them; those that the schema does not know come last.
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
