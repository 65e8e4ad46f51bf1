internal import LocalAPI
internal import SyncCore

/// Changes to the records of one space, grouped for one line: similar ones together, parts with their
/// owners.
struct ChangeGroups {
    private struct Change {
        var kind: ChangeView.Kind
        let entry: ShownEntry?
        /// The record that it belongs to.
        let owner: RecordKey?
        /// The space it was moved to, or from.
        let other: ReadableSpace?
        var fields: [String]
        /// Whether another value is shown that was written at the same time.
        var isOtherShown: Bool
    }

    /// Similar changes: of one kind, to records with one name and one owner.
    private struct Group: Hashable {
        let kind: ChangeView.Kind
        let noun: String
        let owner: RecordKey?
        let other: SpaceID?
    }

    private let reader: RecordReader
    private var changes: [RecordKey: Change] = [:]
    private var order: [RecordKey] = []
    private let moved: MovedRecords

    init(_ reader: RecordReader, _ moved: MovedRecords) {
        (self.reader, self.moved) = (reader, moved)
    }

    /// Adds an operation, with the current names of collections. `unshown` is the record from the operation
    /// alone, where it is not shown.
    mutating func note(
        _ operation: RecordOperation, isNew: Bool, by person: PersonID?,
        unshown: ShownEntry? = nil
    ) throws {
        let key = RecordKey(collection: operation.collection, record: operation.record)
        var kind = ChangeGroups.kind(of: operation, isNew: isNew)
        if let before = changes[key] {
            // A record that was added and then changed counts as added.
            if ![.added, .movedFrom].contains(before.kind) || kind == .deleted {
                changes[key]?.kind = kind
            }
            changes[key]?.fields += operation.shownFields.filter { !before.fields.contains($0) }
            if isOtherShown(operation, before.entry) { changes[key]?.isOtherShown = true }
            return
        }
        let entry = try reader.entry(key) ?? unshown
        var other: ReadableSpace?
        if let person, kind == .deleted {
            other = try moved.target(of: key, by: person)
            if other != nil { kind = .movedTo }
        } else if let person, kind == .added {
            other = try moved.source(of: key, by: person)
            if other != nil { kind = .movedFrom }
        }
        order.append(key)
        changes[key] = Change(
            kind: kind, entry: entry,
            owner: owner(namedBy: operation)
                ?? entry.flatMap { reader.owner(of: $0, key.collection) },
            other: other, fields: operation.shownFields,
            isOtherShown: isOtherShown(operation, entry))
    }

    /// The record to which an operation puts its own: it may belong to another one by now.
    private func owner(namedBy operation: RecordOperation) -> RecordKey? {
        for (field, target) in reader.schema.collection(operation.collection)?.owners ?? [] {
            let write = operation.writes.last { $0.field == field.name && $0.element == nil }
            if let owner = write?.value.reference {
                return RecordKey(collection: target, record: owner)
            }
        }
        return nil
    }

    private func isOtherShown(_ operation: RecordOperation, _ entry: ShownEntry?) -> Bool {
        guard let record = entry?.record else { return false }
        return operation.writes.contains { write in
            guard case .value(let shown, _, true) = record.values[write.field] else { return false }
            return shown != write.value
        }
    }

    private static func kind(of operation: RecordOperation, isNew: Bool) -> ChangeView.Kind {
        if let existence = operation.writes.last(where: \.isOfExistence) {
            if existence.isDeletion { return .deleted }
            return isNew ? .added : .restored
        }
        if isNew { return .added }
        return operation.writes.contains { ($0.replaces?.count ?? 0) > 1 } ? .decided : .changed
    }

    /// In the order in which they were written, owners first.
    func views() throws -> [ChangeView] {
        var groups: [Group: [RecordKey]] = [:]
        var sequence: [Group] = []
        var parts: [RecordKey: [(noun: String, count: Int)]] = [:]
        for key in order {
            guard let change = changes[key] else { continue }
            let noun = self.noun(of: key.collection, change.entry)
            if let owner = change.owner, owner != key, comes(change, with: changes[owner]) {
                if let place = parts[owner]?.firstIndex(where: { $0.noun == noun }) {
                    parts[owner]?[place].count += 1
                } else {
                    parts[owner, default: []].append((noun, 1))
                }
                continue
            }
            let group = Group(
                kind: change.kind, noun: noun, owner: change.owner, other: change.other?.id)
            if groups[group] == nil { sequence.append(group) }
            groups[group, default: []].append(key)
        }
        let views = try sequence.map { try view($0, groups[$0] ?? [], parts) }
        return views.filter { !$0.parts.isEmpty } + views.filter(\.parts.isEmpty)
    }

    /// Records added together with a moved one came with it.
    private func comes(_ part: Change, with owner: Change?) -> Bool {
        owner?.kind == part.kind || (owner?.kind == .movedFrom && part.kind == .added)
    }

    private func view(
        _ group: Group, _ keys: [RecordKey], _ parts: [RecordKey: [(noun: String, count: Int)]]
    ) throws -> ChangeView {
        var with: [(noun: String, count: Int)] = []
        for part in keys.flatMap({ parts[$0] ?? [] }) {
            if let place = with.firstIndex(where: { $0.noun == part.noun }) {
                with[place].count += part.count
            } else {
                with.append(part)
            }
        }
        let names = try keys.prefix(Limits.changeNames).compactMap { try name(of: $0) }
        let isOneChanged = keys.count == 1 && [.changed, .decided].contains(group.kind)
        var view = ChangeView(
            group.kind, noun: group.noun, count: keys.count, names: names,
            fields: isOneChanged ? changes[keys[0]]?.fields ?? [] : [],
            parts: with.map { ChangeView.Part(noun: $0.noun, count: $0.count) },
            whole: try whole(of: group, keys))
        if isOneChanged, group.kind == .changed, changes[keys[0]]?.isOtherShown == true {
            view.otherShown = true
        }
        return view
    }

    /// For moved records, the other space.
    private func whole(of group: Group, _ keys: [RecordKey]) throws -> ChangeView.Whole? {
        if let other = keys.first.flatMap({ changes[$0]?.other }) {
            let noun = other.known?.isTrip == true ? "trip" : "space"
            return ChangeView.Whole(noun: noun, name: other.name)
        }
        return try group.owner.map { owner in
            ChangeView.Whole(
                noun: noun(of: owner.collection, try reader.entry(owner)),
                name: try name(of: owner) ?? "")
        }
    }

    private func name(of key: RecordKey) throws -> String? {
        let entry = try changes[key]?.entry ?? reader.entry(key)
        let name = entry.map { reader.title($0.record, in: key.collection) }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func noun(of collection: String, _ entry: ShownEntry?) -> String {
        reader.replica.schemas.noun(of: collection, entry?.record, in: reader.schema)
    }
}

extension RecordReader {
    /// The record that it belongs to.
    func owner(of entry: ShownEntry, _ collection: String) -> RecordKey? {
        for (field, target) in schema.collection(collection)?.owners ?? [] {
            if let owner = entry.record.targets(of: field).first {
                return RecordKey(collection: target, record: owner)
            }
        }
        return nil
    }
}

extension Limits {
    /// Records that a change lists by name; if there are more, only their number.
    static let changeNames = 3
}
