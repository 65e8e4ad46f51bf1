import LocalAPI
import Media
import Store
import SyncCore

/// Making, changing, deleting and restoring records: each is one commit.
extension RecordService {
    func addRecord(_ draft: RecordDraft) async throws -> RecordView {
        let place = try place(draft.space, draft.collection)
        try requireOwn(place)
        let record = core.newRecordID()
        var plan = RecordPlan(place, record)
        try await plan.set(draft.fields, self, over: nil, seen: nil)
        let missing = place.collection.fields.filter { field in
            field.isRequired && !plan.writes.contains { $0.field == field.name }
        }
        guard missing.isEmpty else {
            throw APIError.missingFields(missing.map(\.name), of: place.collection.name)
        }
        try plan.put(draft.place ?? RecordPlace(first: false), self)
        // A record is there once something is written to it.
        if plan.writes.isEmpty { plan.writes.append(.deletion(false)) }
        try await carryOut(plan)
        return try view(of: record, in: place)
    }

    func changeRecord(_ record: String, _ changes: RecordChanges) async throws -> RecordView {
        let place = try place(changes.space, changes.collection)
        try requireOwn(place)
        let reader = reader(place)
        let entry = try find(record, in: place, reader)
        guard
            !changes.fields.isEmpty || !changes.add.isEmpty || !changes.remove.isEmpty
                || changes.place != nil
        else { throw APIError.nothingToSet }
        var plan = RecordPlan(place, entry.id)
        try await plan.set(changes.fields, self, over: entry, seen: changes.seen)
        let values = RecordValues(self, place, reader)
        for (elements, isIn) in [(changes.add, true), (changes.remove, false)] {
            for (name, given) in elements.sorted(by: { $0.key < $1.key }) {
                let field = try values.field(name)
                for element in given {
                    plan.writes.append(
                        Write(
                            field: name, element: try values.element(element, of: field),
                            value: .boolean(isIn)))
                }
            }
        }
        if let wanted = changes.place { try plan.put(wanted, self) }
        try await carryOut(plan)
        return try view(of: entry.id, in: place)
    }

    /// Deletes a record. What belongs to it is hidden with it; what it is needed by forbids it.
    func deleteRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        try requireOwn(place)
        let reader = reader(place)
        let entry = try find(record, in: place, reader)
        let before = try RecordViews(self, place, reader, []).view(entry)
        var checked: Set<RecordKey> = []
        try requireUnused(place.key(entry.id), called: before.name, reader, &checked)
        try await write(
            CommitDraft(operations: [operation(place, entry.id, [.deletion(true)])]), to: place,
            .deleteRecords)
        return before
    }

    /// Takes a deletion back; nothing of the record was lost by it.
    func restoreRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        let place = try place(scope.space, scope.collection)
        try requireOwn(place)
        let reader = reader(place)
        let entry = try find(record, in: place, reader) { $0 == .deleted || $0 == .held }
        let shown = entry.record.isDeleted
        if shown {
            try await write(
                CommitDraft(operations: [operation(place, entry.id, [.deletion(false)])]),
                to: place, .changeRecords)
        }
        return try view(of: entry.id, in: place)
    }

    private func carryOut(_ plan: RecordPlan) async throws {
        let place = plan.place
        if !plan.writes.isEmpty {
            try await write(
                CommitDraft(
                    blobs: plan.blobs, operations: [operation(place, plan.record, plan.writes)]),
                to: place, .changeRecords)
        }
        guard !plan.local.isEmpty else { return }
        let (local, key) = (plan.local, place.key(plan.record))
        try await core.store.offloaded { store in
            try store.setLocalValues(local, of: key, in: place.space)
        }
    }

    private func operation(
        _ place: Place, _ record: RecordID, _ writes: [Write]
    ) -> RecordOperation {
        RecordOperation(collection: place.collection.name, record: record, writes: writes)
    }

    private func view(of record: RecordID, in place: Place) throws -> RecordView {
        let reader = reader(place)
        guard let entry = try reader.entry(place.key(record)) else {
            throw APIError.unknownRecord(place.collection.name, record.description)
        }
        return try RecordViews(self, place, reader, []).view(entry)
    }

    /// Names of people, devices and spaces are written by the commands that are for them.
    private func requireOwn(_ place: Place) throws(APIError) {
        guard !Schema.everywhere.contains(where: { $0.name == place.collection.name }) else {
            throw APIError.collectionOfProgram(place.collection.name)
        }
    }

    /// Throws when a record that stays refers to this one, or to one that would be hidden with it, and
    /// its reference forbids that.
    private func requireUnused(
        _ key: RecordKey, called name: String, _ reader: RecordReader,
        _ checked: inout Set<RecordKey>
    ) throws {
        guard checked.insert(key).inserted else { return }
        for (collection, users) in try reader.restricting(key) {
            let staying = users.filter {
                !checked.contains(RecordKey(collection: collection, record: $0.id))
            }
            guard staying.isEmpty else {
                throw APIError.recordInUse(name, by: staying.count, of: collection)
            }
        }
        for collection in reader.schema.collections {
            for field in collection.fields {
                guard case .reference(key.collection, .cascade) = field.type else { continue }
                for part in try reader.referring(
                    to: key.record, in: collection.name, through: field)
                {
                    try requireUnused(
                        RecordKey(collection: collection.name, record: part.id), called: name,
                        reader, &checked)
                }
            }
        }
    }
}

