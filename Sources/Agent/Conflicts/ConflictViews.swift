import LocalAPI
import Store
import SyncCore

/// Conflicts in words.
struct ConflictViews {
    let journal: JournalService
    let trips: ShortIDs

    func view(_ conflict: OpenConflict, _ short: ShortIDs) throws -> ConflictView {
        let shown = register(conflict)
        let record = conflict.key.record.description
        return ConflictView(
            id: conflict.id, shortID: short[conflict.id],
            trip: conflict.trip.map { journal.trips.reference($0, trips) },
            collection: ShownText.line(conflict.key.collection),
            record: Reference(
                id: record, shortID: ShortIDs([])[record],
                name: name(of: conflict.key, conflict.state, in: conflict.space)),
            field: conflict.isDeletion ? nil : ShownText.line(conflict.field),
            rule: rule(conflict), shown: try self.shown(conflict),
            values: try conflict.choices.map { field, write in
                try value(field, write, of: conflict, isShown: write.value == shown?.value)
            })
    }

    /// What a conflict's field shows, as text.
    func shown(_ conflict: OpenConflict) throws -> String {
        if conflict.isDeletion {
            return conflict.state.isDeleted
                ? Sentence.Conflicts.deleted : Sentence.Conflicts.restored
        }
        return try register(conflict).map { try text(of: $0.value, in: conflict.space) } ?? ""
    }

    private func register(_ conflict: OpenConflict) -> ShownRegister? {
        let strategy = conflict.fieldSchema?.strategy ?? .lastWrite
        return conflict.state.fields[conflict.field].flatMap {
            strategy.shown($0, merged: conflict.state.merged[conflict.field])
        }
    }

    private func rule(_ conflict: OpenConflict) -> ConflictView.Rule {
        if conflict.isDeletion { return .deletion }
        return switch conflict.fieldSchema?.strategy ?? .lastWrite {
        case .lastWrite, .union: .lastWrite
        case .longest: .longest
        case .mostAccurate: .mostAccurate
        case .userChoice: .userChoice
        case .mergeText: conflict.state.merged[conflict.field] == nil ? .unmerged : .mergeText
        }
    }

    private func value(
        _ field: String, _ write: SurvivingWrite, of conflict: OpenConflict, isShown: Bool
    ) throws -> ConflictView.Value {
        let isExistence = field == Write.existence
        let deletes = write.value == .boolean(true)
        let text =
            isExistence
            ? (deletes ? Sentence.Conflicts.deleted : Sentence.Conflicts.restored)
            : try self.text(of: write.value, in: conflict.space)
        return ConflictView.Value(
            field: conflict.isDeletion && !isExistence ? ShownText.line(field) : nil, text: text,
            author: author(write, in: conflict.space), device: journal.reference(write.log.device),
            written: Moment(write.clock),
            isShown: conflict.isDeletion
                ? isExistence && deletes == conflict.state.isDeleted : isShown)
    }

    private func author(_ write: SurvivingWrite, in space: SpaceID) -> Reference {
        let device = write.log.device
        let card = journal.replica.membership(of: space)?.card(of: device)
        return card.map { journal.reference($0.person) } ?? journal.reference(device)
    }

    // MARK: Words

    /// What people call a record: the first of its searched texts, or of its texts at all.
    private func name(of key: RecordKey, _ state: RecordState, in space: SpaceID) -> String {
        guard let schema = journal.replica.schema(of: space),
            let record = schema.shown(state, in: key.collection)
        else { return "" }
        let fields = schema.collection(key.collection)?.fields.filter { $0.type == .text } ?? []
        let texts = (fields.filter(\.isSearched) + fields).compactMap { field in
            record.value(field.name)?.text.map(ShownText.line)
        }
        return texts.first { !$0.isEmpty } ?? ""
    }

    private func text(of value: Value, in space: SpaceID) throws -> String {
        switch value {
        case .null: ""
        case .text(let text), .json(let text): ShownText.lines(text)
        case .decimal(let digits): ShownText.line(digits)
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .time(let time): Moment(time).map(MemoryViews.text) ?? ""
        case .position(let position): ConflictViews.text(of: position)
        case .reference(let record): try text(of: record, in: space)
        case .blob(let blob): ShortIDs([])[blob.description]
        case .unknown: ""
        }
    }

    private static func text(of value: PositionValue) -> String {
        guard let position = Position(value) else { return "" }
        let radius = position.radius.map { " (\u{B1} \($0) m)" } ?? ""
        return "\(position.latitude), \(position.longitude)\(radius)"
    }

    /// The name of a record that is referred to, in whichever collection it is.
    private func text(of record: RecordID, in space: SpaceID) throws -> String {
        for collection in journal.replica.schema(of: space)?.collections ?? [] {
            let key = RecordKey(collection: collection.name, record: record)
            guard let state = try journal.replica.store.record(key, of: space) else { continue }
            let name = name(of: key, state, in: space)
            if !name.isEmpty { return name }
        }
        return ShortIDs([])[record.description]
    }
}
