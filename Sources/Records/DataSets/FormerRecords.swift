internal import Store
internal import SyncCore

/// Records of a collection that people made without the set, and that have the name of one of its rows: from before
/// the set, or from a device that did not have it yet.
struct FormerRecords {
    enum Match {
        case none
        /// The only record of that name: it becomes the row. `isEarlier` tells whether a value comes from
        /// an earlier version of the row, and so not from a person.
        case one(ShownEntry, isEarlier: (FieldSchema, Value) -> Bool)
        /// It is unclear which of several becomes the row.
        case several

        var isFound: Bool { if case .none = self { false } else { true } }
    }

    private struct Found {
        /// By folded name.
        var named: [String: [ShownEntry]] = [:]
        /// By the key of the row that had this name in an earlier version; only records that match no
        /// current name.
        var formerlyNamed: [String: [ShownEntry]] = [:]
        /// Records with the names of several rows.
        var unclear: Set<RecordID> = []
    }

    /// What was written to records with the name of a row, and to these rows.
    private struct Written {
        var commits: [CommitID: AppliedCommit] = [:]
        /// All that was written to a row, also what was replaced since.
        var toRows: [RecordID: [AppliedCommit]] = [:]
    }

    private let collection: CollectionSchema
    private let rows: [String: [String: String]]
    /// Whether the level is applied for the first time.
    private let isFirst: Bool
    private let released: ReleasedRows
    private let values: DataSetValues
    private let reader: RecordReader
    /// Nil until it is needed.
    private var found: Found?
    /// How many rows have a folded name.
    private var titles: [String: Int] = [:]
    /// Nil until it is needed.
    private var written: Written?

    init(
        _ collection: CollectionSchema, rows: [String: [String: String]], isFirst: Bool,
        _ released: ReleasedRows, _ values: DataSetValues, _ reader: RecordReader
    ) {
        (self.collection, self.rows, self.isFirst) = (collection, rows, isFirst)
        (self.released, self.values, self.reader) = (released, values, reader)
    }

    /// `row` is the row in the space, or the rest of one that a set or an undo deleted; nil if it never was there. A
    /// row that is there matches only while it is shown with the name, and only a record that was named without
    /// knowledge of it.
    mutating func match(
        _ key: String, _ cells: [String: String], over row: ShownEntry?
    ) throws -> Match {
        guard let field = collection.titleField, let title = cells[field.name], !title.isEmpty
        else { return .none }
        let all = try found ?? find(field)
        let present = row.flatMap { $0.state.isDeleted ? nil : $0 }
        // A record with the name of a row that left the set is a person's.
        let isNew = row == nil || isFirst
        let name = Lookup.fold(title)
        var named = all.named[name] ?? []
        if let present {
            let shown = reader.title(present.record, in: collection.name)
            guard Lookup.fold(shown) == name else { return .none }
            named = try named.filter { try !knows(present, $0, by: field) }
            guard !named.isEmpty else { return .none }
        }
        let entries = named.isEmpty && isNew ? all.formerlyNamed[key] ?? [] : named
        guard let first = entries.first else { return .none }
        let isOnly = named.isEmpty ? !all.unclear.contains(first.id) : titles[name] == 1
        // Its files would have to be named again, and records that it refers to may be replaced as well.
        guard entries.count == 1, isOnly, !namesOthers(first) else { return .several }
        let (released, collection) = (released, collection.name)
        return .one(first) { field, value in
            (isNew || present != nil)
                && released.version(of: value, field, key, in: collection) != nil
        }
    }

    /// Whether somebody gave a record its name although they had seen the row, under this name or another one. What
    /// the row shows now may have been written later, by a new version of the set, a person or an undo.
    private mutating func knows(
        _ row: ShownEntry, _ entry: ShownEntry, by field: FieldSchema
    ) throws -> Bool {
        let past = try written ?? readWritten(by: field)
        written = past
        let names = entry.state.fields[field.name]?.writes ?? []
        return names.contains { name in
            // What cannot be read counts as knowledge.
            guard let commit = past.commits[name.id.commit], let ofRow = past.toRows[row.id]
            else { return true }
            return ofRow.contains { $0.sequence <= commit.seen($0.log) }
        }
    }

    private func readWritten(by field: FieldSchema) throws -> Written {
        let named = (found?.named ?? [:]).filter { titles[$0.key] != nil }
        let same = rows.filter { named[Lookup.fold($0.value[field.name] ?? "")] != nil }
        let ofRows = Set(same.keys.map { values.record($0, in: collection.name).record })
        let keys = (named.values.joined().map(\.id) + ofRows).map {
            RecordKey(collection: collection.name, record: $0)
        }
        var written = Written()
        for past in try reader.replica.store.past.commits(writingTo: keys, in: reader.space) {
            written.commits[past.applied.id] = past.applied
            let touched = Set(past.stored.commit.operations.map(\.record))
            for row in touched.intersection(ofRows) {
                written.toRows[row, default: []].append(past.applied)
            }
        }
        return written
    }

    private mutating func find(_ field: FieldSchema) throws -> Found {
        let own = Set(rows.keys.map { values.record($0, in: collection.name).record })
        // A record that any set wrote to is not from before.
        let others = try reader.shown(in: collection.name).filter {
            !own.contains($0.id) && !$0.state.isOfSet
        }
        titles = rows.values.reduce(into: [:]) {
            $0[Lookup.fold($1[field.name] ?? ""), default: 0] += 1
        }
        var all = Found()
        all.named = Dictionary(grouping: others) {
            Lookup.fold(reader.title($0.record, in: collection.name))
        }
        let keys = released.keys(by: field, in: collection.name)
        for (name, entries) in all.named where titles[name] == nil && !keys.isEmpty {
            for entry in entries {
                guard let value = entry.record.value(field.name),
                    let rows = keys[released.hash(of: value, field, in: collection.name)]
                else { continue }
                for key in rows { all.formerlyNamed[key, default: []].append(entry) }
                if rows.count > 1 { all.unclear.insert(entry.id) }
            }
        }
        found = all
        return all
    }

