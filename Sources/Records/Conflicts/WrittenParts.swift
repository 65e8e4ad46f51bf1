internal import LocalAPI
internal import Store
internal import SyncCore

/// The parts of a deleted record that somebody wrote and that no deletion of it had seen.
struct WrittenParts {
    /// Parts of one kind that were all added, or all changed.
    private struct Kind: Hashable {
        let isAdded: Bool
        let noun: String
    }

    private struct Part {
        let name: String
        /// Fields that were written.
        let fields: [String]
    }

    private let reader: RecordReader

    init(_ reader: RecordReader) { self.reader = reader }

    /// The actions of a touch's author until then: `added the photo “tower.jpg”`.
    func text(of touch: SurvivingWrite, in conflict: OpenConflict) throws -> String {
        let deletions = (conflict.state.fields[Write.existence]?.writes ?? [])
            .filter { $0.value == .boolean(true) }
        var known: [CommitID: Bool] = [:]
        var found: [Kind: [Part]] = [:]
        var kinds: [Kind] = []
        for (key, entry) in try reader.parts(of: conflict.key) where !entry.record.isDeleted {
            let unseen = try entry.state.statements.filter { write in
                if let isUnseen = known[write.id.commit] { return isUnseen }
                let isUnseen = try isUnseen(write, by: deletions, of: touch)
                known[write.id.commit] = isUnseen
                return isUnseen
            }
            guard !unseen.isEmpty else { continue }
            let (kind, part) = part(key, entry, Set(unseen.map(\.id)))
            if found[kind] == nil { kinds.append(kind) }
            found[kind, default: []].append(part)
        }
        guard !kinds.isEmpty else { return Sentence.Conflicts.changedParts }
        return Sentence.Changes.text(kinds.map { view($0, found[$0] ?? []) })
    }

    private func isUnseen(
        _ write: SurvivingWrite, by deletions: [SurvivingWrite], of touch: SurvivingWrite
    ) throws -> Bool {
        let records = reader.replica.store.records
        guard try records.hasSeen([write], by: touch, in: reader.space) else { return false }
        return try deletions.allSatisfy {
            try !records.hasSeen([write], by: $0, in: reader.space)
        }
    }

    private func part(
        _ key: RecordKey, _ entry: ShownEntry, _ unseen: Set<WriteID>
    ) -> (Kind, Part) {
        let collection = reader.schema.collection(key.collection)
        func isWritten(_ field: String) -> Bool {
            entry.state.fields[field]?.writes.contains { unseen.contains($0.id) } ?? false
        }
        let isAdded = collection?.owners.contains { isWritten($0.field.name) } ?? false
        let kind = Kind(
            isAdded: isAdded,
            noun: reader.replica.schemas.noun(
                of: key.collection, entry.record, in: reader.schema))
        let fields = (collection?.fields ?? []).map(\.name).filter(isWritten)
            .map { ShownText.line($0).replacing("_", with: " ") }
        return (
            kind, Part(name: reader.title(entry.record, in: key.collection), fields: fields)
        )
    }

    private func view(_ kind: Kind, _ parts: [Part]) -> ChangeView {
        let isOneChanged = !kind.isAdded && parts.count == 1
        return ChangeView(
            kind.isAdded ? .added : .changed, noun: kind.noun, count: parts.count,
            names: parts.prefix(Limits.changeNames).map(\.name).filter { !$0.isEmpty },
            fields: isOneChanged ? parts[0].fields : [])
    }
}
