internal import LocalAPI
internal import Store
internal import SyncCore

/// What undoing some commits of one space comes to: what each of them wrote and nobody wrote over is as it was
/// without them.
struct UndoPlan {
    let space: ReadableSpace
    /// Those that are undone, in all or in part.
    let commits: [CommitID]
    /// Those of which nothing is left.
    let undoneWhole: [CommitID]
    private(set) var operations: [RecordOperation] = []
    private(set) var undone: [UndoView.Undone] = []
    private(set) var kept: [UndoView.Kept] = []

    private let replica: any Replica
    private let reader: RecordReader
    /// The undone ones, and what changes nothing together with them.
    private let left: Set<CommitID>
    private let isOver: Bool
    private let isOnlyDeletions: Bool

    /// Nil for a space that this device has no more, or whose schema is not known here.
    init?(
        _ replica: any Replica, _ id: SpaceID, _ commits: [StoredCommit],
        leavingOut left: Set<CommitID>, over isOver: Bool, onlyDeletions isOnlyDeletions: Bool
    ) throws {
        guard let space = try SpaceDirectory(replica).readable().first(where: { $0.id == id }),
            let schema = replica.schema(of: id)
        else { return nil }
        (self.space, self.replica, self.isOver) = (space, replica, isOver)
        self.isOnlyDeletions = isOnlyDeletions
        self.commits = commits.map(\.commit.id)
        undoneWhole = commits.filter { stored in
            !isOnlyDeletions
                || stored.commit.operations.flatMap(\.writes).allSatisfy(\.isDeletion)
        }.map(\.commit.id)
        self.left = left
        reader = RecordReader(replica, id, schema)
        var touched: [RecordKey] = []
        var known: Set<RecordKey> = []
        for operation in commits.flatMap(\.commit.operations).map({ schema.current($0) })
        where !Schema.isEverywhere(operation.collection) && !operation.isTitle(of: id) {
            if isOnlyDeletions, !operation.writes.contains(where: \.isDeletion) { continue }
            let key = RecordKey(collection: operation.collection, record: operation.record)
            if known.insert(key).inserted { touched.append(key) }
        }
        let first = try replica.store.makers(of: touched, in: id).values.min() ?? 0
        let past = try PastReading(of: replica.store).commits(
            writingTo: Set(touched.map(\.record)), from: first, in: id)
        let byRecord = UndoPlan.byRecord(past)
        // What belongs to others goes before them: nothing then refers to what is gone.
        for key in touched.reversed() {
            try plan(key, byRecord[key.record] ?? [])
        }
    }

    private static func byRecord(_ past: [PastCommit]) -> [RecordID: [PastCommit]] {
        var found: [RecordID: [PastCommit]] = [:]
        for commit in past {
            for record in Set(commit.stored.commit.operations.map(\.record)) {
                found[record, default: []].append(commit)
            }
        }
        return found
    }

    // MARK: One record

    private mutating func plan(_ key: RecordKey, _ past: [PastCommit]) throws {
        guard let entry = try reader.entry(key) else { return }
        let full = try RecordPast(of: key, past, under: reader.schema)
        let without = try RecordPast(of: key, past, under: reader.schema, leavingOut: left)
        let record = Reference(key.record, name: reader.title(entry.record, in: key.collection))
        let maker = full.entries.first(where: \.commit.isEffective)?.commit.stored.commit.id
        if let maker, commits.contains(maker), !isOnlyDeletions {
            return try remove(key, entry, full, record)
        }
        var writes: [Write] = []
        var fields: [UndoView.Undone.Field] = []
        var kind = UndoView.Undone.Kind.changed
        for name in registers(of: full) {
            let now = entry.state.register(name)?.writes ?? []
            let own = now.filter { left.contains($0.id.commit) }
            guard isOver || !own.isEmpty else {
                keep(record, name, .changedSince, by: now.max(by: SurvivingWrite.isOlder))
                continue
            }
            let past = own.isEmpty ? try before(key, past) : without
            let (value, then) = (shown(name, entry.state, key), shown(name, past.state, key))
            guard value != then else { continue }
            guard
                now.allSatisfy({ $0.precedence <= Swift.max(1, replica.precedence(in: space.id)) })
            else {
                keep(record, name, .outranked, by: now.max(by: SurvivingWrite.isOlder))
                continue
            }
            var write = Write(field: name.field, element: name.element, value: then)
            write.replaces = (isOver ? now : own).map(\.id)
            writes.append(write)
            if name.field == Write.existence {
                kind = then == .boolean(true) ? .removed : .restored
            } else {
                fields.append(try field(name, value, then))
            }
        }
        try add(RecordOperation(key, writes), kind, fields, record)
    }

    /// What there was before the first of what is undone.
    private func before(_ key: RecordKey, _ past: [PastCommit]) throws -> RecordPast {
        let earlier = past.prefix { !commits.contains($0.stored.commit.id) }
        return try RecordPast(
            of: key, Array(earlier), under: reader.schema, leavingOut: left)
    }

