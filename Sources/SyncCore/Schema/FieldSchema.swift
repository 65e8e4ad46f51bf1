/// One field of a collection.
package struct FieldSchema: Hashable, Sendable {
    package let name: String
    package let type: FieldType
    package let strategy: MergeStrategy
    /// Whether full-text search covers it.
    package let isSearched: Bool
    /// Whether a record is made only with a value for it.
    package let isRequired: Bool
    /// Whether it belongs to this device alone and is never sent.
    package let isLocal: Bool
    /// What it was called in earlier versions.
    package let formerNames: [String]

    package init(
        name: String, type: FieldType, strategy: MergeStrategy, isSearched: Bool,
        isRequired: Bool = false, isLocal: Bool = false, formerNames: [String] = []
    ) {
        (self.name, self.type, self.strategy, self.isSearched) = (name, type, strategy, isSearched)
        (self.isRequired, self.isLocal, self.formerNames) = (isRequired, isLocal, formerNames)
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
    /// Where a record stands among the others of its collection: a position key, kept as a text.
    case order

    /// Whether a value may be written to a field of this type, or be an element of it when it is a
    /// set; null clears any field and is no element.
    package func admits(_ value: Value) -> Bool {
        switch (self, value) {
        case (.set(let element), let value): element.admits(value) && value != .null
        case (.decimal, .decimal(let digits)): ExactDecimal(digits) != nil
        case (_, .null), (.text, .text), (.integer, .integer), (.boolean, .boolean), (.time, .time),
            (.json, .json), (.blob, .blob), (.reference, .reference), (.order, .text):
            true
        case (.position, .position(let position)):
            (-90...90).contains(position.latitude) && (-180...180).contains(position.longitude)
        default: false
        }
    }

    /// The word that a schema has for it.
    package var word: String {
        switch self {
        case .text: "text"
        case .integer: "integer"
        case .decimal: "decimal"
        case .boolean: "boolean"
        case .time: "time"
        case .position: "position"
        case .json: "json"
        case .blob: "blob"
        case .reference: "reference"
        case .set: "set"
        case .order: "order"
        }
    }
}

/// What a deletion of the target means for the record that refers to it.
package enum ReferenceRule: String, CaseIterable, Sendable {
    /// The target stays shown, flagged.
    case restrict
    /// The referrer is hidden too.
    case cascade
    /// The reference shows empty.
    case detach
}
