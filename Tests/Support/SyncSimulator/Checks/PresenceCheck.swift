import Store
import SyncCore
internal import TestKit

/// The effect of deletions on referring records: no part of a deleted record is shown, and no
/// needed record is missing.
struct PresenceCheck {
    let world: World

    func run(in space: SpaceID, _ log: EffectiveLog, _ group: [Replica]) throws {
        guard let schema = log.schema, schema.name == WorkshopSchemas.name else { return }
        var before: [RecordKey: Presence]?
        for replica in [group[0], group[group.count - 1]] {
            guard let store = replica.store else { continue }
            let graph = try ShownSpace(space, schema, store)
            var presences = Presences(of: schema)
            var found: [RecordKey: Presence] = [:]
            for key in graph.records.keys.sorted().shuffled(using: &world.random) {
                found[key] = try presences.presence(of: key, in: graph)
            }
            for (key, presence) in found.sorted(by: { $0.key < $1.key })
            where !graph.explains(presence, of: key, among: found) {
                world.report.fail(
                    "presence",
                    "\(replica.index) says that \(key.collection) \(key.record) is \(presence)")
            }
            if let before, found != before {
                world.report.fail(
                    "presence", "\(replica.index) shows other records of \(short(space))")
            }
            before = found
        }
    }
}

/// Every record of a space as stored.
struct ShownSpace: RecordGraph {
    private(set) var records: [RecordKey: ShownRecord] = [:]
    private let schema: Schema

    init(_ space: SpaceID, _ schema: Schema, _ store: SyncStore) throws {
        self.schema = schema
        for collection in schema.collections {
            for stored in try store.records.list(
                of: space, in: collection.name, includeDeleted: true)
            {
                let key = RecordKey(collection: collection.name, record: stored.record)
                records[key] = schema.shown(stored.state, in: collection.name)
            }
        }
    }

    func shown(_ key: RecordKey) -> ShownRecord? { records[key] }

    func users(of key: RecordKey) -> [RecordKey] {
        records.keys.filter { targets(of: $0, .restrict).contains(key) }.sorted()
    }

    /// The targets of a record's fields with this rule.
    private func targets(of key: RecordKey, _ rule: ReferenceRule) -> [RecordKey] {
        guard let record = records[key] else { return [] }
        return (schema.collection(key.collection)?.fields ?? []).flatMap { field in
            switch field.type {
            case .reference(let target, rule):
                [record.value(field.name)?.reference].compactMap { id in
                    id.map { RecordKey(collection: target, record: $0) }
                }
            case .set(.reference(let target, rule)):
                record.elements(field.name).compactMap(\.reference).map {
                    RecordKey(collection: target, record: $0)
                }
            default: [RecordKey]()
            }
        }
    }

    /// Whether a record's presence follows from that of the other records.
    func explains(
        _ presence: Presence, of key: RecordKey, among found: [RecordKey: Presence]
    ) -> Bool {
        let isDeleted = records[key]?.isDeleted ?? true
        let isPart = targets(of: key, .cascade).contains { owner in
            found[owner].map { !$0.isShown } ?? false
        }
        let isNeeded = users(of: key).contains { found[$0]?.isShown ?? false }
        return switch presence {
        case .pending: false
        case .shown: !isDeleted && !isPart
        case .held: (isDeleted || isPart) && isNeeded
        case .hidden: !isDeleted && isPart && !isNeeded
        case .deleted: isDeleted && !isNeeded
        }
    }
}
