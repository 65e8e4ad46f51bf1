internal import LocalAPI
internal import SyncCore

/// The update of one level to another version.
struct DataSetStep {
    let level: DataSetLevel
    let operations: [RecordOperation]
    /// Includes the writes of earlier levels.
    let planned: DataSetPlan.Planned
    /// Marks the level as applied; nil where nothing is to be done.
    let mark: RecordOperation?
    let view: DataSetReport.Level

    init(
        _ level: DataSet.Level, _ values: DataSetValues, over known: AppliedSets.Mark?,
        _ wishes: DataSetPlan.Wishes, _ reader: RecordReader, after planned: DataSetPlan.Planned,
        takenFor: (AppliedSets.Mark) throws -> Int?
    ) throws {
        self.level = level.level
        var next = try AppliedSet(version: level.version, rows: level.rows.cells)
        let applied = known?.applied.version ?? 0
        if let known, known.applied.version == next.version, known.applied.digest != next.digest {
            throw APIError(
                code: .conflict,
                sentence: """
                    Version \(next.version) of \(Sentence.name(ShownText.line(values.set))), \
                    \(level.level.rawValue), was applied with other rows.
                    """,
                hint: """
                    A version that was given away does not change: raise the number in dataset.yaml.
                    """)
        }
        let before = try known.flatMap { try takenFor($0) } ?? applied
        let isRaised =
            next.version > before && next.version >= applied
            || next.version == applied && (known?.isContested ?? false)
        let wantsMore = (wishes.theirs || wishes.missing) && next.version == applied
        var wishes = wishes
        wishes.loadsOnly = !isRaised && !wantsMore
        guard next.version >= applied else {
            view = DataSetReport.Level(
                level: level.level, outcome: .lower, from: applied, to: next.version,
                text: nil, germanText: nil, counts: [], rows: [])
            (operations, mark, self.planned) = ([], nil, planned)
            return
        }
        let plan = try DataSetPlan(
            level.rows, over: known?.all, values, wishes, reader, after: planned)
        self.planned = plan.planned
        next.retired = wishes.loadsOnly ? known?.applied.retired ?? [:] : plan.retired
        operations = plan.operations
        mark =
            isRaised || !plan.operations.isEmpty
            ? try AppliedSets.operation(
                next, level.level, of: values.set, in: reader.space, over: known,
                upTo: reader.precedence) : nil
        let outcome: DataSetReport.Outcome =
            isRaised ? .update : wishes.loadsOnly && plan.loads ? .load : .same
        view = DataSetReport.Level(
            level: level.level, outcome: outcome, from: before, to: next.version,
            text: level.text, germanText: level.germanText, counts: plan.counts,
            rows: plan.rows.filter { $0.kind != .added })
    }
}
