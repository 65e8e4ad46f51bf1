internal import LocalAPI
internal import Store
internal import SyncCore

/// The writes that bring a space's records from one version of a level to another. Rows are written with
/// the least precedence, so that values of people stay: each field separately follows the set or the
/// person.
struct DataSetPlan {
    /// Options of the person who applies the set.
    struct Wishes {
        /// Replace values of people by those of the set.
        var theirs = false
        /// Restore rows that people deleted.
        var missing = false
        /// Add only rows that were never there.
        var loadsOnly = false
        /// Remove everything that people wrote or added to rows.
        var resets = false
        /// Make one of a row that is there and a record of its name from a device without the set.
        var joins = false
        /// Leave everything that people wrote or made, as nobody asked for it.
        var settles = false
    }

    private(set) var operations: [RecordOperation] = []
    private(set) var rows: [DataSetReport.Row] = []
    /// Rows that left the set, but stay.
    private(set) var retired: DataSetRows = [:]

    /// The writes that this plan and those of other levels make: fields by record, and deletions.
    private(set) var planned = Planned()

    struct Planned {
        var fields: [RecordKey: Set<String>] = [:]
        var going: Set<RecordKey> = []
        /// Rows that other levels have.
        var elsewhere: Set<RecordKey> = []
    }

    private let reader: RecordReader
    private let values: DataSetValues
    private let wishes: Wishes
    /// The precedence of a person's writes on this device.
    private let precedence: UInt32
    /// The applied version of the level; nil for none.
    private let before: AppliedSet?
    private let released: ReleasedRows

    /// `new` are the wanted rows, in this order; `old` are the applied ones, or nil.
    init(
        _ new: DataSet.Rows, over old: AppliedSet?, _ values: DataSetValues, _ wishes: Wishes,
        _ reader: RecordReader, after planned: Planned = Planned()
    ) throws {
        (self.reader, self.values, self.wishes) = (reader, values, wishes)
        self.planned = planned
        precedence = reader.precedence
        (before, released) = (old, new.released)
        for collection in reader.schema.ownCollections { try planRows(of: new, in: collection) }
        guard !wishes.loadsOnly else { return }
        // Records go before those that they refer to.
        for collection in reader.schema.ownCollections.reversed() {
            let rows = old?.known[collection.name] ?? [:]
            for key in rows.keys.sorted() where new.cells[collection.name]?[key] == nil {
                try retire(key, rows[key] ?? [:], in: collection)
            }
        }
    }

    /// The number of rows of each collection, by outcome.
    var counts: [DataSetReport.Count] {
        reader.schema.ownCollections.flatMap { collection in
            DataSetReport.Kind.allCases.compactMap { kind in
                let count = rows.count { $0.collection == collection.name && $0.kind == kind }
                return count == 0
                    ? nil
                    : DataSetReport.Count(collection: collection.name, kind: kind, count: count)
            }
        }
    }

    /// Whether it makes rows that are not there.
    var loads: Bool { rows.contains { $0.kind == .added || $0.kind == .adopted } }

    private mutating func note(
        _ kind: DataSetReport.Kind, _ key: RecordKey, _ name: String, _ fields: [String] = [],
        ofSet: [String: String]? = nil
    ) {
        rows.append(
            DataSetReport.Row(
                kind: kind, collection: key.collection,
                record: Reference(key.record, name: name), fields: fields, ofSet: ofSet))
    }

    /// With the values of the set beside those of people.
    private mutating func note(
        _ kind: DataSetReport.Kind, _ key: RecordKey, _ name: String, _ fields: [String],
        beside values: [String: Value]
    ) throws {
        guard !fields.isEmpty else { return }
        let texts = try values.filter { fields.contains($0.key) && $0.value != .null }
            .mapValues { try reader.text(of: $0) }
        note(kind, key, name, fields, ofSet: texts.isEmpty ? nil : texts)
    }

    // MARK: Rows of the set

    private mutating func plan(_ operation: RecordOperation) {
        operations.append(operation)
        let key = RecordKey(collection: operation.collection, record: operation.record)
        planned.fields[key, default: []].formUnion(operation.writes.map(\.field))
    }

