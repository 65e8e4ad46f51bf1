/// The part of a commit that everybody who carries it can read.
package struct ClearPart: Hashable, Sendable {
    package var genesis: Genesis?
    package var facts: [UnverifiedFact]
    /// What the operations refer to, so that anybody knows what to fetch.
    package var blobs: [NamedBlob]
    /// A change of schema; needs admin.
    package var schema: SchemaPin?

    package init(
        genesis: Genesis? = nil, facts: [UnverifiedFact] = [], blobs: [NamedBlob] = [],
        schema: SchemaPin? = nil
    ) {
        (self.genesis, self.facts, self.blobs, self.schema) = (genesis, facts, blobs, schema)
    }
}

package enum SpaceRole: UInt8, Sendable {
    /// In the journal: a trip.
    case shared = 1
    /// One person's own.
    case home = 2
}

package struct Genesis: Hashable, Sendable {
    package var nonce: Bytes32
    package var founder: UnverifiedCard
    package var role: SpaceRole
    package var schema: SchemaPin

    package init(nonce: Bytes32, founder: UnverifiedCard, role: SpaceRole, schema: SchemaPin) {
        (self.nonce, self.founder, self.role, self.schema) = (nonce, founder, role, schema)
    }
}

package struct SchemaPin: Hashable, Sendable {
    package var schema: SchemaID
    package var version: UInt32
    /// The document's bytes, at most ``Limits/schemaBytes``; nil when readers are sure to have it.
    package var document: [UInt8]?

    package init(schema: SchemaID, version: UInt32, document: [UInt8]? = nil) {
        (self.schema, self.version, self.document) = (schema, version, document)
    }

    /// Whether it carries the document it names, so that nobody has to look for it elsewhere.
    package var isWhole: Bool {
        document.map { Label.schema.hash($0) == schema.value } ?? false
    }
}

package enum NamedBlobKind: UInt8, Sendable {
    case original = 1
    case thumbnail = 2
    case track = 3
}

package struct NamedBlob: Hashable, Sendable {
    package var blob: BlobID
    /// Bytes.
    package var size: UInt64
    package var kind: NamedBlobKind

    package init(blob: BlobID, size: UInt64, kind: NamedBlobKind) {
        (self.blob, self.size, self.kind) = (blob, size, kind)
    }
}
