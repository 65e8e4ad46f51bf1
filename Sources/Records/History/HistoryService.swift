package import LocalAPI
internal import Store
internal import SyncCore

/// Everything that was ever written to a record; writes to its parts are in their history.
package struct HistoryService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    /// Includes deleted records. Throws ``APIError`` for an unknown or ambiguous name.
    package func history(_ typed: String, _ scope: WhyScope) throws -> RecordHistoryView {
        let found = try WhySubjects(replica: replica).find(typed, scope)
        guard let subject = found.first(where: \.isRecord),
            case .record(let key, let entry) = subject.thing
        else { throw APIError.unknown(.thing, ShownText.line(typed)) }
        guard !entry.isUnfinished else {
            throw APIError(
                code: .conflict,
                sentence: """
                    \(Sentence.name(subject.name)) is unfinished: its history begins once it is finished.
                    """)
        }
        let reader = subject.place.reader
        let commits = try replica.store.past.commits(
            writingTo: [key], in: reader.space)
        let past = try RecordPast(of: key, commits, under: reader.schema)
        let words = HistoryWords(past, reader)
        var changes: [RecordHistoryView.Change] = []
        var first = 0
        while first < past.entries.count {
            let commit = past.entries[first].commit
            let id = past.entries[first].commitID
            let end = past.entries[first...].firstIndex { $0.commitID != id }
            let range = first..<(end ?? past.entries.count)
            first = range.upperBound
            let told = range.filter { !past.entries[$0].write.isTouch }
            guard !told.isEmpty else { continue }
            changes.append(
                try words.change(commit, try told.map { try words.write(at: $0) }))
        }
        return RecordHistoryView(
            record: Reference(key.record, name: subject.name),
            space: subject.place.space.reference, collection: ShownText.line(key.collection),
            deleted: entry.state.isDeleted, changes: changes)
    }
}

extension WhySubject {
    fileprivate var isRecord: Bool { if case .record = thing { true } else { false } }
}

/// Describes a record's past.
private struct HistoryWords {
    private let past: RecordPast
    private let reader: RecordReader
    private let collection: CollectionSchema?

    init(_ past: RecordPast, _ reader: RecordReader) {
        (self.past, self.reader) = (past, reader)
        collection = reader.schema.collection(past.key.collection)
    }

    func change(
        _ commit: PastCommit, _ writes: [RecordHistoryView.Write]
    ) throws -> RecordHistoryView.Change {
        let device = commit.stored.commit.header.log.device
        let id = commit.stored.commit.id.description
        return RecordHistoryView.Change(
            id: id, shortID: ShortIDs.alone(id),
            author: reader.replica.author(with: device, in: reader.space),
            device: reader.replica.reference(device), written: Moment(commit.stored.clock),
            received: Moment(commit.stored.receivedAt),
            withoutEffect: commit.isEffective ? nil : true, writes: writes)
    }

    func write(at index: Int) throws -> RecordHistoryView.Write {
        let entry = past.entries[index]
        let write = entry.write
        let isExistence = write.field == Write.existence
        let deletes = write.value == .boolean(true)
        let text =
            isExistence
            ? (deletes ? Sentence.Conflicts.deleted : Sentence.Conflicts.restored)
            : try reader.text(of: write.element ?? write.value)
        let standing = standing(of: entry)
        let next = entry.replacedBy.map { past.entries[$0].commit.stored }
        return RecordHistoryView.Write(
            field: isExistence ? nil : ShownText.line(write.field), text: text,
            added: write.element.map { _ in deletes }, standing: standing,
            by: next.map {
                reader.replica.author(with: $0.commit.header.log.device, in: reader.space)
            },
            at: next.map { Moment($0.clock) }, rule: standing == .beside ? rule(of: write) : nil)
    }

    private func standing(of entry: RecordPast.Entry) -> RecordHistoryView.Write.Standing {
        guard entry.isEffective else { return .withoutEffect }
        guard entry.replacedBy == nil else { return .replaced }
        let name = RegisterName(entry.write)
        guard let register = past.state.register(name), register.writes.count > 1 else {
            return .shown
        }
        guard name.element == nil, let field = collection?.field(name.field) else {
            return entry.write.value == register.latest?.value ? .shown : .beside
        }
        if past.state.merged[name.field] != nil { return .merged }
        let shown = past.state.shown(name.field, by: field.strategy)?.value
        return entry.write.value == shown ? .shown : .beside
    }

    private func rule(of write: Write) -> ConflictView.Rule {
        if write.field == Write.existence { return .deletion }
        return ConflictView.Rule(
            collection?.field(write.field)?.strategy ?? .lastWrite, isMerged: false)
    }
}
