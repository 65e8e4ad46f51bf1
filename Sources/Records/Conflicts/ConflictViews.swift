package import LocalAPI
package import SyncCore

/// Conflicts in words.
struct ConflictViews {
    private let reader: RecordReader

    init(_ reader: RecordReader) { self.reader = reader }

    func view(_ conflict: OpenConflict, _ short: ShortIDs) throws -> ConflictView {
        ConflictView(
            id: conflict.id, shortID: short[conflict.id],
            trip: conflict.space.sharedReference,
            collection: ShownText.line(conflict.key.collection),
            record: Reference(
                conflict.key.record, name: name(of: conflict.key, conflict.state)),
            field: conflict.isDeletion ? nil : ShownText.line(conflict.field),
            rule: rule(conflict), shown: try shown(conflict), values: try values(of: conflict))
    }

    func values(of conflict: OpenConflict) throws -> [ConflictView.Value] {
        let shown = register(conflict)?.value
        return try conflict.choices.map { field, write in
            try value(field, write, of: conflict, isShown: write.value == shown)
        }
    }

    /// The shown value of the conflict's field, as text.
    func shown(_ conflict: OpenConflict) throws -> String {
        if conflict.isDeletion {
            return conflict.state.isDeleted
                ? Sentence.Conflicts.deleted : Sentence.Conflicts.restored
        }
        return try register(conflict).map { try reader.text(of: $0.value) } ?? ""
    }

    private func register(_ conflict: OpenConflict) -> ShownRegister? {
        conflict.state.shown(
            conflict.field, by: conflict.fieldSchema?.strategy ?? .lastWrite)
    }

    private func rule(_ conflict: OpenConflict) -> ConflictView.Rule {
        if conflict.isDeletion { return conflict.isOfSpace ? .spaceDeletion : .deletion }
        return ConflictView.Rule(
            conflict.fieldSchema?.strategy ?? .lastWrite,
            isMerged: conflict.state.merged[conflict.field] != nil)
    }

    private func value(
        _ field: String, _ write: SurvivingWrite, of conflict: OpenConflict, isShown: Bool
    ) throws -> ConflictView.Value {
        let isTouch = conflict.isTouch(write)
        let isWork = isTouch || conflict.work.contains { $0.id == write.id }
        let isExistence = field == Write.existence && !isWork
        let deletes = write.value == .boolean(true)
        let text =
            if isExistence {
                deletes ? Sentence.Conflicts.deleted : Sentence.Conflicts.restored
            } else if isTouch {
                try WrittenParts(reader).text(of: write, in: conflict)
            } else {
                try element(of: field, write, conflict) ?? reader.text(of: write.value)
            }
        var view = ConflictView.Value(
            field: conflict.isDeletion && !isExistence && !isWork ? ShownText.line(field) : nil,
            text: text,
            author: reader.author(of: write), device: reader.replica.reference(write.log.device),
            written: Moment(write.clock),
            isShown: conflict.isDeletion
                ? isExistence && deletes == conflict.state.isDeleted : isShown)
        if isRefused(conflict, deletes: isExistence && deletes) { view.refused = true }
        return view
    }

    /// The element that a write put into a set, or took out of it; nil for a write of a value.
    private func element(
        of field: String, _ write: SurvivingWrite, _ conflict: OpenConflict
    ) throws -> String? {
        let found = conflict.state.sets[field]?.first { _, register in
            register.writes.contains { $0.id == write.id }
        }
        guard let element = found?.key else { return nil }
        let name = try reader.text(of: element)
        return write.value.boolean == true ? name : tr("without \(Sentence.name(name))")
    }

    /// Whether this person may not decide so. Every value but a deletion keeps the record, or restores it.
    private func isRefused(_ conflict: OpenConflict, deletes: Bool) -> Bool {
        let local = reader.replica.local
        let decision = RecordOperation(conflict.key, [.deletion(deletes)])
        let required =
            conflict.isDeletion
            ? requiredFlags(of: [decision], in: reader.space, by: local.person)
            : requiredFlags(toDecide: conflict.key, in: reader.space)
        return !reader.replica.permissions(in: reader.space).isSuperset(of: required)
    }

    // MARK: Words

    private func name(of key: RecordKey, _ state: RecordState) -> String {
        reader.schema.shown(state, in: key.collection).map {
            reader.title($0, in: key.collection)
        } ?? ""
    }
}

extension ConflictView.Rule {
    /// The rule by which a strategy chooses between simultaneous values.
    init(_ strategy: MergeStrategy, isMerged: Bool) {
        self =
            switch strategy {
            case .lastWrite, .union: .lastWrite
            case .longest: .longest
            case .mostAccurate: .mostAccurate
            case .userChoice: .userChoice
            case .mergeText: isMerged ? .mergeText : .unmerged
            }
    }
}

extension RecordReader {
    /// The open conflicts of a record: by field, or `deleted`. The shown value comes first, then the
    /// others, the latest before.
    package func conflicts(
        of entry: ShownEntry, in collection: CollectionSchema, of space: ReadableSpace
    ) throws -> [FieldConflict] {
        let key = RecordKey(collection: collection.name, record: entry.id)
        let open = OpenConflict.all(key, entry.state, under: collection, in: space)
        return try open.map { conflict in
            let values = try ConflictViews(self).values(of: conflict)
            return FieldConflict(
                field: conflict.isDeletion ? "deleted" : ShownText.line(conflict.field),
                values: values.filter(\.isShown) + values.reversed().filter { !$0.isShown })
        }
    }
}
