package import LocalAPI
internal import Store
internal import SyncCore

/// The full reset: only when a person says so.
extension DataSetService {
    /// The reset that a set asks for of a space that has it already; nil when there is none.
    func reset(
        of set: DataSet, over marks: [AppliedSets.Mark], in space: SpaceID
    ) throws -> DataSetReport.ResetOffer? {
        // Where nothing of it was applied there is nothing to clear.
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

    /// That a space began with a version of the set that asks for no reset.
    func firstReset(
        of set: DataSet, over marks: [AppliedSets.Mark], _ reader: RecordReader
    ) throws -> [RecordOperation] {
        guard let reset = set.reset, !marks.contains(where: { $0.level == .reset }) else {
            return []
        }
        return [try mark(reset, of: set, reader)]
    }

    private func mark(
        _ reset: DataSet.Reset, of set: DataSet, _ reader: RecordReader
    ) throws -> RecordOperation {
        try AppliedSets.operation(
            try AppliedSet(version: reset.version, rows: [:]), .reset, of: set.name,
            in: reader.space)
    }

    /// Checks what a reset takes before anything is backed up for it. Throws ``APIError``.
    package func checkReset(_ draft: DataSetResetDraft) async throws {
        var preview = draft
        preview.preview = true
        _ = try await reset(preview)
        let space = try directory.readable(draft.space)
        guard draft.confirmed == space.name else {
            throw Sentence.DataSetReset.notConfirmed(space.name)
        }
    }

    /// Takes everything but history out of a space, for everybody, and loads the set again. Throws ``APIError``.
    package func reset(_ draft: DataSetResetDraft) async throws -> DataSetResetReport {
        let (space, set, reader) = try source(path: draft.path, space: draft.space)
        guard let wanted = set.reset else {
            throw Sentence.DataSetReset.noReset(ShownText.line(set.name))
        }
        let (plan, from, marks) = try replica.snapshot {
            let marks = try AppliedSets(reader).all().filter { $0.name == set.name }
            let from = try lastReset(marks, in: space.id)
            guard wanted.version > from else {
                throw Sentence.DataSetReset.wasReset(ShownText.line(set.name), wanted.version)
            }
            let values = DataSetValues(
                set.name, in: space.id, rows: set.levels.map(\.rows.cells), beside: marks)
            let plan = try DataSetResetPlan(
                set, keeping: wanted.keeps, over: marks, values, reader)
            return (plan, from, marks)
        }
        if !draft.preview {
            try await Deeds(replica).write(
                try batches(plan.operations + marksAfter(plan, of: set, wanted, reader)),
                to: space)
            for mark in marks {
                try replica.store.setSetting(
                    DataSetService.setting(set.name, mark.level, in: space.id), to: nil)
            }
        }
        return DataSetResetReport(
            done: !draft.preview, name: ShownText.line(set.name), space: space.reference,
            from: from, to: wanted.version, texts: [wanted.text, wanted.germanText],
            counts: (
                plan.counts(plan.deleted), plan.counts(plan.kept), plan.counts(plan.needed),
                plan.counts(plan.loaded)
            ))
    }

    /// Last, so that a reset that was interrupted is done again.
    private func marksAfter(
        _ plan: DataSetResetPlan, of set: DataSet, _ reset: DataSet.Reset, _ reader: RecordReader
    ) throws -> [RecordOperation] {
        try set.levels.map { level in
            var applied = try AppliedSet(version: level.version, rows: level.rows.cells)
            applied.retired = plan.retired[level.level] ?? [:]
            return try AppliedSets.operation(applied, level.level, of: set.name, in: reader.space)
        } + [try mark(reset, of: set, reader)]
    }
}
