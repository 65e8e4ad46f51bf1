package import LocalAPI
internal import Store
internal import SyncCore

/// The schemas that are known here, and the spaces that follow them.
package struct SchemaDirectory: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    private var directory: SpaceDirectory { SpaceDirectory(replica) }

    func pin(_ draft: SpaceDraft) throws -> SchemaPin {
        if let document = draft.document { return try Self.pin(Array(document.utf8)) }
        let builtIn = replica.schemas.builtInSchema.name
        let name = draft.schema ?? builtIn
        if name == builtIn { return replica.schemas.builtInPin }
        let known = try followed().filter { $0.schema.name == name }
            .max { $0.schema.version < $1.schema.version }
        guard let known else {
            throw APIError(
                code: .notFound,
                sentence: "There is no schema called \(Sentence.name(ShownText.line(name))).",
                hint: "Give a file, or see what there is: peersync schema show")
        }
        return known.pin
    }

    private static func pin(_ document: [UInt8]) throws -> SchemaPin {
        let schema = try loaded(document)
        return SchemaPin(schema: schema.id, version: schema.version, document: document)
    }

    static func loaded(_ document: [UInt8]) throws -> Schema {
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
    package func known() throws -> [SchemaView] {
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

    func view(_ pin: SchemaPin) throws -> SchemaView {
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
    /// Nil for a collection that no person's schema defines.
    init?(_ collection: CollectionSchema) {
        guard !Schema.isEverywhere(collection.name) else { return nil }
        self.init(
            name: collection.name, fields: collection.fields.map(SchemaView.Field.init),
            derived: collection.derived.map(\.name), finishedBy: collection.finishedBy)
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
