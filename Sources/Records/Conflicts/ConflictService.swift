package import LocalAPI
internal import Store
internal import SyncCore

/// Simultaneous changes that somebody should decide about; a decision is an ordinary write.
///
/// Stateless, like ``RecordService``.
package struct ConflictService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    private var records: RecordService { RecordService(replica) }

    /// In one space, or everywhere.
    package func conflicts(_ scope: ScopeFilter) throws -> [ConflictView] {
        let open = try open(in: scope.trip)
        let short = ShortIDs(open.map(\.conflict.id))
        return try open.map { try ConflictViews($0.reader).view($0.conflict, short) }
    }

    /// The number of records that somebody should decide about.
    package func recordCount() throws -> Int {
        try records.directory.readable().reduce(0) {
            try $0 + replica.store.records.conflicts(of: $1.id).count
        }
    }

    package func resolve(
        _ typed: String, _ decision: ConflictDecision
    ) async throws -> ResolvedConflict {
        let (conflict, reader) = try find(typed)
        let view = try ConflictViews(reader).view(conflict, ShortIDs([]))
        let changes = try await changes(conflict, decision, reader)
        try await records.writer.write(changes, to: conflict.space, .decide)
        guard let state = try replica.store.records.record(conflict.key, of: conflict.space.id)
        else {
            throw APIError.unknown(.conflict, ShownText.line(typed))
        }
        let now = OpenConflict(
            space: conflict.space, key: conflict.key, field: conflict.field,
            fieldSchema: conflict.fieldSchema, state: state)
        let after = RecordReader(replica, conflict.space.id, reader.schema)
        return ResolvedConflict(conflict: view, shown: try ConflictViews(after).shown(now))
    }

    // Not inlined, for the same reason as Lookup.find.
    @inline(never)
    private func find(_ typed: String) throws -> (conflict: OpenConflict, reader: RecordReader) {
        try Lookup.find(typed, .conflict, among: try open(in: nil)) { open in
            Lookup.Entry(id: open.conflict.id, name: "")
        }
    }

    /// All open conflicts, by space, then by record.
    private func open(
        in typed: String?
    ) throws -> [(conflict: OpenConflict, reader: RecordReader)] {
        let directory = records.directory
        let spaces =
            try typed.map { [try directory.readable($0, among: .withDeleted)] }
            ?? directory.readable(.withDeleted)
        return try spaces.flatMap { space -> [(conflict: OpenConflict, reader: RecordReader)] in
            guard let schema = replica.schema(of: space.id) else { return [] }
            let reader = RecordReader(replica, space.id, schema)
            if let deleted = space.known, deleted.deletion != nil {
                let key = schema.titleRecord(in: space.id)
                guard let state = try reader.state(key) else { return [] }
                let work = try UnseenChanges(records.replica).byDevice(in: deleted)
                return OpenConflict.ofDeleted(space, key, state, work).map { [($0, reader)] } ?? []
            }
            return try replica.store.records.conflicts(of: space.id).flatMap { key in
                try reader.state(key).map { state in
                    OpenConflict.all(
                        key, state, under: schema.collection(key.collection), in: space)
                } ?? []
            }.map { ($0, reader) }
        }
    }

    // MARK: Deciding

    private func changes(
        _ conflict: OpenConflict, _ decision: ConflictDecision, _ reader: RecordReader
    ) async throws -> ChangeSet {
        let given = [decision.take != nil, decision.value != nil, decision.merge]
        guard given.count(where: \.self) == 1 else { throw APIError.oneDecision }
        if conflict.isDeletion {
            return ChangeSet(operations: try deletion(conflict, decision, reader))
        }
        let survivors = conflict.writes.map(\.write)
        // A person without the right is told so before minutes of copying.
        let precedence = try precedence(over: survivors, in: conflict.space.id)
        let (wanted, file) = try await value(conflict, decision, reader)
        let type = conflict.fieldSchema?.type
        // A migration may have given the field another type since somebody wrote this. Without an equivalent it stays.
        let value = type.flatMap { ValueConversion.all([wanted], to: $0)?.first } ?? wanted
        // One value of a field that a migration made a set meanwhile is put into the set.
        let isElement = type?.isSet == true
        var writes = [
            Write(
                field: conflict.field, value: isElement ? .null : value,
                replaces: survivors.map(\.id), precedence: precedence)
        ]
        if isElement, value != .null {
            writes.append(
                Write(
                    field: conflict.field, element: value, value: .boolean(true),
                    precedence: precedence))
        }
        return ChangeSet(
            blobs: [file].compactMap(\.self), operations: [RecordOperation(conflict.key, writes)])
    }

    /// The value to write; with its file, if that is new.
    private func value(
        _ conflict: OpenConflict, _ decision: ConflictDecision, _ reader: RecordReader
    ) async throws -> (Value, NamedBlob?) {
        if let number = decision.take {
            let choices = conflict.choices
            guard choices.indices.contains(number - 1) else {
                throw noSuchValue(number, of: choices.count)
            }
            return (choices[number - 1].write.value, nil)
        }
        if let given = decision.value {
            let place = try records.place(conflict.space, conflict.key.collection)
            let values = RecordValues(records, place, reader)
            let field = try values.field(conflict.field)
            let given = try given.read(as: field.type, of: field.name)
            guard field.type.isBlob, given != .null else {
                return (try values.value(given, of: field), nil)
            }
            let file = try await values.file(try values.path(given, of: field), of: field)
            return (.blob(file.blob), file)
        }
        guard let merged = conflict.state.merged[conflict.field] else {
            throw APIError(
                code: .badInput, sentence: "These values cannot be put together.",
                hint: "Take one with --take, or write another one with --value.")
        }
        return (merged.value, nil)
    }

    private func deletion(
        _ conflict: OpenConflict, _ decision: ConflictDecision, _ reader: RecordReader
    ) throws -> [RecordOperation] {
        guard let number = decision.take else {
            throw APIError(
                code: .badInput, sentence: "Whether something is deleted is decided with --take.",
                hint: "--take 1 keeps it deleted; another number brings it back.")
        }
        let count = conflict.choices.count
        guard (1...max(count, 1)).contains(number) else {
            throw noSuchValue(number, of: count)
        }
        if number == 1 { return [RecordOperation(conflict.key, [.deletion(true)])] }
        return try reader.restored(with: conflict.key).map {
            RecordOperation($0, [.deletion(false)])
        }
    }

    /// The precedence of the values to decide between; throws when this device may not write with it.
    private func precedence(
        over writes: [SurvivingWrite], in space: SpaceID
    ) throws -> UInt32 {
        let highest = writes.map(\.precedence).max() ?? 0
        guard highest > Precedence.user.rawValue else { return Precedence.user.rawValue }
        guard replica.precedence(in: space) >= highest else { throw APIError.outranked }
        return highest
    }
}

private func noSuchValue(_ number: Int, of count: Int) -> APIError {
    APIError(
        code: .badInput, sentence: "There is no value \(number): there are \(count).",
        hint: "See them: peersync conflicts")
}
