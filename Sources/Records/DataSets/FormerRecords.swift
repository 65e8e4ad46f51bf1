internal import Store
internal import SyncCore

/// Records of a collection that were there before a set and are called like a row of it.
struct FormerRecords {
    enum Match {
        case none
        /// The only one of that name, which is that row.
        case one(ShownEntry)
        /// Nobody can tell which of them is.
        case several
    }

    private let collection: CollectionSchema
    private let rows: [String: [String: String]]
    private let values: DataSetValues
    private let reader: RecordReader
    /// By folded name; nil until the first one is wanted.
    private var found: [String: [ShownEntry]]?
    /// How many rows have a name.
    private var titles: [String: Int] = [:]

    init(
        _ collection: CollectionSchema, rows: [String: [String: String]], _ values: DataSetValues,
        _ reader: RecordReader
    ) {
        (self.collection, self.rows, self.values, self.reader) = (collection, rows, values, reader)
    }

    mutating func match(_ cells: [String: String]) throws -> Match {
        guard let field = collection.titleField, let title = cells[field.name], !title.isEmpty
        else { return .none }
        let all = try found ?? find(field)
        let name = Lookup.fold(title)
        guard let entries = all[name], let first = entries.first else { return .none }
        // Files would have to be named again, and what it refers to may be taken over as well.
        let fits = entries.count == 1 && titles[name] == 1 && !namesOthers(first)
        return fits ? .one(first) : .several
    }

    private mutating func find(_ field: FieldSchema) throws -> [String: [ShownEntry]] {
        let own = Set(rows.keys.map { values.record($0, in: collection.name).record })
        // What any set wrote to is no record from before.
        let others = try reader.shown(in: collection.name).filter {
            !own.contains($0.id) && !$0.state.isOfSet
        }
        let all = Dictionary(grouping: others) {
            Lookup.fold(reader.title($0.record, in: collection.name))
        }
        titles = rows.values.reduce(into: [:]) {
            $0[Lookup.fold($1[field.name] ?? ""), default: 0] += 1
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

/// What makes a record that was there before a set the row that it is: the row takes what a person wrote otherwise,
/// what refers to the record refers to the row, and the record goes.
struct RowTakeover {
    /// To the row, beside those of the set.
    private(set) var writes: [Write] = []
    /// To other records.
    private(set) var others: [RecordOperation] = []
    /// Fields that stay as a person had them.
    private(set) var kept: [String] = []

    private let precedence: UInt32

    init(
        _ old: ShownEntry, as row: RecordKey, _ ofSet: [Write], _ collection: CollectionSchema,
        precedence: UInt32, _ reader: RecordReader
    ) throws {
        self.precedence = precedence
        for field in collection.fields where !field.isLocal && !field.type.isBlob {
            let given = ofSet.filter { $0.field == field.name }
            if case .set = field.type {
                let elements = old.record.elements(field.name).filter { element in
                    !given.contains { $0.element == element }
                }
                for element in elements { write(field.name, element: element, .boolean(true)) }
                if !elements.isEmpty { kept.append(field.name) }
            } else if let value = old.record.value(field.name), value != .null,
                given.first?.value != value
            {
                write(field.name, element: nil, value)
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

    private mutating func write(_ field: String, element: Value?, _ value: Value) {
        writes.append(
            Write(field: field, element: element, value: value, precedence: precedence))
    }

    /// Whatever refers to a record refers to the row from now on.
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
