package import LocalAPI
internal import Store
internal import SyncCore

/// The full reset, which happens only when a person asks for it.
extension DataSetService {
    /// The reset that a set requires of a space that has it already; nil when there is none.
    func reset(
        of set: DataSet, over marks: [AppliedSets.Mark], in space: SpaceID
    ) throws -> DataSetReport.ResetOffer? {
        // Where the set was never applied there is nothing to clear.
        guard let reset = set.reset, marks.contains(where: { $0.level != .reset }) else {
            return nil
        }
        let from = try lastReset(marks, in: space)
        guard reset.version > from else { return nil }
        return DataSetReport.ResetOffer(
            from: from, to: reset.version, text: reset.text, germanText: reset.germanText)
    }

    private func lastReset(_ marks: [AppliedSets.Mark], in space: SpaceID) throws -> Int {
        guard let mark = marks.first(where: { $0.level == .reset }) else { return 0 }
        return try takenFor(mark, in: space) ?? mark.applied.version
    }

    /// Records that a space began with a version that requires no reset.
    func firstReset(
        of set: DataSet, over marks: [AppliedSets.Mark], _ reader: RecordReader
    ) throws -> [RecordOperation] {
        guard let reset = set.reset, !marks.contains(where: { $0.level == .reset }) else {
            return []
        }
        // A space that a reset is still making gets this mark, which has no content yet, from the reset.
        let key = Schema.applied(DataSetLevel.reset.rawValue, of: set.name, in: reader.space)
        let state = try reader.state(key)
        guard state?.isDeleted ?? true || state?.fields[Schema.AppliedSet.content] != nil else {
            return []
        }
        return [try mark(reset, of: set, in: reader.space)]
    }

    /// Marks a reset as done.
    func mark(
        _ reset: DataSet.Reset, of set: DataSet, in space: SpaceID
    ) throws -> RecordOperation {
        try AppliedSets.operation(
            try AppliedSet(version: reset.version, rows: [:]), .reset, of: set.name, in: space)
    }

    /// Checks everything that could stop a reset, before a backup is made for it. Throws ``APIError``.
    package func checkReset(_ draft: DataSetResetDraft) async throws {
        var preview = draft
        preview.preview = true
        _ = try await reset(preview)
        let space = try directory.readable(draft.space)
        guard draft.confirmed == space.name else {
            throw APIError(
                code: .badInput,
                sentence: "That is not the name of the space. Nothing was changed.",
                hint: "In a script: --confirm \(Sentence.quoted(space.name))")
        }
    }

    /// A reset that a set requires.
    struct RaisedReset {
        let to: DataSet.Reset
        /// The version of the last reset; 0 for none.
        let from: Int
        /// The applied versions of the set.
        let marks: [AppliedSets.Mark]
    }

    /// Throws ``APIError`` where the set requires none, or it was done.
    func raisedReset(
        of set: DataSet, in space: SpaceID, _ reader: RecordReader
    ) throws -> RaisedReset {
        guard let reset = set.reset else {
            throw APIError(
                code: .badInput,
                sentence: "\(Sentence.name(ShownText.line(set.name))) asks for no full reset.",
                hint: "Bring its rows up to date: peersync dataset apply FOLDER --space SPACE")
        }
        let marks = try AppliedSets(reader).marks(of: set.name)
        let from = try lastReset(marks, in: space)
        guard reset.version > from else {
            throw APIError(
                code: .conflict,
                sentence:
                    "The space was reset to version \(reset.version) of \(Sentence.name(ShownText.line(set.name))) already.",
                hint: "To do it again: peersync dataset set-version SPACE reset 0")
        }
        return RaisedReset(to: reset, from: from, marks: marks)
    }

    /// Removes everything except history from a space and loads the set again: for everybody, or for this
    /// person alone in a new space. Throws ``APIError``.
    package func reset(_ draft: DataSetResetDraft) async throws -> DataSetResetReport {
        try await draft.here ? resetHere(draft) : resetForEverybody(draft)
    }

    private func resetForEverybody(
        _ draft: DataSetResetDraft
    ) async throws -> DataSetResetReport {
        let meter = ProgressMeter(.reading)
        let (space, set, reader) = try source(path: draft.path, space: draft.space)
        let (raised, plan) = try replica.snapshot {
            let raised = try raisedReset(of: set, in: space.id, reader)
            let values = set.values(in: space.id, beside: raised.marks)
            let plan = try DataSetResetPlan(
                set, keeping: raised.to.keeps, over: raised.marks, values, reader)
            return (raised, plan)
        }
        if !draft.preview {
            meter.begin(.saving)
            // The mark of the reset comes last, so that an interrupted one is repeated.
            let marks =
                try marks(of: set, retired: plan.retired, in: space.id)
                + [try mark(raised.to, of: set, in: space.id)]
            try await Deeds(replica).write(try batches(plan.operations + marks), to: space)
            for mark in raised.marks {
                try replica.store.settings.set(
                    DataSetService.setting(set.name, mark.level, in: space.id), to: nil)
            }
        }
        return report(
            draft, set, space, raised, plan.history, deleted: plan.deleted, reader.schema)
    }

    /// The report of a reset that was done or previewed.
    func report(
        _ draft: DataSetResetDraft, _ set: DataSet, _ space: ReadableSpace, _ raised: RaisedReset,
        _ history: KeptHistory, deleted: [String: Int], _ schema: Schema
    ) -> DataSetResetReport {
        func counts(_ counts: [String: Int]) -> [DataSetResetReport.Count] {
            DataSetResetReport.Count.all(counts, schema)
        }
        return DataSetResetReport(
            done: !draft.preview, name: ShownText.line(set.name), space: space.reference,
            from: raised.from, to: raised.to.version,
            texts: [raised.to.text, raised.to.germanText],
            counts: (
                counts(deleted), counts(history.kept), counts(history.needed),
                counts(set.rowCounts)
            ))
    }

    /// The operations that mark the levels as applied.
    func marks(
        of set: DataSet, retired: [DataSetLevel: DataSetRows], in space: SpaceID
    ) throws -> [RecordOperation] {
        try set.levels.map { level in
            var applied = try AppliedSet(version: level.version, rows: level.rows.cells)
            applied.retired = retired[level.level] ?? [:]
            return try AppliedSets.operation(applied, level.level, of: set.name, in: space)
        }
    }
}
