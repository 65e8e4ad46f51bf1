package import LocalAPI
internal import Store
package import SyncCore

/// The records of one space and their relations, for one request: each is read at most once.
package final class RecordReader {
    /// A reference field of a collection.
    private struct Link: Hashable {
        let collection: String
        let field: String
    }

    package let replica: any Replica
    package let space: SpaceID
    package let schema: Schema
    /// Whether many records are read: then the references to them are read together.
    private let isBulk: Bool
    /// Collections whose records have no owners.
    private let roots: Set<String>
    private var states: [RecordKey: RecordState?] = [:]
    private var presences: Presences
    /// By link and target; nil where not all of a link were read.
    private var referrers: [Link: [RecordID: [ShownEntry]]] = [:]
    private var isWhole: Set<Link> = []
    private var unshown: [String: Set<RecordID>] = [:]
    private var authors: [DeviceID: Reference] = [:]
    private var unfinished: [RecordKey: RecordState]?
    /// By collection and the bytes of a name.
    private var named: [[UInt8]: RecordID] = [:]

    package init(
        _ replica: any Replica, _ space: SpaceID, _ schema: Schema, isBulk: Bool = false
    ) {
        (self.replica, self.space, self.schema, self.isBulk) = (replica, space, schema, isBulk)
        presences = Presences(of: schema)
        roots = Set(schema.collections.filter(\.isRoot).map(\.name))
    }

    /// The precedence of a person's writes on this device.
    var precedence: UInt32 { max(Precedence.user.rawValue, replica.precedence(in: space)) }

    /// All surviving writes to a record; nil when there are none.
    package func state(_ key: RecordKey) throws -> RecordState? {
        if let known = states[key] { return known }
        // Unfinished ones are read first, so that a record that is finished in between is not missed.
        let unfinished = try unfinishedStates()
        let state = try replica.store.records.record(key, of: space) ?? unfinished[key]
        states[key] = .some(state)
        return state
    }

    /// The records that are in no log yet, read once.
    func unfinishedStates() throws -> [RecordKey: RecordState] {
        if let unfinished { return unfinished }
        let found = try replica.store.unfinished.all(in: space)
        unfinished = found
        return found
    }

    /// A record, deleted or not.
    package func entry(_ key: RecordKey) throws -> ShownEntry? {
        guard let state = try state(key),
            let shown = schema.shown(state, in: key.collection)
        else { return nil }
        let isUnfinished = try unfinishedStates()[key] == state
        return ShownEntry(
            id: key.record, record: shown, state: state, isUnfinished: isUnfinished)
    }

    /// All records of a collection in the log, including deleted ones.
    package func all(in collection: String) throws -> [ShownEntry] {
        entries(
            try replica.store.records.list(of: space, in: collection, includeDeleted: true),
            in: collection)
    }

    /// Remembers the records that were read of a collection.
    func entries(_ stored: [StoredRecord], in collection: String) -> [ShownEntry] {
        stored.compactMap { stored in
            states[RecordKey(collection: collection, record: stored.record)] = .some(stored.state)
            guard let shown = schema.shown(stored.state, in: collection) else { return nil }
            return ShownEntry(id: stored.record, record: shown, state: stored.state)
        }
    }

    // MARK: Shown records

    /// Whether people see a record: the one rule for lists, counts and searches.
    package func presence(_ key: RecordKey) throws -> Presence {
        // Changes by others cannot hide a record that only this device has.
        if try unfinishedStates()[key] != nil { return .shown }
        // The common case, which needs nothing else.
        if roots.contains(key.collection), let state = try state(key), !state.isDeleted {
            return .shown
        }
        return try presences.presence(of: key, in: self)
    }

    package func isShown(_ entry: ShownEntry, in collection: String) throws -> Bool {
        try presence(RecordKey(collection: collection, record: entry.id)).isShown
    }

    /// Those of a collection that are shown.
    package func shown(in collection: String) throws -> [ShownEntry] {
        try shown(of: try all(in: collection), in: collection)
    }

    func shown(of entries: [ShownEntry], in collection: String) throws -> [ShownEntry] {
        try entries.filter { try isShown($0, in: collection) }
    }

    /// One record, if it is shown.
    package func shown(_ collection: String, _ record: RecordID) throws -> ShownEntry? {
        let key = RecordKey(collection: collection, record: record)
        guard let entry = try entry(key), try presence(key).isShown else { return nil }
        return entry
    }

    /// The number of shown records of a collection: examines only those that may be hidden.
    package func shownCount(in collection: String) throws -> Int {
        // Both are of one moment.
        try replica.snapshot {
            let all = try replica.store.records.count(of: space, in: collection)
            return all - (try unshown(in: collection).count)
        }
    }

    /// Records of a collection that are not shown: deleted, or hidden with what they belong to.
    private func unshown(in name: String) throws -> Set<RecordID> {
        if let known = unshown[name] { return known }
        guard let collection = schema.collection(name) else { return [] }
        let deleted = entries(try replica.store.records.deleted(of: space, in: name), in: name)
        var found = Set(try deleted.filter { try !isShown($0, in: name) }.map(\.id))
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for (field, owner) in collection.owners {
                let gone = owner == name ? found : try unshown(in: owner)
                for part in try linking(toAny: gone, in: name, through: field)
                where try !isShown(part, in: name) && found.insert(part.id).inserted {
                    // Only a collection that is its own owner may have further parts here.
                    isGrowing = isGrowing || owner == name
                }
            }
        }
        unshown[name] = found
        return found
    }

    // MARK: References

    /// Shown records, including unfinished ones, that forbid deleting this one, by their collection.
    func restricting(_ key: RecordKey) throws -> [(collection: String, users: [ShownEntry])] {
        try schema.restrictingFields(of: key.collection).map { collection, fields in
            var seen: Set<RecordID> = []
            let users = try fields.flatMap { field in
                try referring(to: key.record, in: collection.name, through: field)
                    + unfinished(in: collection.name) {
                        $0.record.targets(of: field).contains(key.record)
                    }
            }.filter { seen.insert($0.id).inserted }
            return (collection.name, users)
        }
    }

    /// Shown records whose field refers to a record.
    package func referring(
        to record: RecordID, in collection: String, through field: FieldSchema
    ) throws -> [ShownEntry] {
        try shown(of: try linking(to: record, in: collection, through: field), in: collection)
    }

    /// The records of a collection that belong to this one, in the order that people gave them, grouped by
    /// file: several people may have added the same one, and the first of a group is shown.
    package func files(
        of record: RecordID, in collection: CollectionSchema
    ) throws -> [[ShownEntry]] {
        let parts = try collection.owners.flatMap { field, _ in
            try referring(to: record, in: collection.name, through: field)
        }
        let fields = collection.fields.filter(\.type.isFile).map(\.name)
        var files: [[ShownEntry]] = []
        var places: [[BlobID]: Int] = [:]
        for entry in RecordService.sorted(parts, in: collection, self) {
            let blobs = fields.compactMap { entry.record.value($0)?.blob }
            if let place = places[blobs], !blobs.isEmpty {
                files[place].append(entry)
            } else {
                places[blobs] = files.count
                files.append([entry])
            }
        }
        return files
    }

    /// The parts of a record, and their parts, including deleted ones.
    package func parts(of key: RecordKey) throws -> [(key: RecordKey, entry: ShownEntry)] {
        var found: [(key: RecordKey, entry: ShownEntry)] = []
        var seen: Set<RecordKey> = [key]
        var rest = [key]
        while let next = rest.popLast() {
            for (collection, field) in schema.parts(of: next.collection) {
                for entry in try linking(to: next.record, in: collection, through: field) {
                    let part = RecordKey(collection: collection, record: entry.id)
                    guard seen.insert(part).inserted else { continue }
                    found.append((part, entry))
                    rest.append(part)
                }
            }
        }
        return found
    }

    /// Reads all references to these records at once, for requests one after the other.
    package func prepare(
        linksTo records: some Sequence<RecordID>, in collection: String,
        through field: FieldSchema
    ) throws {
        let link = Link(collection: collection, field: field.name)
        let wanted = Set(records).subtracting(referrers[link, default: [:]].keys)
        guard !wanted.isEmpty, !isWhole.contains(link) else { return }
        for record in wanted { referrers[link, default: [:]][record] = [] }
        for entry in try linking(toAny: wanted, in: collection, through: field) {
            for target in entry.record.targets(of: field) where wanted.contains(target) {
                referrers[link, default: [:]][target, default: []].append(entry)
            }
        }
    }

    /// All records whose field refers to a record.
    private func linking(
        to record: RecordID, in collection: String, through field: FieldSchema
    ) throws -> [ShownEntry] {
        let link = Link(collection: collection, field: field.name)
        if isBulk, isWhole.insert(link).inserted {
            var found: [RecordID: [ShownEntry]] = [:]
            for entry in try all(in: collection) {
                for target in entry.record.targets(of: field) {
                    found[target, default: []].append(entry)
                }
            }
            referrers[link] = found
        }
        if let known = referrers[link]?[record] { return known }
        if isWhole.contains(link) { return [] }
        return try linking(toAny: [record], in: collection, through: field)
    }

    private func linking(
        toAny records: Set<RecordID>, in collection: String, through field: FieldSchema
    ) throws -> [ShownEntry] {
        guard !records.isEmpty else { return [] }
        return entries(
            try replica.store.records.list(of: space, in: collection, linkingToAny: records),
            in: collection
        ).filter { entry in entry.record.targets(of: field).contains(where: records.contains) }
    }

    /// The record of a name, looked up once; many lines of a file use the same name.
    func named(
        _ typed: String, in collection: String, find: () throws -> RecordID
    ) throws -> RecordID {
        let key = Array(collection.utf8) + [0] + Array(typed.utf8)
        if let known = named[key] { return known }
        let record = try find()
        named[key] = record
        return record
    }

    /// The author of a value.
    package func author(of write: SurvivingWrite) -> Reference {
        let device = write.log.device
        if let known = authors[device] { return known }
        let author = replica.author(with: device, in: space)
        authors[device] = author
        return author
    }

    /// The last author of a record, and the time. Ignores outranked values, and touches.
    package func lastChange(of state: RecordState) -> (author: Reference, at: Moment) {
        let sets = state.sets.filter { $0.key != Write.existence }
        let registers = Array(state.fields.values) + sets.values.flatMap(\.values)
        let last = registers.compactMap(\.latest).max { one, other in
            (one.clock, one.log.device, one.id) < (other.clock, other.log.device, other.id)
        }
        return (
            last.map { author(of: $0) } ?? Reference(id: "", shortID: "", name: ""),
            Moment(last?.clock ?? HybridTime(raw: 0))
        )
    }

    /// The title of a record; empty without such a field or value.
    package func title(_ record: ShownRecord, in collection: String) -> String {
        guard let field = schema.collection(collection)?.titleField else { return "" }
        return ShownText.line(record.value(field.name)?.text ?? "")
    }
}

extension RecordReader: RecordGraph {
    package func shown(_ key: RecordKey) throws -> ShownRecord? { try entry(key)?.record }

    package func users(of key: RecordKey) throws -> [RecordKey] {
        try schema.restrictingFields(of: key.collection).flatMap { collection, fields in
            try fields.flatMap { field in
                try linking(to: key.record, in: collection.name, through: field).map {
                    RecordKey(collection: collection.name, record: $0.id)
                }
            }
        }
    }
}

extension CollectionSchema {
    fileprivate var isRoot: Bool { owners.isEmpty }
}

extension Schema {
    /// The collections whose records belong to those of one, with the fields that say so.
    func parts(of owner: String) -> [(collection: String, field: FieldSchema)] {
        collections.flatMap { collection in
            collection.owners.filter { $0.target == owner }.map { (collection.name, $0.field) }
        }
    }
}

extension ShownRecord {
    /// The records that a field refers to.
    package func targets(of field: FieldSchema) -> [RecordID] {
        if case .set = field.type { return elements(field.name).compactMap(\.reference) }
        return [value(field.name)?.reference].compactMap(\.self)
    }
}
