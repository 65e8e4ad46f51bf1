/// What a space may hold: collections, their fields and how concurrent writes merge. A file, not code.
package struct Schema: Hashable, Sendable {
    package let id: SchemaID
    package let name: String
    package let version: UInt32
    /// In dependency order: a collection refers only to itself and to earlier ones.
    package let collections: [CollectionSchema]

    package init(id: SchemaID, name: String, version: UInt32, collections: [CollectionSchema]) {
        self.id = id
        self.name = name
        self.version = version
        self.collections = collections
    }

    package func collection(_ name: String) -> CollectionSchema? {
        collections.first { $0.name == name }
    }
}

package struct CollectionSchema: Hashable, Sendable {
    package let name: String
    package let fields: [FieldSchema]

    package init(name: String, fields: [FieldSchema]) {
        self.name = name
        self.fields = fields
    }

    package func field(_ name: String) -> FieldSchema? {
        fields.first { $0.name == name }
    }
}

package struct FieldSchema: Hashable, Sendable {
    package let name: String
    package let type: FieldType
    package let strategy: MergeStrategy
    /// Whether full-text search covers it.
    package let isSearched: Bool

    package init(name: String, type: FieldType, strategy: MergeStrategy, isSearched: Bool) {
        self.name = name
        self.type = type
        self.strategy = strategy
        self.isSearched = isSearched
    }
}

package indirect enum FieldType: Hashable, Sendable {
    case text
    case integer
    case decimal
    case boolean
    case time
    case position
    case json
    case blob(NamedBlobKind)
    /// To a record of this collection in the same space.
    case reference(collection: String, onDelete: ReferenceRule)
    case set(of: FieldType)

    /// Whether a value may be written to a field of this type, or be an element of it when it is a
    /// set; null clears any field and is no element.
    package func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (.set(let element), let value): element.admits(value) && value != .null
        case (_, .null), (.text, .text), (.integer, .integer), (.decimal, .decimal),
            (.boolean, .boolean), (.time, .time), (.json, .json), (.blob, .blob),
            (.reference, .reference):
            true
        case (.position, .position(let position)):
            (-90...90).contains(position.latitude) && (-180...180).contains(position.longitude)
        default: false
        }
    }
}

/// What a concurrent deletion of the target means for the record that refers to it.
package enum ReferenceRule: String, CaseIterable, Sendable {
    /// The target stays shown, flagged.
    case restrict
    /// The referrer is hidden too.
    case cascade
    /// The reference shows empty.
    case detach
}

/// Eight bytes of length, then the bytes.
package func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] {
    bigEndian(UInt64(bytes.count)) + bytes
}
