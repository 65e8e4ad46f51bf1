import LocalAPI
import SyncCore

/// The commit about one record, while it is composed.
struct RecordPlan {
    let place: RecordService.Place
    let record: RecordID
    var writes: [Write] = []
    var blobs: [NamedBlob] = []
    /// Values of this device alone; null removes one.
    var local: [String: Value] = [:]
    /// Whether others get the record from now on, as with every record that is in a log.
    private(set) var isFinished = true
    private var wanted: [(field: String, value: Value)] = []
    /// With the paths of files to add.
    private var files: [(field: FieldSchema, path: String)] = []
    private var seen: String?

    init(_ place: RecordService.Place, _ record: RecordID) {
        (self.place, self.record) = (place, record)
    }

    /// Adds the writes that set these fields, for ``finish(_:over:)``. With a token, only replaces the
    /// state that it stands for.
    mutating func set(
        _ fields: [String: FieldValue], _ values: RecordValues, over entry: ShownEntry?,
        seen token: String?
    ) throws {
        // An invalid token is refused even when nothing differs.
        if let token { _ = try VersionToken.seen([], in: token) }
        seen = token
        // Refuses wrong input before minutes of copying.
        for (name, given) in fields.sorted(by: { $0.key < $1.key }) {
            let field = try values.field(name)
            let given = try given.read(as: field.type, of: name)
            if field.type.isBlob, given != .null {
                files.append((field, try values.path(given, of: field)))
                continue
            }
            if case .set = field.type, case .set(let elements) = given {
                // A whole set: elements that are not given are removed.
                try replace(field, by: elements, values, over: entry, seen: token)
                continue
            }
            let value = try values.value(given, of: field)
            if field.isLocal { local[name] = value } else { wanted.append((name, value)) }
        }
        try judge(over: entry)
    }

    /// Decides whether the record is finished. An unfinished one cannot have files: nothing would keep
    /// them.
    private mutating func judge(over entry: ShownEntry?) throws(APIError) {
        isFinished =
            entry.map { !$0.isUnfinished } ?? false
            || place.collection.isFinished { field in
                wanted.first { $0.field == field }?.value ?? entry?.record.value(field)
            }
        guard !isFinished, let file = files.first else { return }
        throw APIError(
            code: .badInput,
            sentence: "\(file.field.name) is a file, and an unfinished record has none.",
            hint: place.collection.finishedBy.map {
                tr("Set \($0) in the same command, or add the file after that.")
            }
        )
    }

    /// Adds all changes to a record that was read, and files.
    mutating func change(
        _ changes: RecordChanges, _ values: RecordValues, over entry: ShownEntry
    ) async throws {
        guard
            !changes.fields.isEmpty || !changes.add.isEmpty || !changes.remove.isEmpty
                || changes.place != nil
        else {
            throw APIError(
                code: .badInput, sentence: "There is nothing to change.",
                hint: "Say what, for example name=Milk. All options: peersync record set --help")
        }
        try set(changes.fields, values, over: entry, seen: changes.seen)
        if entry.isUnfinished, let token = changes.seen {
            try UnfinishedWriting(service: values.service, place: place)
                .requireSeen(changes.fields.keys, of: entry, in: token)
        }
        try await finish(values, over: entry)
        for (elements, isIn) in [(changes.add, true), (changes.remove, false)] {
            for (name, given) in elements.sorted(by: { $0.key < $1.key }) {
                let field = try values.field(name)
                for element in given {
                    writes.append(
                        Write(
                            field: name, element: try values.element(element, of: field),
                            value: .boolean(isIn)))
                }
            }
        }
        if let wanted = changes.place { try put(wanted, values.service) }
    }

    /// Throws when a new record would lack a field that it needs.
    func requireFields() throws(APIError) {
        let collection = place.collection
        let missing = collection.fields.filter { field in
            field.isRequired && !writes.contains { $0.field == field.name }
                && !wanted.contains { $0.field == field.name && $0.value != .null }
                && !files.contains { $0.field.name == field.name }
        }
        guard missing.isEmpty else {
            throw RecordErrors.missingFields(missing.map(\.name), of: collection.name)
        }
    }

    /// Adds the files, and the writes that name them.
    mutating func finish(_ values: RecordValues, over entry: ShownEntry?) async throws {
        for (field, path) in files {
            let file = try await values.file(path, of: field)
            blobs.append(file)
            wanted.append((field.name, .blob(file.blob)))
        }
        writes += try values.service.writes(
            wanted, to: place.key(record), in: place.space.id, over: entry, seen: seen)
        (wanted, files) = ([], [])
    }

    /// The values of this device alone; also ends those under former names.
    var localWrites: [RecordKey: [String: Value]] {
        var values = local
        for field in place.collection.fields where local[field.name] != nil {
            for former in field.formerNames { values[former] = .null }
        }
        var all = [place.key(record): values]
        for former in place.collection.formerNames {
            all[RecordKey(collection: former, record: record)] = values.mapValues { _ in .null }
        }
        return all
    }

    /// A record needs at least one write to exist.
    mutating func requireExistence() {
        if writes.isEmpty { writes.append(.deletion(false)) }
    }

    private mutating func replace(
        _ field: FieldSchema, by given: [FieldValue], _ values: RecordValues,
        over entry: ShownEntry?, seen token: String?
    ) throws {
        let wanted = try given.map { try values.element($0, of: field) }
        let present = entry?.record.elements(field.name) ?? []
        for element in present where !wanted.contains(element) {
            var removal = Write(field: field.name, element: element, value: .boolean(false))
            if let token {
                let writes = entry?.state.sets[field.name]?[element]?.writes.map(\.id) ?? []
                let seen = try VersionToken.seen(writes, in: token)
                // An element that arrived meanwhile was not left out on purpose.
                guard seen.count == writes.count else { continue }
                removal.replaces = seen
            }
            writes.append(removal)
        }
        for element in wanted
        where !present.contains(element)
            || entry?.state.sets[field.name]?[element]?.isBelow(values.precedence) ?? false
        {
            writes.append(Write(field: field.name, element: element, value: .boolean(true)))
        }
    }

    /// Adds the position key for the wanted place among the records of the collection.
    mutating func put(_ wanted: RecordPlace, _ service: RecordService) throws {
        guard let field = place.collection.orderField else {
            if wanted.before != nil || wanted.after != nil || wanted.first == true {
                throw APIError(
                    code: .badInput, sentence: "Records of \(place.collection.name) have no order.",
                    hint: "The schema gives them one with a field of type order.")
            }
            return
        }
        let reader = service.reader(place, isBulk: true)
        let collection = place.collection
        let known =
            try reader.unfinished(in: collection.name) + reader.shown(in: collection.name)
        let others = RecordService.sorted(
            known.filter { $0.id != record }, in: collection, reader)
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