    /// What was made by what is undone goes, unless somebody wrote to it since, or needs it.
    private mutating func remove(
        _ key: RecordKey, _ entry: ShownEntry, _ full: RecordPast, _ record: Reference
    ) throws {
        guard !entry.state.isDeleted else { return }
        let later = full.entries.last {
            $0.commit.isEffective && !left.contains($0.commit.stored.commit.id)
        }
        if let later, !isOver {
            kept.append(
                UndoView.Kept(
                    space: space.sharedReference, record: record, field: nil,
                    reason: .changedSince,
                    by: author(later.commit.stored.commit.header.log.device)))
            return
        }
        guard try !isNeeded(key) else {
            kept.append(
                UndoView.Kept(
                    space: space.sharedReference, record: record, field: nil, reason: .inUse,
                    by: nil))
            return
        }
        try add(RecordOperation(key, [.deletion(true)]), .removed, [], record)
    }

    /// Whether a record that stays refers to it, by what was planned so far.
    private func isNeeded(_ key: RecordKey) throws -> Bool {
        for collection in reader.schema.collections {
            for field in collection.fields where field.type.needs(key.collection) {
                let users = try reader.referring(
                    to: key.record, in: collection.name, through: field)
                if users.contains(where: { !endsReference(of: $0.id, in: field.name) }) {
                    return true
                }
            }
        }
        return false
    }

    /// Whether what was planned deletes a record, or writes to a field of it.
    private func endsReference(of record: RecordID, in field: String) -> Bool {
        operations.contains { operation in
            operation.record == record
                && operation.writes.contains { $0.isDeletion || $0.field == field }
        }
    }

    private mutating func add(
        _ operation: RecordOperation, _ kind: UndoView.Undone.Kind,
        _ fields: [UndoView.Undone.Field], _ record: Reference
    ) throws {
        guard !operation.writes.isEmpty else { return }
        let needed = requiredFlags(of: [operation], in: space.id, by: replica.local.person)
        guard replica.permissions(in: space.id).isSuperset(of: needed) else {
            kept.append(
                UndoView.Kept(
                    space: space.sharedReference, record: record, field: nil, reason: .noRight,
                    by: nil))
            return
        }
        operations.append(operation)
        undone.append(
            UndoView.Undone(
                space: space.sharedReference, collection: ShownText.line(operation.collection),
                record: record, kind: kind, fields: fields))
    }

    private mutating func keep(
        _ record: Reference, _ name: RegisterName, _ reason: UndoView.Kept.Reason,
        by write: SurvivingWrite?
    ) {
        kept.append(
            UndoView.Kept(
                space: space.sharedReference, record: record,
                field: name.field == Write.existence ? nil : ShownText.line(name.field),
                reason: reason, by: write.map { author($0.log.device) }))
    }

    private func author(_ device: DeviceID) -> Reference {
        replica.author(with: device, in: space.id)
    }

    /// What the undone commits wrote to a record, in the order in which they did, each once.
    private func registers(of past: RecordPast) -> [RegisterName] {
        var names: [RegisterName] = []
        for entry in past.entries
        where entry.commit.isEffective && commits.contains(entry.commit.stored.commit.id) {
            let name = RegisterName(entry.write)
            if isOnlyDeletions, !entry.write.isDeletion { continue }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// What a state shows of one register: a value, null for none; of existence and elements a boolean.
    private func shown(
        _ name: RegisterName, _ state: RecordState, _ key: RecordKey
    ) -> Value {
        guard let register = state.register(name), let latest = register.latest else {
            return name.field == Write.existence || name.element != nil ? .boolean(false) : .null
        }
        guard name.field != Write.existence, name.element == nil,
            let strategy = reader.schema.collection(key.collection)?.field(name.field)?
                .strategy
        else { return latest.value }
        return strategy.shown(register, merged: state.merged[name.field])?.value ?? latest.value
    }

    private func field(
        _ name: RegisterName, _ value: Value, _ then: Value
    ) throws -> UndoView.Undone.Field {
        guard let element = name.element else {
            return UndoView.Undone.Field(
                name: ShownText.line(name.field), from: try reader.text(of: value),
                to: try reader.text(of: then))
        }
        let text = try reader.text(of: element)
        return UndoView.Undone.Field(
            name: ShownText.line(name.field), from: value == .boolean(true) ? text : "",
            to: then == .boolean(true) ? text : "")
    }
}

extension FieldType {
    /// Whether its values refer to records of a collection that they do not go with.
    fileprivate func needs(_ collection: String) -> Bool {
        switch self {
        case .reference(let target, let rule): target == collection && rule != .cascade
        case .set(let element): element.needs(collection)
        default: false
        }
    }
}

extension Write {
    fileprivate var isDeletion: Bool { field == Write.existence && value == .boolean(true) }
}
