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
        return try records.directory.readable().filter(\.isTrip).filter {
            $0.known?.isActive == true && older.contains($0.id)
        }.map(\.id)
    }

    /// A higher version of the schema that a space follows, and the current one, if that is known here. `mayBeSame`
    /// allows the one that it follows.
    private func another(
        _ typed: String, _ text: String, mayBeSame: Bool = false
    ) throws -> (space: ReadableSpace, pin: SchemaPin, schema: Schema, current: Schema?) {
        let space = try records.directory.readable(typed, among: .shared, as: .space)
        guard let now = replica.store.ledger(of: space.id)?.schema else {
            throw StoreError.spaceUnknown(space.id)
        }
        let document = Array(text.utf8)
        let schema = try SchemaDirectory.loaded(document)
        guard schema.version > now.version || mayBeSame && schema.id == now.schema else {
            throw notHigher(schema, than: now.version)
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

    private func notHigher(_ schema: Schema, than version: UInt32) -> APIError {
        APIError(
            code: .conflict,
            sentence:
                "The space follows version \(Int(version)) of its schema; this is version \(Int(schema.version)).",
            hint: "Raise `version` in the file: the highest one is followed everywhere.")
    }

    /// Changes a space to another version of its schema, for everybody, after converting the values as far
    /// as possible: other values stay unchanged, and are listed. With `preview`, only reports. With the version that
    /// the space follows, finishes a migration that stopped in the middle, on whichever device.
    package func migrate(
        ofSpace typed: String, _ draft: SchemaMigrationDraft
    ) async throws -> SchemaMigrationReport {
        let (space, pin, schema, current) = try another(typed, draft.document, mayBeSame: true)
        if replica.store.ledger(of: space.id)?.schema.schema == schema.id {
            if !draft.preview { try records.writer.require(.admin, in: space, .changeSchema) }
            guard let report = try await finish(schema, in: space, preview: draft.preview) else {
                throw notHigher(schema, than: schema.version)
            }
            return report
        }
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
    /// stays. The migration is noted before that, and the next start ends the old values.
    private func carryOut(
        _ plan: SchemaMigrationPlan, _ pin: SchemaPin, in space: ReadableSpace
    ) async throws {
        let converted = try RecordBatches(plan.operations)
        let ended = try RecordBatches(plan.endings)
        let all = converted.records.union(ended.records)
        try await Deeds(replica).together(in: space.id, writingTo: all) {
            try await converted.write(to: space, by: records.writer)
            let unfinished = Unfinished(space: space.id, pin.schema)
            if !plan.endings.isEmpty { try note(unfinished) }
            try await replica.pin(pin, in: space.id)
            try await ended.write(to: space, by: records.writer)
            if !plan.endings.isEmpty { try forget(unfinished) }
        }
    }

    // MARK: Finishing

    /// A migration of this device that may have stopped after its pin.
    private struct Unfinished: Codable, Equatable {
        let space: String
        let schema: String

        init(space: SpaceID, _ schema: SchemaID) {
            (self.space, self.schema) = (space.description, hexadecimal(schema.bytes))
        }
    }

    /// The setting that keeps them.
    package static let unfinishedSetting = "schema.unfinished"
    private let unfinished = StoredList<Unfinished>(key: Self.unfinishedSetting)

    private func note(_ migration: Unfinished) throws {
        try unfinished.change(in: replica.store) { $0.filter { $0 != migration } + [migration] }
    }

    private func forget(_ migration: Unfinished) throws {
        try unfinished.change(in: replica.store) { $0.filter { $0 != migration } }
    }

    /// Finishes the migrations of this device that stopped after their pin. One that stopped before it is left to a
    /// person, as one that follows another version by now. Returns a report of each. Throws what the store throws.
    package func finishAll() async throws -> [SchemaMigrationReport] {
        var reports: [SchemaMigrationReport] = []
        for migration in try unfinished.all(in: replica.store) {
            if let id = SpaceID(hexadecimal: migration.space),
                let schema = replica.schema(of: id),
                hexadecimal(schema.id.bytes) == migration.schema,
                replica.permissions(in: id).contains(.admin),
                let space = try records.directory.readable().first(where: { $0.id == id }),
                let report = try await finish(schema, in: space, isAutomatic: true)
            {
                reports.append(report)
            }
            try forget(migration)
        }
        return reports
    }

    /// Ends the values that a migration to this version, which the space follows, left under the old types; nil for none.
    private func finish(
        _ schema: Schema, in space: ReadableSpace, preview: Bool = false,
        isAutomatic: Bool = false
    ) async throws -> SchemaMigrationReport? {
        let reader = RecordReader(replica, space.id, schema, isBulk: true)
        let plan = try replica.snapshot { try SchemaMigrationPlan(finishing: schema, reader) }
        guard !plan.endings.isEmpty else { return nil }
        if !preview {
            try await Deeds(replica).write(
                RecordBatches(plan.endings), to: space, isAutomatic: isAutomatic)
        }
        let version = Int(schema.version)
        return SchemaMigrationReport(
            done: !preview, space: space.reference, versions: (version, version), changes: [],
            converted: plan.converted, left: [])
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