    private mutating func planRows(of new: DataSet.Rows, in collection: CollectionSchema) throws {
        let rows = new.cells[collection.name] ?? [:]
        let former = before?.known[collection.name] ?? [:]
        var added: [RecordOperation] = []
        var moves: [RecordOperation] = []
        var records = FormerRecords(
            collection, rows: rows, isFirst: before == nil, released, values, reader)
        for key in new.order[collection.name] ?? rows.keys.sorted() {
            let record = values.record(key, in: collection.name)
            let cells = rows[key] ?? [:]
            let entry = try reader.entry(record)
            // A missing or undone row may exist as a record that people made themselves.
            let isAbsent = entry?.isTakenBack ?? true
            let isShown = entry.map { !$0.state.isDeleted } ?? false
            let match =
                !wishes.resets && !wishes.settles && (isAbsent || isShown && wishes.joins)
                ? try records.match(key, cells, over: entry) : .none
            if let entry, !match.isFound || isShown {
                if !wishes.loadsOnly { try update(entry, key, cells, former[key], collection) }
                if isShown { try join(entry, record, cells, collection, match, &moves) }
            } else {
                added.append(try self.added(record, cells, collection, match, &moves))
            }
        }
        try put(&added, collection)
        for operation in added { plan(operation) }
        // The rows come first: moved references point to them.
        for operation in moves { plan(operation) }
    }

    private mutating func added(
        _ record: RecordKey, _ cells: [String: String], _ collection: CollectionSchema,
        _ match: FormerRecords.Match, _ moves: inout [RecordOperation]
    ) throws -> RecordOperation {
        // An undo may have deleted the row.
        var writes: [Write] = try reader.entry(record) == nil ? [] : [.ofSet(deleted: false)]
        writes += try given(cells, collection)
        if writes.isEmpty { writes.append(.ofSet(deleted: false)) }
        let name = cells[collection.titleField?.name ?? ""] ?? ""
        switch match {
        case .none: note(.added, record, name)
        case .several:
            note(.added, record, name)
            note(.similar, record, name)
        case .one(let old, let isEarlier):
            let takeover = try RowTakeover(
                old, as: record, writes, collection, reader, isEarlier: isEarlier)
            writes += takeover.writes
            moves += takeover.others
            note(.adopted, record, name, takeover.kept)
            if !takeover.takenOver.isEmpty { note(.takenOver, record, name, takeover.takenOver) }
        }
        return RecordOperation(record, writes)
    }

    /// The values of a row, as the set writes them.
    private func given(
        _ cells: [String: String], _ collection: CollectionSchema
    ) throws -> [Write] {
        try collection.fields.flatMap { field -> [Write] in
            switch try values.cell(field, in: cells) {
            case .one(let value): value == .null ? [] : [.ofSet(field, value)]
            case .set(let elements): elements.map { .ofSet(field, $0, isIn: true) }
            }
        }
    }

    /// Makes one of a row and a record of its name that came later. The row keeps its own values of people as well.
    private mutating func join(
        _ entry: ShownEntry, _ record: RecordKey, _ cells: [String: String],
        _ collection: CollectionSchema, _ match: FormerRecords.Match,
        _ moves: inout [RecordOperation]
    ) throws {
        let name = reader.title(entry.record, in: collection.name)
        switch match {
        case .none: break
        case .several: note(.similar, record, name)
        case .one(let old, let isEarlier):
            let takeover = try RowTakeover(
                old, as: record, over: entry, given(cells, collection), collection, reader,
                isEarlier: isEarlier)
            if !takeover.writes.isEmpty { plan(RecordOperation(record, takeover.writes)) }
            moves += takeover.others
            note(.joined, record, name, takeover.kept)
            if !takeover.takenOver.isEmpty { note(.takenOver, record, name, takeover.takenOver) }
        }
    }

    /// Appends new rows after all others, in their order; every device with the same rows gets the same
    /// result.
    private func put(_ added: inout [RecordOperation], _ collection: CollectionSchema) throws {
        guard let field = collection.orderField, let first = added.first else { return }
        let last = try reader.all(in: collection.name).compactMap { entry in
            entry.record.value(field.name)?.text.flatMap { PositionKey($0) }
        }.max()
        let keys = PositionKey.run(of: added.count, after: last, origin: first.record.bytes)
        for (index, key) in keys.enumerated() {
            added[index].writes.append(.ofSet(field, .text(key.text)))
        }
    }

