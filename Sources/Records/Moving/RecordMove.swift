internal import LocalAPI
internal import Store
package import SyncCore

/// Moves records with their parts to another space of the same schema.
///
/// A record lives in one space, so moving makes a new record there, written by the person who moves it; the
/// former author and the time are kept beside it as a record of ``Schema/origin``. The old one is deleted.
/// Both are one deed.
package struct RecordMove {
    /// The record there that a reference of a moved record gets, with the operations that make it.
    package typealias Counterpart = (id: RecordID, operations: [RecordOperation])

    private struct Record {
        let entry: ShownEntry
        let copied: CopiedRecord
        let files: [NamedBlob]

        var key: RecordKey { copied.key }
    }

    private let service: RecordService
    private let source: RecordService.Place
    private let target: RecordService.Place
    private let reader: RecordReader
    private let roots: [ShownEntry]
    /// Fields with facts from a file: left out where the target has none of them.
    private let fileFacts: Set<String>
    private var records: [Record] = []
    private var newIDs: [RecordKey: RecordID] = [:]
    private var counterparts: [RecordKey: RecordID] = [:]
    /// The operations that make counterparts.
    private var before: [RecordOperation] = []
    private var files: MovedFiles

    /// `reader` reads the source. `counterpart` finds the record there for one that is not moved and that a
    /// moved one refers to; nil for none. Throws ``APIError`` for records that cannot be moved completely.
    package init(
        _ service: RecordService, _ entries: [ShownEntry], from source: RecordService.Place,
        to target: RecordService.Place, leavingOut fileFacts: Set<String>,
        counterpart: (RecordKey, ShownEntry) throws -> Counterpart?
    ) throws {
        (self.service, self.source, self.target) = (service, source, target)
        (roots, self.fileFacts) = (entries, fileFacts)
        reader = service.reader(source)
        files = MovedFiles(service.replica, from: source.space, to: target.space)
        for entry in entries { try add(entry, of: source.collection) }
        try find(counterpart)
    }

    // MARK: Records

    private mutating func add(_ entry: ShownEntry, of collection: CollectionSchema) throws {
        let key = RecordKey(collection: collection.name, record: entry.id)
        guard newIDs[key] == nil else { return }
        let title = reader.title(entry.record, in: collection.name)
        guard !entry.isUnfinished else {
            throw APIError(
                code: .conflict,
                sentence: "\(Sentence.name(title)) is unfinished and only on this device.",
                hint: "Finish it, then move it.")
        }
        guard try reader.conflicts(of: entry, in: collection, of: source.space).isEmpty else {
            throw MoveErrors.inConflict(title)
        }
        newIDs[key] = try service.replica.movedID(
            of: key, from: source.space.id, to: target.space.id)
        records.append(try record(entry, of: collection, called: title))
        for (name, _) in source.schema.parts(of: collection.name) {
            guard let part = source.schema.collection(name) else { continue }
            // As people see it: a file that was added twice is one.
            for files in try reader.files(of: entry.id, in: part) {
                if let first = files.first { try add(first, of: part) }
            }
        }
    }

    private mutating func record(
        _ entry: ShownEntry, of collection: CollectionSchema, called title: String
    ) throws -> Record {
        var fields: [FieldSchema] = []
        var named: [NamedBlob] = []
        for field in collection.fields where !field.isLocal {
            let value = entry.record.value(field.name) ?? .null
            guard value != .null || !entry.record.elements(field.name).isEmpty else { continue }
            let there = target.schema.collection(collection.name)?.field(field.name)
            guard there?.type == field.type else {
                if fileFacts.contains(field.name) { continue }
                throw MoveErrors.noField(field.name, of: title, in: target.space.name)
            }
            fields.append(field)
            guard case .blob(let kind) = field.type, let blob = value.blob else { continue }
            named.append(try files.add(blob, kind, of: title))
        }
        let key = RecordKey(collection: collection.name, record: entry.id)
        let copied = try CopiedRecord(key, entry, fields, reader, service)
        guard Moment(copied.changed) != nil else { throw InputCheck.badTime }
        return Record(entry: entry, copied: copied, files: named)
    }

    private mutating func find(
        _ counterpart: (RecordKey, ShownEntry) throws -> Counterpart?
    ) throws {
        for record in records {
            for field in source.schema.collection(record.key.collection)?.fields ?? [] {
                guard let collection = field.type.referenced?.collection else { continue }
                for target in record.entry.record.targets(of: field) {
                    let key = RecordKey(collection: collection, record: target)
                    guard newIDs[key] == nil, counterparts[key] == nil,
                        let entry = try reader.shown(collection, target),
                        let found = try counterpart(key, entry)
                    else { continue }
                    counterparts[key] = found.id
                    // Two records of one name have one counterpart.
                    before += found.operations.filter { operation in
                        !before.contains { $0.record == operation.record }
                    }
                }
            }
        }
    }

    // MARK: Writing

    /// Also returns the ids that records get there.
    private func batches(
        naming moved: [BlobID: NamedBlob]
    ) throws -> (batches: RecordBatches, ids: [RecordKey: RecordID]) {
        var batches = try RecordBatches(before)
        var ids = newIDs.merging(counterparts) { own, _ in own }
        let (replica, space) = (service.replica, target.space.id)
        for record in records {
            let named = Dictionary(record.files.map { ($0.blob, moved[$0.blob] ?? $0) }) { $1 }
            var operation = RecordOperation(record.key, record.copied.writes(ids, named))
            let derived = replica.schemas.builtIn.derivedID(
                operation, space, replica.local.person, replica.membership(of: space))
            if let derived { ids[record.key] = derived }
            operation.record = ids[record.key] ?? operation.record
            let key = RecordKey(collection: operation.collection, record: operation.record)
            guard batches.add(operation, Array(named.values)),
                batches.add(record.copied.origin(at: key, in: space), [])
            else { throw APIError.requestTooLarge }
        }
        return (batches, ids)
    }

    private func deletions() throws -> [RecordOperation] {
        try roots.map { try service.deletion(of: $0, in: source.collection.name, reader) }
    }

    /// Throws unless all of it may be written.
    private func require(
        _ adding: SpaceAction, _ deleting: SpaceAction
    ) throws {
        let (writer, person) = (service.writer, service.replica.local.person)
        let added = try batches(naming: [:]).batches.parts.flatMap(\.draft.operations)
        for (place, operations, action) in [
            (target, added, adding), (source, try deletions(), deleting),
        ] {
            try writer.requireNotDeleted(place.space)
            try writer.require(
                requiredFlags(of: operations, in: place.space.id, by: person).union(.write),
                in: place.space, action)
        }
    }

    /// Throws when one of the records was changed since they were read.
    private func requireUnchanged() throws {
        let now = service.reader(source)
        for record in records {
            guard let entry = try now.shown(record.key.collection, record.key.record),
                entry.state == record.entry.state
            else {
                throw MoveErrors.changedMeanwhile(
                    reader.title(record.entry.record, in: record.key.collection))
            }
        }
    }

    /// Moves the records; returns the new ids of the named ones. Checks all obstacles before anything is
    /// written. Completes an interrupted move of the same records.
    package func carryOut(
        _ adding: SpaceAction, _ deleting: SpaceAction
    ) async throws -> [RecordID] {
        try require(adding, deleting)
        let notes = InterruptedMoves(service.replica)
        let earlier = try self.earlier(notes)
        if let earlier, try isWhole(earlier) {
            try requireUnchanged(since: earlier)
            try await write(RecordBatches(), after: earlier, adding, deleting)
            try notes.remove(earlier)
            return earlier.pairs.map(\.made.record)
        }
        // Adds no file, but throws where the source is encrypted and its key is not here.
        _ = try await FileIntake(service.replica).add(photos: [], track: nil, into: source.space)
        let (added, ids) = try await batches(naming: files.carryOut())
        let last = try service.replica.store.log.lastPlace()
        try requireUnchanged()
        func made(_ key: RecordKey) -> RecordKey {
            RecordKey(collection: key.collection, record: ids[key] ?? key.record)
        }
        let rootKeys = roots.map { source.key($0.id) }
        let note = MoveNote(
            rootKeys, as: rootKeys.map(made), from: source.space.id, to: target.space.id,
            copies: records.map { made($0.key) }, began: earlier?.began ?? last, read: last)
        // Before anything is written, so that status reports an interruption.
        try notes.add(note)
        let removed = try earlier.map { try deletions(ofCopies: $0) } ?? []
        try await write(added, after: note, removing: removed, adding, deleting)
        try notes.remove(note)
        return note.pairs.map(\.made.record)
    }

    /// The new records come first: after a stop there are two of each, and never none.
    private func write(
        _ added: RecordBatches, after note: MoveNote, removing: [RecordOperation] = [],
        _ adding: SpaceAction, _ deleting: SpaceAction
    ) async throws {
        let deleted = try RecordBatches(deletions())
        let there = added.records.union(note.keys.map(\.record)).union(removing.map(\.record))
        let written = [target.space.id: there, source.space.id: deleted.records]
        let writer = service.writer
        try await Deeds(service.replica).together(writingTo: written, after: note.began) {
            if !removing.isEmpty {
                try await writer.write(ChangeSet(operations: removing), to: target.space, adding)
            }
            try await added.write(to: target.space, by: writer, adding)
            do {
                try await deleted.write(to: source.space, by: writer, deleting)
            } catch {
                throw MoveErrors.notDeleted(
                    in: source.space.name, because: service.replica.sentence(for: error))
            }
        }
    }

    // MARK: Interrupted moves

    /// The note of an interrupted move of these records. Throws for a move of only some of them.
    private func earlier(_ notes: InterruptedMoves) throws -> MoveNote? {
        let keys = roots.map { source.key($0.id) }
        let note = try notes.note(from: source.space.id, to: target.space.id) { $0.overlaps(keys) }
        if let note, !note.isOf(keys) {
            throw APIError(
                code: .conflict,
                sentence: """
                    It is one of \(Sentence.count(note.pairs.count, "memory", "memories")) whose \
                    move to \(Sentence.name(target.space.name)) was interrupted.
                    """,
                hint: "Name all of them again.")
        }
        return note
    }

    private func isWhole(_ note: MoveNote) throws -> Bool {
        try note.keys.allSatisfy {
            try service.replica.store.records.record($0, of: target.space.id) != nil
        }
    }

    /// Throws when one of the records was changed after it was copied.
    private func requireUnchanged(since note: MoveNote) throws {
        let commits = try service.replica.store.log.storedCommits(
            of: source.space.id, after: note.read, before: nil, exceptOf: nil,
            limit: Limits.commitsSinceMove)
        let written = Set(
            commits.flatMap(\.commit.operations).map {
                RecordKey(collection: $0.collection, record: $0.record)
            })
        let isAll = commits.count < Limits.commitsSinceMove
        let changed = records.first { written.contains($0.key) } ?? (isAll ? nil : records.first)
        guard let changed else { return }
        throw MoveErrors.changedSince(
            reader.title(changed.entry.record, in: changed.key.collection),
            in: source.space.name)
    }

    /// Deletes incomplete copies.
    private func deletions(ofCopies note: MoveNote) throws -> [RecordOperation] {
        let there = service.reader(target)
        return try note.pairs.filter { try there.presence($0.made).isShown }.map {
            RecordOperation($0.made, [.deletion(true)])
        }
    }
}

extension Replica {
    /// A new id for a record that this person moves to another space; differs for each move.
    fileprivate func movedID(
        of key: RecordKey, from source: SpaceID, to target: SpaceID
    ) throws -> RecordID {
        var number: UInt64 = 0
        while true {
            let id = RecordID.moved(key, from: source, to: target, by: local.person, number)
            let there = RecordKey(collection: key.collection, record: id)
            if try store.records.record(there, of: target) == nil { return id }
            number += 1
        }
    }
}

extension RecordID {
    /// The id of a record that a person moves to a space for the `number`th time: a reader of both spaces
    /// can recognise the move, and nobody else.
    static func moved(
        _ key: RecordKey, from source: SpaceID, to target: SpaceID, by person: PersonID,
        _ number: UInt64
    ) -> RecordID {
        let origin = Label.movedRecord.hash(
            source.bytes + key.record.bytes + bigEndian(number) + Array(key.collection.utf8))
        return .made(by: person, in: target, from: origin.bytes)
    }
}
