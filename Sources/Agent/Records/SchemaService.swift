import LocalAPI
import Store
import SyncCore

/// Schemas, and the spaces that follow them.
extension RecordService {
    /// Makes a space; a document is pinned in its first commit and travels with it.
    func createSpace(_ draft: SpaceDraft) async throws -> TripView {
        let pin = try pin(draft)
        let schema = try replica.schemas.schema(pin)
        if schema.id == replica.schemas.journal.id {
            return try await journal.createTrip(TripDraft(name: draft.name))
        }
        let name = try InputCheck.name(draft.name, .spaceName)
        let replica = replica
        let space: SpaceID
        do {
            space = try await replica.createSpace(.shared, following: pin) { space in
                let title = schema.titleRecord(in: space)
                return [
                    RecordOperation(
                        collection: title.collection, record: title.record,
                        writes: [
                            Write(field: JournalSchema.Field.name, value: .text(name))
                        ])
                ] + replica.profileOperations(in: space)
            }
        } catch AgentError.notInitialised {
            throw APIError.notInitialised
        }
        return try journal.view(of: space, called: name)
    }

    private func pin(_ draft: SpaceDraft) throws -> SchemaPin {
        if let document = draft.document { return try RecordService.pin(Array(document.utf8)) }
        let name = draft.schema ?? Schema.journalName
        if name == Schema.journalName { return replica.schemas.journalPin }
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
    func knownSchemas() throws -> [SchemaView] {
        var pins = [replica.schemas.journal.id: replica.schemas.journalPin]
        for entry in try followed() { pins[entry.schema.id] = entry.pin }
        return try pins.values.map { try view($0) }
            .sorted { ($0.name, $0.version, $0.id) < ($1.name, $1.version, $1.id) }
    }

    func schema(ofSpace typed: String) throws -> SchemaView {
        let (space, _, _) = try space(typed)
        _ = try replica.requireSchema(of: space)
        guard let pin = replica.store.ledger(of: space)?.schema else {
            throw AgentError.spaceUnknown
        }
        return try view(pin)
    }

    /// Pins another version of a space's schema, for everybody. Only what older records would no longer
    /// fit is refused: new collections and fields, and renames, need nothing.
    func changeSchema(ofSpace typed: String, _ change: SchemaChange) async throws -> SchemaView {
        let known = try journal.trips.findReadable(typed, as: .space)
        guard let now = replica.store.ledger(of: known.space)?.schema else {
            throw AgentError.spaceUnknown
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
        try journal.require(.admin, in: known, .changeSchema)
        let pin = SchemaPin(schema: schema.id, version: schema.version, document: document)
        try await replica.append(to: known.space) { _ in
            .init(clear: ClearPart(schema: pin), operations: [])
        }
        return try view(pin)
    }

    /// Throws when a field would have values of another type.
    private static func check(_ schema: Schema, follows current: Schema) throws(APIError) {
        for collection in schema.collections {
            let names = [collection.name] + collection.formerNames
            guard let older = names.lazy.compactMap({ current.collection($0) }).first else {
                continue
            }
            try require(
                older.formerNames + [older.name], among: names, of: collection.name)
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
        let document =
            schema.id == replica.schemas.journal.id
            ? SchemaLoader.journalDocument : pin.document ?? []
        let short = try journal.trips.shortIDs()
        let spaces = try journal.trips.readable().filter {
            replica.store.ledger(of: $0.space)?.schema.schema == pin.schema
        }
        return SchemaView(
            id: schema.id.description, name: ShownText.line(schema.name),
            version: Int(schema.version), document: String(decoding: document, as: UTF8.self),
            collections: schema.ownCollections.map { collection in
                SchemaView.Collection(
                    name: collection.name, fields: collection.fields.map(SchemaView.Field.init),
                    derived: collection.derived.map(\.name))
            }, spaces: spaces.map { journal.trips.reference($0, short) })
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
