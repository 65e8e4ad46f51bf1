package import LocalAPI
internal import Records
internal import SyncCore

/// Adds and changes memories, each in one commit, so that nobody sees half of one.
extension JournalService {
    package func addMemory(_ draft: MemoryDraft) async throws -> MemoryView {
        let trip = try directory.trip(draft.trip)
        try writer.require(.write, in: trip, .addMemory)
        var values = try MemoryFieldValues.values(of: draft)
        let tagNames = try InputCheck.tags(draft.tags)
        guard
            !draft.title.isEmpty || !draft.text.isEmpty || !draft.photoPaths.isEmpty
                || draft.trackPath != nil
        else { throw APIError.emptyMemory }
        // Refuses wrong input before minutes of copying.
        _ = try draft.bucketItem.map { try JournalLists(replica).resolveBucketItem($0, in: trip) }
        if !draft.again {
            try await refuseKnown(draft.photoPaths, track: draft.trackPath, in: trip)
        }
        let files = try await FileIntake(replica)
            .add(photos: draft.photoPaths, track: draft.trackPath, into: trip)
        if draft.at == nil, let moment = files.moment {
            values.append((Field.at, .time(moment)))
        }
        if draft.position == nil, let position = files.position {
            values.append((Field.position, .position(position)))
        }

        let memory = replica.newRecordID(in: trip.id)
        var plan = MemoryPlan(memory: memory)
        plan.writes = try FieldWrites.writes(values, over: nil, seen: nil)
        try addTags(tagNames, to: &plan, in: trip)
        if let item = draft.bucketItem {
            let item = try JournalLists(replica).resolveBucketItem(item, in: trip)
            plan.before += item.operations
            plan.writes.append(Write(field: Field.bucketItem, value: .reference(item.id)))
        }
        let records = AttachmentRecords(replica, in: trip.id, memory: memory)
        plan.add(try records.add(files, to: []))
        // The last point at which cancelling prevents the write.
        try Task.checkCancellation()
        try await writer.write(plan.changes, to: trip, .addMemory)
        return try view(of: memory, in: trip, notices: plan.notices)
    }

    package func editMemory(_ memory: String, _ changes: MemoryChanges) async throws -> MemoryView {
        let found = try replica.snapshot {
            let found = try findMemory(memory)
            guard changes.changesSomething else { throw APIError.nothingToChange }
            try writer.require(.write, in: found.trip, .changeMemory)
            return found
        }
        let trip = found.trip
        let typed = try TypedChanges(changes)
        if !changes.again {
            try await refuseKnown(
                changes.addPhotoPaths, track: changes.trackPath, in: trip, except: found.entry.id)
        }
        let files = try await FileIntake(replica)
            .add(photos: changes.addPhotoPaths, track: changes.trackPath, into: trip)
        // Copying may have taken long: the edit replaces what is shown now.
        let plan = try replica.snapshot {
            try self.plan(typed, adding: files, to: found.entry.id, in: trip)
        }
        try Task.checkCancellation()
        if !plan.isEmpty {
            let action: SpaceAction = plan.removesFiles ? .removeFile : .changeMemory
            try await writer.write(plan.changes, to: trip, action)
        }
        return try view(of: plan.memory, in: trip, notices: plan.notices)
    }

    // MARK: Parts of an edit

    /// An edit whose texts were checked.
    private struct TypedChanges {
        let whole: MemoryChanges
        let values: [(field: String, value: Value)]
        let addedTags: [String]
        let removedTags: [String]

        init(_ changes: MemoryChanges) throws {
            whole = changes
            values = try MemoryFieldValues.values(of: changes)
            addedTags = try InputCheck.tags(changes.addTags)
            removedTags = try InputCheck.tags(changes.removeTags)
        }
    }

    /// The writes of an edit, relative to what is shown.
    private func plan(
        _ changes: TypedChanges, adding files: FileIntake.Taken, to memory: RecordID,
        in trip: ReadableSpace
    ) throws -> MemoryPlan {
        let reader = records.reader(try records.place(trip, Collection.memory))
        guard let now = try reader.shown(Collection.memory, memory) else {
            throw APIError.unknown(.memory, ShortIDs.alone(memory.description))
        }
        let contents = try MemoryContents(trip, records, reader: reader, memories: [now])
        var plan = MemoryPlan(memory: memory)
        var values = changes.values
        if let item = changes.whole.bucketItem {
            let item = try JournalLists(replica).resolveBucketItem(item, in: trip)
            plan.before += item.operations
            values.append((Field.bucketItem, .reference(item.id)))
        }
        let key = RecordKey(collection: Collection.memory, record: memory)
        plan.writes = try records.writes(
            values, to: key, in: trip.id, over: now, seen: changes.whole.seen)
        try addTags(changes.addedTags, to: &plan, in: trip, over: now)
        try removeTags(changes.removedTags, from: now, to: &plan, in: trip)
        let records = AttachmentRecords(replica, in: trip.id, memory: memory)
        plan.add(
            try records.add(
                files, to: contents.media(of: memory), replacing: contents.track(of: memory)))
        try remove(changes.whole, from: now, contents, to: &plan)
        return plan
    }