/// One commit about one record, as it is put together.
struct RecordPlan {
    let place: RecordService.Place
    let record: RecordID
    var writes: [Write] = []
    var blobs: [NamedBlob] = []
    /// Values of this device alone; null removes one.
    var local: [String: Value] = [:]

    init(_ place: RecordService.Place, _ record: RecordID) {
        self.place = place
        self.record = record
    }

    /// Adds what makes fields have these values. With a token only what it stands for is replaced.
    mutating func set(
        _ fields: [String: FieldValue], _ service: RecordService, over entry: ShownEntry?,
        seen token: String?
    ) async throws {
        let values = RecordValues(service, place, service.reader(place))
        var wanted: [(field: String, value: Value)] = []
        var seen: [String: [WriteID]] = [:]
        // What is typed wrong is refused before minutes of copying.
        for (name, given) in fields.sorted(by: { $0.key < $1.key }) {
            let field = try values.field(name)
            if let token {
                seen[name] = try SeenMark.writes(of: entry?.state.fields[name], in: token)
            }
            if field.type.isBlob, given != .null { continue }
            if case .set = field.type, case .set(let elements) = given {
                // All that is in it: what is not named goes.
                try replace(field, by: elements, values, over: entry)
                continue
            }
            let value = try values.value(given, of: field)
            if field.isLocal { local[name] = value } else { wanted.append((name, value)) }
        }
        for (name, given) in fields.sorted(by: { $0.key < $1.key }) {
            guard let file = try await values.file(given, of: try values.field(name)) else {
                continue
            }
            blobs.append(file)
            wanted.append((name, .blob(file.blob)))
        }
        if entry == nil { wanted.removeAll { $0.value == .null } }
        writes += MemoryFields.writes(
            wanted, over: entry?.record, seen: token == nil ? nil : seen)
    }

    private mutating func replace(
        _ field: FieldSchema, by given: [FieldValue], _ values: RecordValues,
        over entry: ShownEntry?
    ) throws {
        let wanted = try given.map { try values.element($0, of: field) }
        let present = entry?.record.elements(field.name) ?? []
        for element in present where !wanted.contains(element) {
            writes.append(Write(field: field.name, element: element, value: .boolean(false)))
        }
        for element in wanted where !present.contains(element) {
            writes.append(Write(field: field.name, element: element, value: .boolean(true)))
        }
    }

    /// Adds the position key that puts the record where it is wanted among those of its collection.
    mutating func put(_ wanted: RecordPlace, _ service: RecordService) throws {
        guard let field = place.collection.orderField else {
            if wanted.before != nil || wanted.after != nil || wanted.first == true {
                throw APIError.noOrder(place.collection.name)
            }
            return
        }
        let reader = service.reader(place, isBulk: true)
        let collection = place.collection
        let others = RecordService.sorted(
            try reader.shown(in: collection.name).filter { $0.id != record }, in: collection, reader
        )
        func key(_ index: Int) -> PositionKey? {
            guard others.indices.contains(index) else { return nil }
            return others[index].record.value(field.name)?.text.flatMap { PositionKey($0) }
        }
        func index(of typed: String) throws -> Int {
            let neighbour = try service.find(typed, in: place, reader)
            guard let index = others.firstIndex(where: { $0.id == neighbour.id }) else {
                throw APIError.besideItself
            }
            return index
        }
        let above: Int
        if let before = wanted.before {
            above = try index(of: before) - 1
        } else if let after = wanted.after {
            above = try index(of: after)
        } else {
            above = wanted.first == true ? -1 : others.count - 1
        }
        var random = SystemRandomNumberGenerator()
        let position = PositionKey.between(
            key(above), key(above + 1), mark: [random.next(), random.next()])
        writes.append(Write(field: field.name, value: .text(position.text)))
    }
}
