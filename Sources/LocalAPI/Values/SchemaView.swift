/// A schema as this device reads it.
package struct SchemaView: Codable, Sendable, Equatable {
    /// Hash of the document.
    package let id: String
    package let name: String
    package let version: Int
    /// The document itself (YAML).
    package let document: String
    package let collections: [Collection]
    /// The spaces of this device that follow it.
    package let spaces: [Reference]

    package init(
        id: String, name: String, version: Int, document: String, collections: [Collection],
        spaces: [Reference]
    ) {
        (self.id, self.name, self.version) = (id, name, version)
        (self.document, self.collections, self.spaces) = (document, collections, spaces)
    }

    /// Nil for a collection that the schema does not have.
    package func collection(_ name: String) -> Collection? {
        collections.first { $0.name == name }
    }

    /// One collection with its fields in the order of the document.
    package struct Collection: Codable, Sendable, Equatable {
        package let name: String
        package let fields: [Field]
        /// Names of derived values.
        package let derived: [String]
        /// The field that finishes a record; until then the record stays on its device.
        package let finishedBy: String?

        package init(
            name: String, fields: [Field], derived: [String], finishedBy: String? = nil
        ) {
            (self.name, self.fields, self.derived) = (name, fields, derived)
            self.finishedBy = finishedBy
        }
    }

    /// One field.
    package struct Field: Codable, Sendable, Equatable {
        package let name: String
        package let type: String
        /// For a set, the type of its elements.
        package let of: String?
        /// Of a reference, or a set of them, the collection of the targets.
        package let to: String?
        package let strategy: String
        package let required: Bool
        package let local: Bool
        package let searched: Bool

        package init(
            name: String, type: String, of: String?, to: String?, strategy: String,
            required: Bool, local: Bool, searched: Bool
        ) {
            (self.name, self.type, self.of, self.to, self.strategy) = (name, type, of, to, strategy)
            (self.required, self.local, self.searched) = (required, local, searched)
        }
    }
}

/// A mistake in a schema document.
package struct SchemaMistake: Codable, Sendable, Equatable {
    /// From 1.
    package let line: Int
    /// Where, as in `collections.memory.fields.title`; empty for the document as a whole.
    package let path: String
    package let reason: String

    package init(line: Int, path: String, reason: String) {
        (self.line, self.path, self.reason) = (line, path, reason)
    }
}

/// A new space.
package struct SpaceDraft: Codable, Sendable, Hashable {
    package let name: String
    /// Name of a schema that a space of this device follows, or `journal`.
    package let schema: String?
    /// A document instead.
    package let document: String?
    /// Encrypted from the first record on.
    package let encrypted: Bool?

    package init(
        name: String, schema: String? = nil, document: String? = nil, encrypted: Bool? = nil
    ) {
        (self.name, self.schema, self.document) = (name, schema, document)
        self.encrypted = encrypted
    }
}

/// Another version of the schema that a space follows.
package struct SchemaChange: Codable, Sendable, Hashable {
    package let document: String

    package init(document: String) { self.document = document }
}
