package import LocalAPI
internal import Store
package import SyncCore

/// Changes the schema versions of spaces.
package struct SchemaChangeService: Sendable {
    private let replica: any Replica
    private let records: RecordService

    package init(_ replica: any Replica) {
        self.replica = replica
        records = RecordService(replica)
    }

    /// Pins another version of a space's schema, for everybody. Refuses only changes that older records
    /// would not fit: new collections and fields, and renames, are fine.
    package func change(
        ofSpace typed: String, _ change: SchemaChange
    ) async throws -> SchemaView {
        let (space, pin, schema, current) = try another(typed, change.document)
        if let current {
            let comparison = SchemaComparison(current, schema)
            if let mistake = comparison.forgotten ?? comparison.retyped.first?.mistake {
                throw mistake
            }
        }
        try records.writer.require(.admin, in: space, .changeSchema)
        try await replica.pin(pin, in: space.id)
        return try SchemaDirectory(replica).view(pin)
    }

    /// Upgrades a trip to this program's version of the journal, for everybody: adds fields, and nothing
    /// that older programs would show differently.
    package func upgrade(ofTrip typed: String) async throws -> SchemaView {
        let trip = try records.directory.trip(typed)
        guard isOlder(trip.id) else {
            throw APIError(
                code: .conflict,
                sentence: "\(Sentence.name(trip.name)) has all fields that this program knows.")
        }
        try records.writer.require(.admin, in: trip, .changeSchema)
        try await replica.pin(replica.schemas.builtInPin, in: trip.id)
        return try SchemaDirectory(replica).view(replica.schemas.builtInPin)
    }

    /// Whether a space follows an older version of a schema than this program has.
    private func isOlder(_ space: SpaceID) -> Bool {
        guard let now = replica.store.ledger(of: space)?.schema,
            let name = replica.schemas.known(now)?.name
        else { return false }
        return name == replica.schemas.builtInSchema.name
            && now.version < replica.schemas.builtInPin.version
    }

    /// The trips among some spaces that this person may upgrade.
    package func upgradable(of spaces: [SpaceID]) throws -> [SpaceID] {
        // Usually there are none, and then names are not read.
        let older = spaces.filter {
            $0 != replica.local.homeSpace && isOlder($0)
                && replica.permissions(in: $0).contains(.admin)
        }
        guard !older.isEmpty else { return [] }
        return try records.directory.readableTrips().filter {
            $0.known?.isActive == true && older.contains($0.id)
        }.map(\.id)
    }

    /// A higher version of the schema that a space follows, and the current one, if that is known here.
    private func another(
        _ typed: String, _ text: String
    ) throws -> (space: ReadableSpace, pin: SchemaPin, schema: Schema, current: Schema?) {
        let space = try records.directory.shared(typed, as: .space)
        guard let now = replica.store.ledger(of: space.id)?.schema else {
            throw StoreError.spaceUnknown(space.id)
        }
        let document = Array(text.utf8)
        let schema = try SchemaDirectory.loaded(document)
        guard schema.version > now.version else {
            throw APIError(
                code: .conflict,
                sentence:
                    "The space follows version \(Int(now.version)) of its schema; this is version \(Int(schema.version)).",
                hint: "Raise `version` in the file: the highest one is followed everywhere.")
        }
        let current = replica.schemas.known(now)
        if let current, current.name != schema.name {
            throw APIError(
                code: .conflict,
                sentence: """
                    The space follows \(Sentence.name(current.name)); this is \
                    \(Sentence.name(schema.name)).
                    """,
                hint: "A changed schema keeps its `name`.")
        }
        let pin = SchemaPin(schema: schema.id, version: schema.version, document: document)
        return (space, pin, schema, current)
    }

    /// Changes a space to another version of its schema, for everybody, after converting the values as far
    /// as possible: other values stay unchanged, and are listed. With `preview`, only reports.
    package func migrate(
        ofSpace typed: String, _ draft: SchemaMigrationDraft
    ) async throws -> SchemaMigrationReport {
        let (space, pin, schema, current) = try another(typed, draft.document)
        let old = try current ?? replica.requireSchema(of: space.id)
        let comparison = SchemaComparison(old, schema)
        if let mistake = comparison.forgotten { throw mistake }
        if !draft.preview { try records.writer.require(.admin, in: space, .changeSchema) }
        // A value of one device alone is in no log, and not for others.
        let moved = comparison.retyped.first { $0.before.isLocal != $0.after.isLocal }
        if let moved { throw moved.mistake }
        let reader = RecordReader(replica, space.id, old, isBulk: true)
        let plan = try replica.snapshot { try SchemaMigrationPlan(comparison, reader) }
        if !draft.preview {
            try await carryOut(plan, pin, in: space)
            try await convertUnfinished(in: space.id, under: schema)
        }
        return SchemaMigrationReport(
            done: !draft.preview, space: space.reference,
            versions: (Int(old.version), Int(schema.version)), changes: comparison.changes,
            converted: plan.converted, left: plan.left)
    }

    /// All of it is one deed. A pin is never part of a group (Protocol.md, Groups), so another device may get the
    /// converted values without it, or this one may stop between: until the pin is there, what the old type shows
    /// stays.
    private func carryOut(
        _ plan: SchemaMigrationPlan, _ pin: SchemaPin, in space: ReadableSpace
    ) async throws {
        let converted = try RecordBatches(plan.operations)
        let ended = try RecordBatches(plan.endings)
        let all = converted.records.union(ended.records)
        try await Deeds(replica).together(in: space.id, writingTo: all) {
            try await converted.write(to: space, by: records.writer)
            try await replica.pin(pin, in: space.id)
            try await ended.write(to: space, by: records.writer)
        }
    }

    /// Converts the records that are in no log yet. Those of other devices, and one that changes right now, are converted
    /// with their next change.
    private func convertUnfinished(in space: SpaceID, under schema: Schema) async throws {
        let before = try replica.store.unfinished.all(in: space)
        let after = before.compactMap { key, state -> (RecordKey, RecordState?)? in
            let new = schema.collection(key.collection).map { state.converted(to: $0) }
            return new == nil || new == state ? nil : (key, new)
        }
        guard !after.isEmpty else { return }
        let states = Dictionary(after) { first, _ in first }
        do {
            try await replica.store.offloaded {
                try $0.unfinished.keep(
                    states, insteadOf: before.filter { states[$0.key] != nil }, in: space)
            }
        } catch StoreError.unfinishedChanged {
            return
        }
    }
}
