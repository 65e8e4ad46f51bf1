import LocalAPI
import Store
import SyncCore

/// The records of one space as they stand to each other, read for one request: each at most once.
final class RecordReader {
    /// Where a record stands.
    enum Presence {
        /// Nothing was written to it that is here.
        case pending
        case shown
        /// Deleted, and shown because a record that is shown needs it.
        case held
        /// Something it belongs to is deleted.
        case hidden
        case deleted

        var isShown: Bool { self == .shown || self == .held }
    }

    /// A reference field of a collection.
    private struct Way: Hashable {
        let collection: String
        let field: String
    }

    let core: AgentCore
    let space: SpaceID
    let schema: Schema
    /// Whether many records are looked at: what refers to them is then read once for all.
    private let isBulk: Bool
    private var states: [RecordKey: RecordState?] = [:]
    private var presences: [RecordKey: Presence] = [:]
    private var underWay: Set<RecordKey> = []
    private var referrers: [Way: [RecordID: [ShownEntry]]] = [:]
    /// By collection and the bytes of a name that was looked for.
    private var named: [[UInt8]: RecordID] = [:]

    init(_ core: AgentCore, _ space: SpaceID, _ schema: Schema, isBulk: Bool = false) {
        self.core = core
        self.space = space
        self.schema = schema
        self.isBulk = isBulk
    }

    func state(_ key: RecordKey) throws -> RecordState? {
        if let known = states[key] { return known }
        let state = try core.store.record(key, of: space)
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
        try core.store.records(of: space, in: collection, includeDeleted: true).compactMap {
            stored in
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
        if let known = presences[key] { return known }
        // Records that refer to each other in a circle: whoever asks first is taken as shown.
        guard underWay.insert(key).inserted else { return .shown }
        defer { underWay.remove(key) }
        var presence = Presence.pending
        if let state = try state(key) {
            let isHidden = try state.isDeleted ? false : belongsToDeleted(state, key.collection)
            presence = state.isDeleted ? .deleted : isHidden ? .hidden : .shown
            if presence != .shown, try isNeeded(key) { presence = .held }
        }
        presences[key] = presence
        return presence
    }

    private func belongsToDeleted(_ state: RecordState, _ collection: String) throws -> Bool {
        guard let shown = schema.shown(state, in: collection) else { return false }
        for field in schema.collection(collection)?.fields ?? [] {
            guard case .reference(let target, .cascade) = field.type,
                let record = shown.value(field.name)?.reference
            else { continue }
            switch try presence(RecordKey(collection: target, record: record)) {
            case .deleted, .hidden: return true
            case .pending, .shown, .held: continue
            }
        }
        return false
    }

    private func isNeeded(_ key: RecordKey) throws -> Bool {
        try restricting(key).contains { _, users in !users.isEmpty }
    }

    /// Shown records that restrict the deletion of this one, by their collection.
    func restricting(_ key: RecordKey) throws -> [(collection: String, users: [ShownEntry])] {
        try schema.collections.compactMap { collection in
            let fields = collection.fields.filter { $0.type.restricts(key.collection) }
            guard !fields.isEmpty else { return nil }
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
        let way = Way(collection: collection, field: field.name)
        guard isBulk else {
            return try core.store.records(of: space, in: collection, mentioning: record)
                .compactMap { stored in
                    schema.shown(stored.state, in: collection).map {
                        ShownEntry(id: stored.record, record: $0, state: stored.state)
                    }
                }.filter { entry in
                    try entry.record.targets(of: field).contains(record)
                        && presence(RecordKey(collection: collection, record: entry.id)).isShown
                }
        }
        if referrers[way] == nil {
            var found: [RecordID: [ShownEntry]] = [:]
            for entry in try shown(in: collection) {
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

extension FieldType {
    /// Whether a reference of this type forbids to delete a record of that collection.
    fileprivate func restricts(_ collection: String) -> Bool {
        switch self {
        case .reference(collection, .restrict), .set(of: .reference(collection, .restrict)): true
        default: false
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