    private func namesOthers(_ entry: ShownEntry) -> Bool {
        collection.fields.contains { field in
            (field.type.isBlob || field.type.referenced != nil)
                && (entry.record.value(field.name).map { $0 != .null } ?? false
                    || !entry.record.elements(field.name).isEmpty)
        }
    }
}

/// Replaces a record that people made without the set by the row: the row keeps values that a person wrote,
/// references to the record point to the row, and the record goes.
struct RowTakeover {
    /// Writes to the row, in addition to those of the set.
    private(set) var writes: [Write] = []
    /// Writes to other records.
    private(set) var others: [RecordOperation] = []
    /// Fields that keep a person's value.
    private(set) var kept: [String] = []
    /// Fields that had a value of an earlier version, and follow the set now.
    private(set) var takenOver: [String] = []

    private let precedence: UInt32
    /// The row, if it is there already.
    private let present: ShownEntry?

    init(
        _ old: ShownEntry, as row: RecordKey, over present: ShownEntry? = nil, _ ofSet: [Write],
        _ collection: CollectionSchema, _ reader: RecordReader,
        isEarlier: (FieldSchema, Value) -> Bool
    ) throws {
        (precedence, self.present) = (reader.precedence, present)
        for field in collection.fields where !field.isLocal && !field.type.isBlob {
            // A row that is there has its place.
            if present != nil, field.type == .order { continue }
            let given = ofSet.filter { $0.field == field.name }
            if case .set = field.type {
                let all = old.record.elements(field.name).filter { element in
                    !given.contains { $0.element == element } && !isDecided(element, of: field)
                }
                let registers = old.state.sets[field.name] ?? [:]
                let elements = all.filter { element in
                    !isEarlier(field, element)
                        || registers[element]?.isWithin(precedence) == false
                }
                if elements.count < all.count { takenOver.append(field.name) }
                for element in elements {
                    write(field.name, element: element, .boolean(true), from: Register())
                }
                if !elements.isEmpty { kept.append(field.name) }
            } else if let value = old.record.value(field.name), value != .null,
                given.first?.value != value, present?.record.value(field.name) != value
            {
                let register = old.state.fields[field.name] ?? Register()
                let isOfSet =
                    register.isWithin(precedence) && isEarlier(field, value)
                    && register.writes.allSatisfy { isEarlier(field, $0.value) }
                guard !isOfSet else {
                    takenOver.append(field.name)
                    continue
                }
                write(field.name, element: nil, value, from: register)
                if field.type != .order { kept.append(field.name) }
            }
        }
        let key = RecordKey(collection: collection.name, record: old.id)
        try move(key, to: row, reader)
        var deletion = Write(field: Write.existence, value: .boolean(true))
        deletion.raise(
            to: precedence, replacing: old.state.fields[Write.existence] ?? Register())
        others.append(RecordOperation(key, [deletion]))
    }

    /// A value that a person wrote to the row stands beside that of the record, for somebody to decide.
    private mutating func write(
        _ field: String, element: Value?, _ value: Value, from old: Register
    ) {
        var write = Write(field: field, element: element, value: value, precedence: precedence)
        if element == nil, present?.state.fields[field]?.isOfSet == false {
            write.precedence = min(precedence, old.latest?.precedence ?? precedence)
            write.replaces = []
        }
        writes.append(write)
    }

    /// Whether the row has an element, or a person removed it from the row.
    private func isDecided(_ element: Value, of field: FieldSchema) -> Bool {
        guard let register = present?.state.sets[field.name]?[element] else { return false }
        return !register.isOfSet || register.latest?.value == .boolean(true)
    }

    /// Redirects all references to a record to the row.
    private mutating func move(
        _ old: RecordKey, to row: RecordKey, _ reader: RecordReader
    ) throws {
        for collection in reader.schema.ownCollections {
            for field in collection.fields
            where field.type.referenced?.collection == old.collection {
                for user in try reader.referring(
                    to: old.record, in: collection.name, through: field)
                {
                    others.append(
                        RecordOperation(
                            RecordKey(collection: collection.name, record: user.id),
                            moves(user, field, from: old.record, to: row.record)))
                }
            }
        }
    }

    private func moves(
        _ user: ShownEntry, _ field: FieldSchema, from old: RecordID, to row: RecordID
    ) -> [Write] {
        func replacing(_ register: Register?, element: Value?, _ value: Value) -> Write {
            var write = Write(field: field.name, element: element, value: value)
            write.raise(to: precedence, replacing: register ?? Register())
            return write
        }
        guard case .set = field.type else {
            return [replacing(user.state.fields[field.name], element: nil, .reference(row))]
        }
        let registers = user.state.sets[field.name] ?? [:]
        return [(Value.reference(old), false), (.reference(row), true)].map { element, isIn in
            replacing(registers[element], element: element, .boolean(isIn))
        }
    }
}

extension RecordState {
    /// Whether a data set wrote any of it.
    fileprivate var isOfSet: Bool {
        let registers = Array(fields.values) + sets.values.flatMap(\.values)
        return registers.contains {
            $0.writes.contains { $0.precedence < Precedence.user.rawValue }
        }
    }
}
