/// What a space may hold: collections, their fields and how concurrent writes merge. A file, not code.
package struct Schema: Hashable, Sendable {
    package let id: SchemaID
    package let name: String
    package let version: UInt32
    /// In dependency order: a collection refers only to itself and to earlier ones. Those that every
    /// space has (``Schema/everywhere``) stand before those of the document.
    package let collections: [CollectionSchema]
    /// By the name a collection had before, the one it has.
    private let formerCollections: [String: String]
    /// By collection, then by the name a field had before, the one it has.
    let formerFields: [String: [String: String]]

    package init(id: SchemaID, name: String, version: UInt32, collections: [CollectionSchema]) {
        (self.id, self.name, self.version, self.collections) = (id, name, version, collections)
        var formerCollections: [String: String] = [:]
        var formerFields: [String: [String: String]] = [:]
        for collection in collections {
            for former in collection.formerNames { formerCollections[former] = collection.name }
            for field in collection.fields {
                for former in field.formerNames {
                    formerFields[collection.name, default: [:]][former] = field.name
                }
            }
        }
        self.formerCollections = formerCollections
        self.formerFields = formerFields
    }

    package func collection(_ name: String) -> CollectionSchema? {
        collections.first { $0.name == name }
    }

    /// The name that the collection written under this name has now.
    package func currentName(ofCollection name: String) -> String {
        formerCollections[name] ?? name
    }

    /// The operation under the names that its collection and fields have now: writes to a former name
    /// are writes to the same register, whichever of them came first.
    package func current(_ operation: RecordOperation) -> RecordOperation {
        let collection = currentName(ofCollection: operation.collection)
        let former = formerFields[collection]
        guard collection != operation.collection || former != nil else { return operation }
        var current = operation
        current.collection = collection
        for index in current.writes.indices {
            let field = current.writes[index].field
            current.writes[index].field = former?[field] ?? field
        }
        return current
    }
}

package struct CollectionSchema: Hashable, Sendable {
    package let name: String
    package let fields: [FieldSchema]
    /// Computed from other records when one is read; never sent.
    package let derived: [DerivedField]
    /// What it was called in earlier versions.
    package let formerNames: [String]
    /// The field whose value finishes a record: until then the record stays on its device. Nil where
    /// every record is for others at once.
    package let finishedBy: String?

    package init(
        name: String, fields: [FieldSchema], derived: [DerivedField] = [],
        formerNames: [String] = [], finishedBy: String? = nil
    ) {
        (self.name, self.fields) = (name, fields)
        (self.derived, self.formerNames) = (derived, formerNames)
        self.finishedBy = finishedBy
    }

    /// Whether a new record with these values, by field, is finished. A field of type boolean finishes
    /// it by a yes.
    package func isFinished(with value: (String) -> Value?) -> Bool {
        guard let finishedBy else { return true }
        return switch value(finishedBy) {
        case nil, .null, .boolean(false): false
        default: true
        }
    }

    /// Whether any of its fields was called otherwise before.
    package var hasFormerNames: Bool { fields.contains { !$0.formerNames.isEmpty } }

    package func field(_ name: String) -> FieldSchema? {
        fields.first { $0.name == name }
    }

    /// The field by which people call a record: `title`, `name`, or else the first text.
    package var titleField: FieldSchema? {
        field("title") ?? field("name") ?? fields.first { $0.type == .text }
    }

    /// The field that says where a record stands among the others; nil when they have no order.
    package var orderField: FieldSchema? { fields.first { $0.type == .order } }
}

extension RecordOperation {
    /// The same under the names that a schema has now.
    package func current(under schema: Schema?) -> RecordOperation { schema?.current(self) ?? self }
}

extension RecordKey {
    /// The record that an operation writes to, under the name that its collection has now.
    package init(of operation: RecordOperation, under schema: Schema?) {
        self.init(
            collection: schema?.currentName(ofCollection: operation.collection)
                ?? operation.collection, record: operation.record)
    }
}

extension Schema {
    package static let personProfile = "person_profile"
    package static let deviceProfile = "device_profile"
    package static let spaceProfile = "space_profile"

    /// The collections of every space, whatever its schema: names of people, of devices and of the
    /// space itself, as records that merge like all others.
    package static let everywhere: [CollectionSchema] = [
        CollectionSchema(name: personProfile, fields: [.everywhere("name")]),
        CollectionSchema(
            name: deviceProfile, fields: [.everywhere("name"), .everywhere("person")]),
        CollectionSchema(name: spaceProfile, fields: [.everywhere("name")]),
        CollectionSchema(
            name: Origin.collection,
            fields: [
                .everywhere(Origin.author), .everywhere(Origin.written, .time),
                .everywhere(Origin.source),
            ]),
        CollectionSchema(
            name: AppliedSet.collection,
            fields: [
                .everywhere(AppliedSet.name), .everywhere(AppliedSet.level),
                .everywhere(AppliedSet.content, .json),
            ]),
        CollectionSchema(
            name: Dismissal.collection,
            fields: [.everywhere(Dismissal.space), .everywhere(Dismissal.change)]),
    ]

