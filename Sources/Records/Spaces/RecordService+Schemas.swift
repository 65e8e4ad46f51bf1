package import LocalAPI
internal import Store
internal import SyncCore

/// Schemas, and the spaces that follow them.
extension RecordService {
    /// Makes a space; a document is pinned in its first commit and travels with it.
    package func createSpace(_ draft: SpaceDraft) async throws -> TripView {
        let pin = try pin(draft)
        let isTrip = try replica.schemas.schema(pin).isJournal
        return try await spaces.create(
            following: pin, name: draft.name, isTrip ? .tripName : .spaceName,
            isEncrypted: draft.encrypted ?? false)
    }

    private func pin(_ draft: SpaceDraft) throws -> SchemaPin {
        if let document = draft.document { return try RecordService.pin(Array(document.utf8)) }
        let builtIn = replica.schemas.builtInSchema.name
        let name = draft.schema ?? builtIn
        if name == builtIn { return replica.schemas.builtInPin }
        let known = try followed().filter { $0.schema.name == name }
            .max { $0.schema.version < $1.schema.version }
        guard let known else { throw APIError.unknownSchema(ShownText.line(name)) }
        return known.pin
    }

    private static func pin(_ document: [UInt8]) throws -> SchemaPin {
        let schema = try loaded(document)
        return SchemaPin(schema: schema.id, version: schema.version, document: document)
    }

    private static func loaded(_ document: [UInt8]) throws -> Schema {
        do {
            return try SchemaLoader.load(document)
        } catch let failure as SchemaLoader.Failure {
            throw APIError(failure)
        }
    }

    /// Every schema that a space of this device follows.
    private func followed() throws -> [(schema: Schema, pin: SchemaPin)] {
        replica.store.ledgers.values.compactMap { ledger in
            replica.schemas.known(ledger.schema).map { ($0, ledger.schema) }
        }
    }

    /// The schemas that are known here, by name and version.
    package func knownSchemas() throws -> [SchemaView] {
        var pins = [replica.schemas.builtInSchema.id: replica.schemas.builtInPin]
        for entry in try followed() { pins[entry.schema.id] = entry.pin }
        return try pins.values.map { try view($0) }
            .sorted { ($0.name, $0.version, $0.id) < ($1.name, $1.version, $1.id) }
    }

    package func schema(ofSpace typed: String) throws -> SchemaView {
        let space = try directory.readable(typed).id
        _ = try replica.requireSchema(of: space)
        guard let pin = replica.store.ledger(of: space)?.schema else {
            throw StoreError.spaceUnknown(space)
        }
        return try view(pin)
    }

    /// Pins another version of a space's schema, for everybody. Only what older records would no longer
    /// fit is refused: new collections and fields, and renames, need nothing.
    package func changeSchema(
        ofSpace typed: String, _ change: SchemaChange
    ) async throws -> SchemaView {
        let space = try directory.shared(typed, as: .space)
        guard let now = replica.store.ledger(of: space.id)?.schema else {
            throw StoreError.spaceUnknown(space.id)
        }
        let document = Array(change.document.utf8)
        let schema = try RecordService.loaded(document)
        guard schema.version > now.version else {
            throw APIError.schemaTooOld(has: Int(now.version), needs: Int(schema.version))
        }
        if let current = replica.schemas.known(now) {
            guard current.name == schema.name else {
                throw APIError.schemaOfAnother(current.name, other: schema.name)
            }
            try RecordService.check(schema, follows: current)
        }
        try spaces.require(.admin, in: space, .changeSchema)
        let pin = SchemaPin(schema: schema.id, version: schema.version, document: document)
        try await replica.pin(pin, in: space.id)
        return try view(pin)
    }

    /// Throws when a field would have values of another type.
    private static func check(_ schema: Schema, follows current: Schema) throws(APIError) {
        for collection in schema.collections {
            let names = [collection.name] + collection.formerNames
            guard let older = names.lazy.compactMap({ current.collection($0) }).first else {
                continue
            }
            try require(older.formerNames + [older.name], among: names, of: collection.name)
            for field in collection.fields {
                let names = [field.name] + field.formerNames
                guard let before = names.lazy.compactMap({ older.field($0) }).first else {
                    continue
                }
                try require(
                    before.formerNames + [before.name], among: names,
                    of: "\(collection.name).\(field.name)")
                guard before.type.isSameKind(as: field.type), before.isLocal == field.isLocal else {
                    throw APIError.schemaChangesType(
                        "\(collection.name).\(field.name)", from: before.phrase, to: field.phrase)
                }
            }
        }
    }

    /// What was written under a name that nobody remembers would no longer be shown.
    private static func require(
        _ earlier: [String], among names: [String], of place: String
    ) throws(APIError) {
        guard earlier.allSatisfy(names.contains) else {
            throw APIError.schemaForgetsName(place, earlier: earlier.filter { $0 != names[0] })
        }
    }

    private func view(_ pin: SchemaPin) throws -> SchemaView {
        let schema = try replica.schemas.schema(pin)
        let builtIn = replica.schemas.builtInPin
        let document = (schema.id == builtIn.schema ? builtIn.document : pin.document) ?? []
        let spaces = try directory.readable().filter { space in
            replica.store.ledger(of: space.id)?.schema.schema == pin.schema
        }
        return SchemaView(
            id: schema.id.description, name: ShownText.line(schema.name),
            version: Int(schema.version), document: String(decoding: document, as: UTF8.self),
            collections: schema.collections.compactMap(SchemaView.Collection.init),
            spaces: spaces.compactMap(\.sharedReference))
    }
}

extension SchemaView.Collection {
    /// Nil for what belongs to no schema of people.
    init?(_ collection: CollectionSchema) {
        guard !Schema.isEverywhere(collection.name) else { return nil }
        self.init(
            name: collection.name, fields: collection.fields.map(SchemaView.Field.init),
            derived: collection.derived.map(\.name))
    }
}

extension SchemaView.Field {
    fileprivate init(_ field: FieldSchema) {
        var element: FieldType?
        if case .set(let type) = field.type { element = type }
        var target: String?
        if case .reference(let collection, _) = element ?? field.type { target = collection }
        self.init(
            name: field.name, type: field.type.word, of: element?.word, to: target,
            strategy: field.strategy.rawValue, required: field.isRequired, local: field.isLocal,
            searched: field.isSearched)
    }
}

extension FieldSchema {
    /// For a sentence: `local text`, `set of text`.
    fileprivate var phrase: String {
        var words = type.word
        if case .set(let element) = type { words += " of \(element.word)" }
        return isLocal ? "local " + words : words
    }
}

extension FieldType {
    /// Whether values of the one can be shown as the other.
    fileprivate func isSameKind(as other: FieldType) -> Bool {
        switch (self, other) {
        case (.set(let one), .set(let other)): one.isSameKind(as: other)
        // Which rule a deletion follows may change; what is referred to may be renamed.
        default: word == other.word
        }
    }
}
