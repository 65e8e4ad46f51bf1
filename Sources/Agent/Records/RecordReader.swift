import LocalAPI
import Store
import SyncCore

/// The records of one space as they stand to each other, read for one request: each at most once.
final class RecordReader {
    /// A reference field of a collection.
    private struct Way: Hashable {
        let collection: String
        let field: String
    }

    let replica: AgentNode
    let space: SpaceID
    let schema: Schema
    /// Whether many records are looked at: what refers to them is then read once for all.
    private let isBulk: Bool
    /// Collections whose records belong to no others.
    private let roots: Set<String>
    private var states: [RecordKey: RecordState?] = [:]
    private var presences: Presences
    private var referrers: [Way: [RecordID: [ShownEntry]]] = [:]
    /// By collection and the bytes of a name that was looked for.
    private var named: [[UInt8]: RecordID] = [:]

    init(_ replica: AgentNode, _ space: SpaceID, _ schema: Schema, isBulk: Bool = false) {
        self.replica = replica
        self.space = space
        self.schema = schema
        self.isBulk = isBulk
        presences = Presences(of: schema)
        roots = Set(schema.collections.filter(\.isRoot).map(\.name))
    }

    func state(_ key: RecordKey) throws -> RecordState? {
        if let known = states[key] { return known }
        let state = try replica.store.record(key, of: space)
        states[key] = .some(state)
        return state
    }

    func entry(_ key: RecordKey) throws -> ShownEntry? {
        guard let state = try state(key),
            let shown = schema.shown(state, in: key.collection)
        else { return nil }
        return ShownEntry(id: key.record, record: shown, state: state)
    }

    /// All records of a collection, deleted ones too.
    func all(in collection: String) throws -> [ShownEntry] {
        entries(
            try replica.store.records(of: space, in: collection, includeDeleted: true),
            in: collection)
    }

    /// Those of a collection that a hint fits, deleted ones too; at most `limit`.
    func fitting(
        _ hint: SyncStore.NameHint, in collection: String, limit: Int = .max
    ) throws -> [ShownEntry] {
        entries(
            try replica.store.records(of: space, in: collection, fitting: hint, limit: limit),
            in: collection)
    }

    private func entries(_ stored: [StoredRecord], in collection: String) -> [ShownEntry] {
        stored.compactMap { stored in
            states[RecordKey(collection: collection, record: stored.record)] = .some(stored.state)
            guard let shown = schema.shown(stored.state, in: collection) else { return nil }
            return ShownEntry(id: stored.record, record: shown, state: stored.state)
        }
    }

    /// Those of a collection that are shown.
    func shown(in collection: String) throws -> [ShownEntry] {
        try all(in: collection).filter { entry in
            try presence(RecordKey(collection: collection, record: entry.id)).isShown
        }
    }

    func presence(_ key: RecordKey) throws -> Presence {
        // Nearly all, and for these nothing has to be worked out.
        if roots.contains(key.collection), let state = try state(key), !state.isDeleted {
            return .shown
        }
        return try presences.presence(of: key, in: self)
    }

    /// Shown records that restrict the deletion of this one, by their collection.
    func restricting(_ key: RecordKey) throws -> [(collection: String, users: [ShownEntry])] {
        try schema.restrictingFields(of: key.collection).map { collection, fields in
            var seen: Set<RecordID> = []
            let users = try fields.flatMap { field in
                try referring(to: key.record, in: collection.name, through: field)
            }.filter { seen.insert($0.id).inserted }
            return (collection.name, users)
        }
    }

    /// Shown records whose field refers to a record.
    func referring(
        to record: RecordID, in collection: String, through field: FieldSchema
    ) throws -> [ShownEntry] {
        try mentioning(record, in: collection, through: field).filter { entry in
            try presence(RecordKey(collection: collection, record: entry.id)).isShown
        }
    }

    /// All records whose field refers to a record.
    private func mentioning(
        _ record: RecordID, in collection: String, through field: FieldSchema
    ) throws -> [ShownEntry] {
        guard isBulk else {
            return entries(
                try replica.store.records(
                    of: space, in: collection, includeDeleted: true, mentioning: record),
                in: collection
            ).filter { $0.record.targets(of: field).contains(record) }
        }
        let way = Way(collection: collection, field: field.name)
        if referrers[way] == nil {
            var found: [RecordID: [ShownEntry]] = [:]
            for entry in try all(in: collection) {
                for target in entry.record.targets(of: field) {
                    found[target, default: []].append(entry)
                }
            }
            referrers[way] = found
        }
        return referrers[way]?[record] ?? []
    }

    /// The record that a name means, looked for once; many lines of a file name the same one.
    func named(
        _ typed: String, in collection: String, find: () throws -> RecordID
    ) throws -> RecordID {
        let key = Array(collection.utf8) + [0] + Array(typed.utf8)
        if let known = named[key] { return known }
        let record = try find()
        named[key] = record
        return record
    }

    /// What people call a record; empty when it has no such field or nothing in it.
    func title(_ record: ShownRecord, in collection: String) -> String {
        guard let field = schema.collection(collection)?.titleField else { return "" }
        return ShownText.line(record.value(field.name)?.text ?? "")
    }
}

extension RecordReader: RecordGraph {
    func shown(_ key: RecordKey) throws -> ShownRecord? { try entry(key)?.record }

    func users(of key: RecordKey) throws -> [RecordKey] {
        try schema.restrictingFields(of: key.collection).flatMap { collection, fields in
            try fields.flatMap { field in
                try mentioning(key.record, in: collection.name, through: field).map {
                    RecordKey(collection: collection.name, record: $0.id)
                }
            }
        }
    }
}

extension CollectionSchema {
    fileprivate var isRoot: Bool {
        fields.allSatisfy { field in
            if case .reference(_, .cascade) = field.type { false } else { true }
        }
    }
}

extension ShownRecord {
    /// The records that a field refers to.
    func targets(of field: FieldSchema) -> [RecordID] {
        if case .set = field.type { return elements(field.name).compactMap(\.reference) }
        return [value(field.name)?.reference].compactMap(\.self)
    }
}
