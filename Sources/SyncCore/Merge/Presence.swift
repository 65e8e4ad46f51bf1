/// Whether a record is there for people, with what it belongs to and what needs it.
package enum Presence: Sendable {
    /// Nothing was written to it that is here.
    case pending
    case shown
    /// Deleted or hidden, and shown because a record that is shown needs it.
    case held
    /// Something it belongs to is not shown.
    case hidden
    case deleted

    package var isShown: Bool { self == .shown || self == .held }

    /// Whether what belongs to the record is shown: what is not here yet hides nothing.
    fileprivate var isHarmless: Bool { isShown || self == .pending }
}

/// The records of a space, as ``Presences`` looks at them.
package protocol RecordGraph {
    /// Nil when nothing was written to it that is here.
    func shown(_ key: RecordKey) throws -> ShownRecord?

    /// The records whose references forbid to delete this one, whether they are shown or not.
    func users(of key: RecordKey) throws -> [RecordKey]
}

/// Finds out which records are shown, each once.
///
/// A record that is not deleted is shown when all that it belongs to is (``ReferenceRule/cascade``);
/// any record is when one that is shown needs it (``ReferenceRule/restrict``). Where records refer to
/// each other in a circle, that may hold in more than one way: the one that shows most is meant, so
/// that it does not matter which record is asked about first.
package struct Presences {
    /// A record whose presence is being found out.
    private struct Vertex {
        let isDeleted: Bool
        /// What it belongs to.
        let owners: [RecordKey]
        /// What needs it; nil where it is shown whether anything needs it or not.
        var users: [RecordKey]?
        var isShown = true
    }

    private let schema: Schema
    private var known: [RecordKey: Presence] = [:]
    // All that says something about the record that is asked about.
    private var nodes: [RecordKey: Vertex] = [:]
    /// By owner, what belongs to it.
    private var parts: [RecordKey: [RecordKey]] = [:]
    /// By user, what it needs.
    private var needs: [RecordKey: [RecordKey]] = [:]
    private var unread: [RecordKey] = []

    package init(of schema: Schema) { self.schema = schema }

    /// Throws what the graph throws.
    package mutating func presence(
        of key: RecordKey, in graph: some RecordGraph
    ) throws -> Presence {
        if let known = known[key] { return known }
        defer { (nodes, parts, needs, unread) = ([:], [:], [:], []) }
        unread = [key]
        while let next = unread.popLast() {
            guard nodes[next] == nil, known[next] == nil else { continue }
            try read(next, in: graph)
        }
        hide()
        Invariants.check(
            nodes.keys.allSatisfy { known[$0] == nil }, "a record is looked at that is known")
        for (key, node) in nodes { known[key] = presence(of: node) }
        precondition(known[key] != nil, "\(key.record) was not looked at")
        return known[key] ?? .pending
    }

    private mutating func read(_ key: RecordKey, in graph: some RecordGraph) throws {
        guard let record = try graph.shown(key) else {
            known[key] = .pending
            return
        }
        let owners = schema.owners(of: record, in: key.collection)
        if !record.isDeleted, owners.allSatisfy({ known[$0]?.isHarmless ?? false }) {
            // Nearly always.
            known[key] = .shown
            return
        }
        nodes[key] = Vertex(isDeleted: record.isDeleted, owners: owners)
        for owner in owners { parts[owner, default: []].append(key) }
        unread += owners
        if record.isDeleted || owners.contains(where: isDoubtful) {
            try doubt(key, in: graph)
        }
    }

    private func isDoubtful(_ key: RecordKey) -> Bool {
        if let node = nodes[key] { return node.users != nil }
        return !(known[key]?.isHarmless ?? true)
    }

    /// It may not be shown, and so neither may what belongs to it: who needs them?
    private mutating func doubt(_ key: RecordKey, in graph: some RecordGraph) throws {
        var rest = [key]
        while let next = rest.popLast() {
            guard let node = nodes[next], node.users == nil else { continue }
            let users = try graph.users(of: next)
            nodes[next]?.users = users
            for user in users { needs[user, default: []].append(next) }
            unread += users
            rest += parts[next] ?? []
        }
    }

    /// Takes all as shown, and hides what cannot be, until nothing more follows.
    private mutating func hide() {
        var rest = nodes.filter { $0.value.users != nil }.map(\.key)
        while let next = rest.popLast() {
            guard let node = nodes[next], node.isShown, !isWhole(node), !isNeeded(node) else {
                continue
            }
            nodes[next]?.isShown = false
            rest += parts[next] ?? []
            rest += needs[next] ?? []
        }
        Invariants.check(
            nodes.values.allSatisfy { $0.isShown == (isWhole($0) || isNeeded($0)) },
            "a record is shown, or hidden, without a reason")
    }

    private func presence(of node: Vertex) -> Presence {
        if isWhole(node) { return .shown }
        if isNeeded(node) { return .held }
        return node.isDeleted ? .deleted : .hidden
    }

    /// Whether it is shown by itself.
    private func isWhole(_ node: Vertex) -> Bool {
        !node.isDeleted && node.owners.allSatisfy { known[$0] == .pending || isShown($0) }
    }

    private func isNeeded(_ node: Vertex) -> Bool {
        node.users?.contains(where: isShown) ?? false
    }

    private func isShown(_ key: RecordKey) -> Bool {
        nodes[key]?.isShown ?? known[key]?.isShown ?? false
    }
}

extension CollectionSchema {
    /// The fields that refer to an owner, with its collection.
    package var owners: [(field: FieldSchema, target: String)] {
        fields.compactMap { field in
            if case .reference(let target, .cascade) = field.type { (field, target) } else { nil }
        }
    }
}

extension Schema {
    /// The records that this one belongs to.
    package func owners(of record: ShownRecord, in collection: String) -> [RecordKey] {
        (self.collection(collection)?.owners ?? []).compactMap { field, target in
            record.value(field.name)?.reference.map { RecordKey(collection: target, record: $0) }
        }
    }

    /// By collection, the fields whose references forbid to delete a record of this one.
    package func restrictingFields(
        of target: String
    ) -> [(collection: CollectionSchema, fields: [FieldSchema])] {
        collections.compactMap { collection in
            let fields = collection.fields.filter { $0.type.restricts(target) }
            return fields.isEmpty ? nil : (collection, fields)
        }
    }
}

extension FieldType {
    fileprivate func restricts(_ collection: String) -> Bool {
        switch self {
        case .reference(collection, .restrict), .set(of: .reference(collection, .restrict)): true
        default: false
        }
    }
}
