import LocalAPI
import Store
import SyncCore

/// What people wrote at once and somebody should decide; deciding is an ordinary write.
///
/// Stateless, as ``JournalService`` is.
struct ConflictService: Sendable {
    let journal: JournalService

    private var replica: AgentNode { journal.replica }

    func conflicts(_ scope: ScopeFilter) async throws -> [ConflictView] {
        let open = try open(in: scope.trip)
        let short = ShortIDs(open.map(\.id))
        let views = ConflictViews(journal: journal, trips: try journal.trips.shortIDs())
        return try open.map { try views.view($0, short) }
    }

    /// Records about which somebody should decide.
    func recordCount() throws -> Int {
        try journal.trips.readablePlaces().reduce(0) {
            try $0 + replica.store.conflicts(of: $1.space).count
        }
    }

    func resolve(
        _ typed: String, _ decision: ConflictDecision
    ) async throws -> ResolvedConflict {
        let conflict = try find(typed)
        let views = ConflictViews(journal: journal, trips: try journal.trips.shortIDs())
        let view = try views.view(conflict, ShortIDs([]))
        let draft = try await draft(conflict, decision)
        if let trip = conflict.trip {
            try await journal.write(draft, to: trip, .decide)
        } else {
            try await journal.writeHome(draft)
        }
        guard let state = try replica.store.record(conflict.key, of: conflict.space) else {
            throw APIError.unknown(.conflict, ShownText.line(typed))
        }
        let now = OpenConflict(
            space: conflict.space, trip: conflict.trip, key: conflict.key, field: conflict.field,
            fieldSchema: conflict.fieldSchema, state: state)
        return ResolvedConflict(conflict: view, shown: try views.shown(now))
    }

    // As Lookup.find, which it calls.
    @inline(never)
    private func find(_ typed: String) throws -> OpenConflict {
        try Lookup.find(typed, .conflict, among: try open(in: nil)) { conflict in
            Lookup.Entry(id: conflict.id, name: "")
        }
    }

    /// Everything open, by place, then by record.
    private func open(in trip: String?) throws -> [OpenConflict] {
        try journal.trips.readablePlaces(trip, as: .space).flatMap {
            space, trip -> [OpenConflict] in
            guard let schema = replica.schema(of: space) else { return [] }
            return try replica.store.conflicts(of: space).flatMap { key -> [OpenConflict] in
                guard let state = try replica.store.record(key, of: space) else { return [] }
                return OpenConflict.all(
                    key, state, under: schema.collection(key.collection), in: space, trip)
            }
        }
    }

    // MARK: Deciding

    private func draft(
        _ conflict: OpenConflict, _ decision: ConflictDecision
    ) async throws -> ChangeSet {
        let given = [decision.take != nil, decision.value != nil, decision.merge]
        guard given.count(where: \.self) == 1 else { throw APIError.oneDecision }
        if conflict.isDeletion {
            return ChangeSet(operations: try deletion(conflict, decision))
        }
        let survivors = conflict.writes.map(\.write)
        // Who may not decide is told so before minutes of copying.
        let precedence = try precedence(over: survivors, in: conflict.space)
        let (value, file) = try await value(conflict, decision)
        let write = Write(
            field: conflict.field, value: value, replaces: survivors.map(\.id),
            precedence: precedence)
        return ChangeSet(
            blobs: [file].compactMap(\.self), operations: [operation(conflict.key, write)])
    }

    /// The value to write; with the file that it names, if it is a new one.
    private func value(
        _ conflict: OpenConflict, _ decision: ConflictDecision
    ) async throws -> (Value, NamedBlob?) {
        if let number = decision.take {
            let choices = conflict.choices
            guard choices.indices.contains(number - 1) else {
                throw APIError.noSuchValue(number, of: choices.count)
            }
            return (choices[number - 1].write.value, nil)
        }
        if let given = decision.value {
            let values = try values(for: conflict)
            let field = try values.field(conflict.field)
            let given = try given.read(as: field.type, of: field.name)
            guard field.type.isBlob, given != .null else {
                return (try values.value(given, of: field), nil)
            }
            let file = try await values.file(try values.path(given, of: field), of: field)
            return (.blob(file.blob), file)
        }
        guard let merged = conflict.state.merged[conflict.field] else {
            throw APIError.nothingMerged
        }
        return (merged.value, nil)
    }

    private func values(for conflict: OpenConflict) throws -> RecordValues {
        let records = RecordService(replica: replica)
        let place = try records.place(
            conflict.trip == nil ? "home" : conflict.space.description, conflict.key.collection)
        return RecordValues(records, place, records.reader(place))
    }

    private func deletion(
        _ conflict: OpenConflict, _ decision: ConflictDecision
    ) throws -> [RecordOperation] {
        guard let number = decision.take else { throw APIError.onlyTake }
        let count = conflict.choices.count
        guard (1...max(count, 1)).contains(number) else {
            throw APIError.noSuchValue(number, of: count)
        }
        if number == 1 { return [operation(conflict.key, .deletion(true))] }
        // What went with the record, its photos say, comes back with it.
        var keys: Set<RecordKey> = [conflict.key]
        for write in conflict.state.fields[Write.existence]?.writes ?? []
        where write.value == .boolean(true) {
            keys.formUnion(try replica.store.deletions(by: write.id.commit, in: conflict.space))
        }
        return keys.sorted().map { operation($0, .deletion(false)) }
    }

    /// As high as the values that are decided about; throws when this device may not write so.
    private func precedence(
        over writes: [SurvivingWrite], in space: SpaceID
    ) throws -> UInt32 {
        let highest = writes.map(\.precedence).max() ?? 0
        guard highest > Precedence.user.rawValue else { return Precedence.user.rawValue }
        let membership = replica.membership(of: space)
        let grant = membership?.writingGrant(of: replica.identity.deviceID)
        let allowed = grant.flatMap { membership?.standings[$0]?.precedence } ?? 0
        guard allowed >= highest else { throw APIError.outranked }
        return highest
    }

    private func operation(_ key: RecordKey, _ write: Write) -> RecordOperation {
        RecordOperation(collection: key.collection, record: key.record, writes: [write])
    }
}