    private mutating func update(
        _ entry: ShownEntry, _ key: String, _ cells: [String: String],
        _ former: [String: String]?, _ collection: CollectionSchema
    ) throws {
        let record = values.record(key, in: collection.name)
        let name = reader.title(entry.record, in: collection.name)
        var update = RowUpdate(
            entry, precedence: precedence, takesSet: wishes.theirs, clears: wishes.resets)
        if entry.state.isDeleted {
            let isByPeople = entry.state.fields[Write.existence].map { !$0.isOfSet } ?? false
            guard !isByPeople || wishes.missing, update.restore() else {
                note(.deleted, record, name)
                return
            }
        }
        for field in collection.fields
        where cells[field.name] != nil || former?[field.name] != nil
            || field.type != .order && (wishes.resets || entry.hasValueOfSet(in: field))
        {
            let new = try values.cell(field, in: cells)
            // The applied version may have had another schema: then it cannot be compared with today's
            // values.
            let old = former.flatMap { try? values.cell(field, in: $0) }
            update.apply(new, over: old, field) { value in
                guard let before, former != nil else { return false }
                let version = released.version(of: value, field, key, in: collection.name)
                return version.map { $0 > before.version } ?? false
            }
        }
        if !update.writes.isEmpty {
            plan(RecordOperation(record, update.writes))
            note(entry.state.isDeleted ? .added : .updated, record, name)
        }
        if !update.takenOver.isEmpty { note(.takenOver, record, name, update.takenOver) }
        try note(.conflicting, record, name, update.conflicting, beside: update.ofSet)
        try note(.kept, record, name, update.kept, beside: update.ofSet)
    }

    // MARK: Rows that left the set

    private mutating func retire(
        _ key: String, _ cells: [String: String], in collection: CollectionSchema
    ) throws {
        let record = values.record(key, in: collection.name)
        guard !planned.elsewhere.contains(record), let entry = try reader.entry(record),
            !entry.state.isDeleted
        else { return }
        let name = reader.title(entry.record, in: collection.name)
        let deletion = entry.state.fields[Write.existence] ?? Register()
        let isTheirs =
            wishes.settles
            ? !entry.state.statements.allSatisfy(\.isOfSet)
            : values.areChanged(in: entry, cells, collection)
        guard deletion.isWithin(precedence), !isTheirs else {
            note(.theirs, record, name)
            return
        }
        guard try !isNeeded(record) else {
            retired[collection.name, default: [:]][key] = cells
            note(.retired, record, name)
            return
        }
        planned.going.insert(record)
        var write = Write.ofSet(deleted: true)
        if !deletion.isOfSet { write.raise(to: precedence, replacing: deletion) }
        plan(RecordOperation(record, [write]))
        note(.removed, record, name)
    }

    /// Whether a shown record that stays refers to it.
    private func isNeeded(_ record: RecordKey) throws -> Bool {
        for collection in reader.schema.ownCollections {
            for field in collection.fields
            where field.type.referenced?.collection == record.collection {
                let users = try reader.referring(
                    to: record.record, in: collection.name, through: field)
                let stays = users.contains { user in
                    let key = RecordKey(collection: collection.name, record: user.id)
                    return !planned.going.contains(key)
                        && planned.fields[key]?.contains(field.name) != true
                }
                if stays { return true }
            }
        }
        return false
    }
}

extension ShownEntry {
    /// Whether a field has a value of the set alone: another version that was applied separately may have it.
    fileprivate func hasValueOfSet(in field: FieldSchema) -> Bool {
        if case .set = field.type {
            return state.sets[field.name]?.values.contains {
                $0.isOfSet && $0.latest?.value == .boolean(true)
            } ?? false
        }
        return state.fields[field.name].map { !$0.writes.isEmpty && $0.isOfSet } ?? false
    }

    /// Whether it is deleted, but not by a person.
    fileprivate var isTakenBack: Bool {
        state.isDeleted && state.fields[Write.existence]?.isOfSet ?? false
    }
}