    // MARK: Tags and removed files of an edit

    private func addTags(
        _ names: [String], to plan: inout MemoryPlan, in trip: ReadableSpace,
        over shown: ShownEntry? = nil
    ) throws {
        guard !names.isEmpty else { return }
        let book = try TagBook(self, trip.id)
        let home = try TagBook(self, replica.local.homeSpace)
        let precedence = replica.precedence(in: trip.id)
        // A person whose writes take precedence writes an existing tag again.
        let present = (shown?.record.elements(Field.tags) ?? []).filter { element in
            shown?.state.sets[Field.tags]?[element]?.isBelow(precedence) != true
        }
        var known = Set(present.compactMap(\.reference))
        for name in names {
            let tag = book.resolve(name, home: home)
            guard known.insert(tag.id).inserted else { continue }
            plan.before += tag.operations
            plan.writes.append(
                Write(
                    field: Field.tags, element: .reference(tag.id), value: .boolean(true)))
        }
    }

    /// Removes every tag of the name; a tag that the memory does not have is a typing error.
    private func removeTags(
        _ names: [String], from shown: ShownEntry, to plan: inout MemoryPlan, in trip: ReadableSpace
    ) throws {
        guard !names.isEmpty else { return }
        let book = try TagBook(self, trip.id)
        let carried = Set(shown.record.elements(Field.tags).compactMap(\.reference))
        for name in names {
            let here = book.tags.filter { carried.contains($0.id) }
            let tags = Lookup.allMatches(name, among: here.map(\.lookupEntry)).map { here[$0] }
            if Set(tags.map { Lookup.fold($0.name) }).count != 1 {
                // Throws, with the tags that the name may mean.
                _ = try Lookup.find(name, .tag, among: here, by: \.lookupEntry)
            }
            plan.writes += tags.map {
                Write(field: Field.tags, element: .reference($0.id), value: .boolean(false))
            }
        }
    }

    private func remove(
        _ changes: MemoryChanges, from shown: ShownEntry, _ contents: MemoryContents,
        to plan: inout MemoryPlan
    ) throws {
        let reader = contents.reader
        let media = try reader.files(of: shown.id, in: contents.media)
        for typed in changes.removeMedia {
            let file = try Lookup.find(typed, .media, among: media) {
                Lookup.Entry(id: $0[0].id.description, name: $0[0].record.line(Field.fileName))
            }
            // Other records of the same file would be shown in its place.
            plan.after += try file.map {
                try records.deletion(of: $0, in: Collection.media, reader)
            }
            plan.removesFiles = true
        }
        if changes.clear.contains(.track), changes.trackPath == nil,
            let track = try contents.track(of: shown.id)
        {
            plan.after.append(try records.deletion(of: track, in: Collection.track, reader))
            plan.removesFiles = true
        }
    }
}

/// The commit about one memory, while it is composed.
struct MemoryPlan {
    let memory: RecordID
    /// Records that the memory refers to.
    var before: [RecordOperation] = []
    var writes: [Write] = []
    /// Records that refer to the memory.
    var after: [RecordOperation] = []
    var blobs: [NamedBlob] = []
    var notices: [String] = []
    var removesFiles = false

    init(memory: RecordID) { self.memory = memory }

    var isEmpty: Bool { before.isEmpty && writes.isEmpty && after.isEmpty }

    mutating func add(_ files: AttachmentRecords.Addition) {
        after += files.operations
        blobs += files.blobs
        notices += files.duplicates.map {
            tr("\(Sentence.plain($0)) is in this memory already and was not added again.")
        }
    }

    /// In dependency order, so that no record refers to a later one.
    var changes: ChangeSet {
        let own = RecordOperation(
            collection: JournalSchema.Collection.memory, record: memory, writes: writes)
        return ChangeSet(
            blobs: blobs, operations: before + (writes.isEmpty ? [] : [own]) + after)
    }
}

extension MemoryChanges {
    fileprivate var changesSomething: Bool {
        var changes = self
        (changes.seen, changes.again) = (nil, false)
        return changes != MemoryChanges()
    }
}