    /// Those that most spaces have no record of: a digest says nothing of them then.
    package static let seldom: Set<String> = [
        Origin.collection, AppliedSet.collection, Dismissal.collection,
    ]

    /// What an archive, or another space, said of a record or a space that was made of it.
    package enum Origin {
        package static let collection = "record_origin"
        /// The name of who wrote it last; of a space, of who archived it, and nobody's where it was not.
        package static let author = "author"
        /// When.
        package static let written = "written"
        /// Of a space, the id of the one that was archived, or from which it goes on.
        package static let source = "source"
    }

    /// Which version of a data set was applied to a space: a record for each level of each set.
    package enum AppliedSet {
        package static let collection = "data_set"
        /// What the set calls itself.
        package static let name = "name"
        package static let level = "level"
        /// The version, and its rows.
        package static let content = "content"
    }

    /// A change without effect of which a person wants to be told no more, in their own space.
    package enum Dismissal {
        package static let collection = "dismissed_change"
        /// Where the change is, and which commit: in hexadecimal.
        package static let space = "space"
        package static let change = "change"
    }

    /// The record in a person's own space that says so.
    package static func dismissal(
        of change: CommitID, in space: SpaceID, home: SpaceID
    ) -> RecordKey {
        RecordKey(
            collection: Dismissal.collection,
            record: .derived(
                space: home, collection: Dismissal.collection, source: space.bytes + change.bytes))
    }

    /// The record that says what was applied of a level of a data set.
    package static func applied(_ level: String, of set: String, in space: SpaceID) -> RecordKey {
        let source = lengthPrefixed(Array(set.utf8)) + Array(level.utf8)
        return RecordKey(
            collection: AppliedSet.collection,
            record: .derived(space: space, collection: AppliedSet.collection, source: source))
    }

    /// The record that says where another one comes from, or without one the whole space.
    package static func origin(of key: RecordKey?, in space: SpaceID) -> RecordKey {
        let source = key.map { lengthPrefixed(Array($0.collection.utf8)) + $0.record.bytes } ?? []
        return RecordKey(
            collection: Origin.collection,
            record: .derived(space: space, collection: Origin.collection, source: source))
    }

    /// Whether a collection is one of those that every space has.
    package static func isEverywhere(_ collection: String) -> Bool {
        everywhere.contains { $0.name == collection }
    }

    /// Whether undoing takes back what was written to a collection: not names, nor where something came from.
    package static func isUndone(_ collection: String) -> Bool {
        collection == AppliedSet.collection || !isEverywhere(collection)
    }

    /// Collections that people write to: not those with the names of people, devices and spaces.
    package var ownCollections: [CollectionSchema] {
        collections.filter { !Schema.isEverywhere($0.name) }
    }
}

extension Schema {
    /// The schema of trips, which ships with peersync.
    package static let journalName = "journal"

    /// The collections that can have a record with the space's name.
    package static let titleCollections: Set<String> = [journalTitle, spaceProfile]
    private static let journalTitle = "trip"

    /// Whether spaces that follow it are trips.
    package var isJournal: Bool {
        name == Schema.journalName && collection("trip") != nil && collection("memory") != nil
    }

    /// The record that carries a space's name, and whose deletion deletes the space: of a trip, its
    /// own record.
    package func titleRecord(in space: SpaceID) -> RecordKey {
        let collection = isJournal ? Schema.journalTitle : Schema.spaceProfile
        return RecordKey(
            collection: collection,
            record: .derived(space: space, collection: collection, source: []))
    }
}

extension RecordID {
    /// The same id on every device: the first 16 bytes of SHA-256 over space, collection and
    /// source, label ``Label/derivedRecord``.
    package static func derived(space: SpaceID, collection: String, source: [UInt8]) -> RecordID {
        let message = space.bytes + lengthPrefixed(Array(collection.utf8)) + source
        let hash = Label.derivedRecord.hash(message)
        guard let id = RecordID(bytes: hash.bytes.prefix(Bytes16.byteCount)) else {
            preconditionFailure("a hash has at least 16 bytes")
        }
        return id
    }
}

extension FieldSchema {
    fileprivate static func everywhere(
        _ name: String, _ type: FieldType = .text
    ) -> FieldSchema {
        FieldSchema(name: name, type: type, strategy: .lastWrite, isSearched: false)
    }
}

/// Eight bytes of length, then the bytes.
package func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] {
    bigEndian(UInt64(bytes.count)) + bytes
}
