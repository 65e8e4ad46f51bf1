internal import LocalAPI
internal import Store
package import SyncCore

/// Checks every record of one space: references, parts, duplicates, files, required values. The third phase
/// of a sync (requirement J4), as it needs the changes and the files.
package struct SpaceCheckRun {
    private let replica: any Replica
    private let space: SpaceID
    private let schema: Schema
    private let reader: RecordReader
    private let sync: SpaceSyncState
    private let missing: Set<BlobID>
    package private(set) var flaws = SpaceFlaws()
    package private(set) var records = 0

    /// With `isBulk`, all records of the space will be checked.
    package init(
        _ replica: any Replica, _ space: SpaceID, _ schema: Schema, isBulk: Bool = true
    ) throws {
        (self.replica, self.space, self.schema) = (replica, space, schema)
        reader = RecordReader(replica, space, schema, isBulk: isBulk)
        sync = try replica.sync.state(of: space)
        missing =
            schema.hasFiles ? Set(try replica.store.files.missing(of: space).map(\.blob)) : []
    }

    /// Checks some records, and those that refer to any of them that is no longer shown; not for
    /// duplicates, which needs all.
    package mutating func run(only keys: Set<RecordKey>) throws {
        for collection in schema.ownCollections {
            var entries = try keys.filter { $0.collection == collection.name }.compactMap {
                try reader.entry($0)
            }
            for field in collection.fields {
                guard let (target, _) = field.type.referenced else { continue }
                for key in keys where key.collection == target {
                    guard try !reader.presence(key).isShown else { continue }
                    entries += try reader.referring(
                        to: key.record, in: collection.name, through: field)
                }
            }
            var seen: Set<RecordID> = []
            for entry in entries where seen.insert(entry.id).inserted {
                _ = try isShown(entry, collection)
            }
        }
    }

    package mutating func run() throws {
        for collection in schema.ownCollections {
            var shown: [ShownEntry] = []
            for entry in try reader.all(in: collection.name)
            where try isShown(entry, collection) {
                shown.append(entry)
            }
            noteDuplicates(shown, collection)
        }
        let known = Set(schema.collections.map(\.name))
        for (name, count) in try replica.store.records.counts(of: space).sorted(by: {
            $0.key < $1.key
        })
        where !known.contains(name) && count > 0 {
            flaws.note(.unknownCollection, ShownText.line(name), count: count)
            records += count
        }
    }

    /// Checks one record; returns whether it is shown.
    private mutating func isShown(
        _ entry: ShownEntry, _ collection: CollectionSchema
    ) throws -> Bool {
        let presence = try reader.presence(
            RecordKey(collection: collection.name, record: entry.id))
        switch presence {
        case .deleted, .pending: return false
        case .hidden: try noteOrphan(entry, collection)
        case .held: note(.heldRecord, collection, nil, entry)
        case .shown: break
        }
        records += 1
        guard presence.isShown else { return false }
        try look(at: entry, collection)
        return true
    }

    private mutating func note(
        _ kind: SpaceCheckView.Kind, _ collection: CollectionSchema, _ field: String?,
        _ entry: ShownEntry
    ) {
        let reader = reader
        flaws.note(
            kind, collection.name, field, entry.id,
            reader.title(entry.record, in: collection.name))
    }

    // MARK: One record

    private mutating func look(at entry: ShownEntry, _ collection: CollectionSchema) throws {
        for field in collection.fields where !field.isLocal {
            let isSet = if case .set = field.type { true } else { false }
            if field.isRequired, !isSet, entry.record.value(field.name) == nil {
                note(.incomplete, collection, field.name, entry)
            }
            if field.type.isBlob { noteFile(entry, collection, field.name) }
            guard let (target, _) = field.type.referenced else { continue }
            for record in entry.record.targets(of: field) {
                let key = RecordKey(collection: target, record: record)
                switch try reader.presence(key) {
                case .shown, .held: continue
                case .pending: note(.pendingReference, collection, field.name, entry)
                case .deleted, .hidden:
                    let kind: SpaceCheckView.Kind =
                        field.isRequired ? .incomplete : .emptyReference
                    note(kind, collection, field.name, entry)
                }
            }
        }
    }

    private mutating func noteFile(
        _ entry: ShownEntry, _ collection: CollectionSchema, _ field: String
    ) {
        guard let blob = entry.record.value(field)?.blob, missing.contains(blob) else {
            return
        }
        let kind: SpaceCheckView.Kind =
            switch sync.fate(of: blob) {
            case .lost: .lostFile
            case .givenUp, .noRoom: .failedFile
            case .coming, .soon, .away: .missingFile
            }
        note(kind, collection, field, entry)
    }

    /// Notes the field by which a hidden record belongs to a deleted one. Deleting a record together with
    /// known parts was intended: only parts that the deletion had not seen are reported.
    private mutating func noteOrphan(
        _ entry: ShownEntry, _ collection: CollectionSchema
    ) throws {
        let key = RecordKey(collection: collection.name, record: entry.id)
        for deletion in try deletions(above: key) {
            if try replica.store.records.hasSeen(entry.state.survivors, by: deletion, in: space) {
                return
            }
        }
        let field = try collection.owners.first { field, target in
            try entry.record.targets(of: field).contains {
                let presence = try reader.presence(RecordKey(collection: target, record: $0))
                return presence == .deleted || presence == .hidden
            }
        }
        note(.orphan, collection, field?.field.name, entry)
    }

    /// The deletions of a hidden record's owners, at any level.
    private func deletions(above key: RecordKey) throws -> [SurvivingWrite] {
        var found: [SurvivingWrite] = []
        var seen: Set<RecordKey> = [key]
        var rest = [key]
        while let next = rest.popLast() {
            guard let entry = try reader.entry(next) else { continue }
            for (field, target) in schema.collection(next.collection)?.owners ?? [] {
                for record in entry.record.targets(of: field) {
                    let owner = RecordKey(collection: target, record: record)
                    guard seen.insert(owner).inserted else { continue }
                    rest.append(owner)
                    found += (try reader.state(owner)?.fields[Write.existence]?.writes ?? [])
                        .filter { $0.value == .boolean(true) }
                }
            }
        }
        return found
    }

    // MARK: Duplicates

    private mutating func noteDuplicates(
        _ entries: [ShownEntry], _ collection: CollectionSchema
    ) {
        guard !isBroughtByMany(collection.name) else { return }
        var contents: Set<Bytes32> = []
        var files: Set<Bytes32> = []
        let names = collection.fields.filter { !$0.isLocal && $0.type != .order }.map(\.name)
        let owners = collection.fields.filter { $0.type.referenced != nil }.map(\.name)
        let blobs = collection.fields.filter(\.type.isFile).map(\.name)
        for entry in entries {
            let content = SpaceCheckRun.digest(of: entry.record, names)
            let isTwice = content.map { !contents.insert($0).inserted } ?? false
            if isTwice { note(.duplicate, collection, nil, entry) }
            let isFileTwice = blobs.contains { field in
                guard entry.record.value(field) != nil,
                    let file = SpaceCheckRun.digest(of: entry.record, owners + [field])
                else { return false }
                return !files.insert(file).inserted
            }
            if isFileTwice, !isTwice { note(.duplicateFile, collection, nil, entry) }
        }
    }

    /// Whether several people bring records of the same name, or the same file, which are shown as one.
    private func isBroughtByMany(_ collection: String) -> Bool {
        let builtIn = replica.schemas.builtIn
        return schema.name == replica.schemas.builtInSchema.name
            && (builtIn.sharedNames.contains(collection)
                || builtIn.counted.files.contains(collection))
    }

    /// A hash of the shown values of these fields; nil when there is none.
    private static func digest(of record: ShownRecord, _ fields: [String]) -> Bytes32? {
        var bytes: [UInt8] = []
        for field in fields {
            guard let value = record.values[field] else { continue }
            if case .value(.null, _, _) = value { continue }
            bytes += lengthPrefixed(Array(field.utf8)) + lengthPrefixed(value.canonicalBytes)
        }
        return bytes.isEmpty ? nil : sha256(bytes)
    }
}

extension FieldType {
    /// The collection that a reference, or each element of a set of them, refers to.
    var referenced: (collection: String, rule: ReferenceRule)? {
        switch self {
        case .reference(let collection, let rule), .set(of: .reference(let collection, let rule)):
            (collection, rule)
        default: nil
        }
    }
}
