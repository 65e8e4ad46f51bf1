package import LocalAPI
internal import Store
internal import SyncCore

/// Versioned rows that somebody maintains for a schema: read from a folder, applied to a space.
package struct DataSetService: Sendable {
    let replica: any Replica
    private let files: DataSetFiles
    var directory: SpaceDirectory { SpaceDirectory(replica) }

    package init(_ replica: any Replica, files: DataSetFiles = .onDisk) {
        (self.replica, self.files) = (replica, files)
    }

    // MARK: Reading

    /// Lists every mistake. Throws ``APIError`` when there is no manifest, or its schema is unknown here.
    package func check(_ source: DataSetSource) throws -> DataSetCheck {
        let (reading, set, _) = try read(source)
        return reading.check(set)
    }

    /// The set in a folder, with or without mistakes. `schema` is used for a set whose folder and
    /// surroundings have none. Throws ``APIError``.
    func read(
        _ source: DataSetSource, or known: Schema? = nil
    ) throws -> (reading: DataSetReading, set: DataSet?, schema: Schema?) {
        let space = try source.space.map { try directory.readable($0) }
        var reading = DataSetReading(source.path, files)
        var found: Schema?
        let set = try reading.read(in: space?.id) { name in
            let schema = try schema(name, of: source, in: space, or: known)
            found = schema
            return schema
        }
        return (reading, set, found)
    }

    private func schema(
        _ name: String, of source: DataSetSource, in space: ReadableSpace?, or known: Schema?
    ) throws -> Schema {
        if let space { return try schema(name, of: space) }
        if source.schema != nil || source.document != nil {
            let draft = SpaceDraft(name: "", schema: source.schema, document: source.document)
            return try named(name, try replica.schemas.schema(SchemaDirectory(replica).pin(draft)))
        }
        do {
            return try schema(name, beside: source.path)
        } catch let error as APIError where error.code == .notFound {
            guard let known else { throw error }
            return try named(name, known)
        }
    }

    func schema(_ name: String, of space: ReadableSpace) throws -> Schema {
        try named(name, try replica.requireSchema(of: space.id))
    }

    /// Throws unless the schema has the name that a set requires.
    private func named(_ name: String, _ schema: Schema) throws -> Schema {
        guard schema.name == name else {
            throw APIError(
                code: .conflict,
                sentence: """
                    The data set is for the schema \(Sentence.name(ShownText.line(name))); the \
                    space follows \(Sentence.name(ShownText.line(schema.name))).
                    """,
                hint: "Take another space, or make one: peersync space create --schema FILE NAME")
        }
        return schema
    }

    /// The schema file beside a set, or the built-in schema.
    private func schema(_ name: String, beside folder: String) throws -> Schema {
        if name == replica.schemas.builtInSchema.name { return replica.schemas.builtInSchema }
        guard !name.contains("/"), !name.hasPrefix(".") else {
            throw noSchemaFile(ShownText.line(name))
        }
        for place in ["\(name).yaml", "../\(name).yaml"] {
            do {
                return try SchemaLoader.load(try files.contents(place, folder) { _ in })
            } catch let failure as SchemaLoader.Failure {
                let first = failure.mistakes.first.map(\.description) ?? ""
                throw APIError.badSchema(first: first, count: failure.mistakes.count)
            } catch let error as APIError where error == .noSuchFile(place) {
                continue
            }
        }
        throw noSchemaFile(ShownText.line(name))
    }

    private func noSchemaFile(_ name: String) -> APIError {
        APIError(
            code: .notFound,
            sentence: "The schema \(Sentence.name(name)) is not beside the data set.",
            hint:
                "Put \(Sentence.plain(name)).yaml there, or name a space that follows it: --space SPACE"
        )
    }

    /// The sets applied in a space, or in all. Throws ``APIError``.
    package func list(_ filter: DataSetFilter) throws -> [AppliedSetView] {
        let spaces = try filter.space.map { [try directory.readable($0)] } ?? directory.readable()
        return try replica.snapshot {
            try spaces.flatMap { space -> [AppliedSetView] in
                guard let schema = replica.schema(of: space.id) else { return [] }
                let reader = RecordReader(replica, space.id, schema, isBulk: true)
                let sets = try AppliedSets(reader)
                let known = try sets.known.map {
                    try view($0, among: sets.known, in: space, reader)
                }
                let newer = sets.newer.map {
                    AppliedSetView($0, in: space.reference, by: reader.author(of: $0.write))
                }
                return (known + newer).sorted {
                    ($0.name, $0.level.order) < ($1.name, $1.level.order)
                }
            }
        }
    }

    private func view(
        _ mark: AppliedSets.Mark, among marks: [AppliedSets.Mark], in space: ReadableSpace,
        _ reader: RecordReader
    ) throws -> AppliedSetView {
        let rows = mark.applied.rows
        let values = DataSetValues(mark.name, in: space.id, rows: [rows], beside: marks)
        let retired = Set(values.records(in: mark.applied.retired).map(\.record.description))
        // Compares the applied rows with themselves: only changes by people remain, and retired rows that nothing
        // needs any more.
        let others: [DataSetReport.Row]?
        let beside = marks.filter { $0.name == mark.name && $0.level != mark.level }
        do {
            let elsewhere = beside.reduce(into: Set()) {
                $0.formUnion(values.records(in: $1.applied.rows))
            }
            others = try DataSetPlan(
                DataSet.Rows(cells: rows), over: mark.all, values, .init(joins: true), reader,
                after: .init(elsewhere: elsewhere)
            ).rows
        } catch let failure where failure is DataSetValues.BrokenReference || failure is APIError {
            // The schema has other types by now: its rows cannot be compared.
            others = nil
        }
        return AppliedSetView(
            space: space.reference, name: mark.name, level: mark.level,
            version: mark.applied.version, takenFor: try takenFor(mark, in: space.id),
            by: reader.author(of: mark.write), at: Moment(mark.write.clock),
            rows: rows.values.reduce(0) { $0 + $1.count }, contested: mark.isContested,
            others: others?.filter { row in
                !row.kind.isChange || row.kind == .conflicting || row.kind == .joined
                    || row.kind == .removed && retired.contains(row.record.id)
            })
    }

    // MARK: Applying

    /// Applies all newer versions, as one change if it fits. If nobody asked for it, `isAutomatic`, a row that is
    /// there and a record of its name that came later stay two. Throws ``APIError``, also for a preview of a set that
    /// cannot be applied.
    package func apply(
        _ draft: DataSetDraft, isAutomatic: Bool = false
    ) async throws -> DataSetReport {
        let (space, set, reader) = try source(path: draft.path, space: draft.space)
        let (steps, offer, first) = try replica.snapshot {
            let marks = try AppliedSets(reader).marks(of: set.name)
            return (
                try self.steps(
                    of: set, over: marks,
                    .init(theirs: draft.theirs, missing: draft.missing, joins: !isAutomatic), reader
                ) { try takenFor($0, in: space.id) },
                try reset(of: set, over: marks, in: space.id),
                try firstReset(of: set, over: marks, reader)
            )
        }
        let operations =
            steps.flatMap(\.operations) + steps.compactMap(\.mark) + (offer == nil ? first : [])
        // A preview must report that it is too large, too.
        let batches = try batches(operations)
        if !draft.preview {
            try await Deeds(replica).write(batches, to: space, isAutomatic: isAutomatic)
            for step in steps where step.mark != nil {
                try replica.store.settings.set(
                    DataSetService.setting(set.name, step.level, in: space.id), to: nil)
            }
        }
        return DataSetReport(
            done: !draft.preview, name: ShownText.line(set.name), space: space.reference,
            levels: steps.map(\.view), reset: offer)
    }

    /// A set without mistakes, and its space. If `isWritten` is false, the person need not be an admin, and
    /// the space must be a shared one. Throws ``APIError``.
    func source(
        path: String, space typed: String, isWritten: Bool = true
    ) throws -> (space: ReadableSpace, set: DataSet, reader: RecordReader) {
        let space =
            isWritten
            ? try directory.readable(typed)
            : try directory.readable(typed, among: .shared, as: .space)
        guard !isWritten || replica.permissions(in: space.id).contains(.admin) else {
            throw APIError(
                code: .notAllowed,
                sentence:
                    "Only an admin of \(Sentence.name(space.name)) can apply a data set to it.",
                hint: SpaceErrors.asking(for: .admin, in: space.name, space.noun))
        }
        let schema = try replica.requireSchema(of: space.id)
        var reading = DataSetReading(path, files)
        let read = try reading.read(in: space.id) { try self.schema($0, of: space) }
        guard let set = read, reading.mistakes.isEmpty else {
            throw Sentence.DataSet.hasMistakes(reading.check(read))
        }
        return (space, set, RecordReader(replica, space.id, schema, isBulk: true))
    }

    /// In the order of the levels; samples are planned first, as they may refer to rows that leave. `takenFor` is the
    /// version from which a level is raised; nil for the applied one.
    func steps(
        of set: DataSet, over marks: [AppliedSets.Mark], _ wishes: DataSetPlan.Wishes,
        _ reader: RecordReader, takenFor: (AppliedSets.Mark) throws -> Int?
    ) throws -> [DataSetStep] {
        let values = set.values(in: reader.space, beside: marks)
        var planned = DataSetPlan.Planned()
        var steps: [DataSetStep] = []
        for level in set.levels.reversed() {
            planned.elsewhere = set.rows(beside: level.level, over: marks, values)
            let step = try DataSetStep(
                level, values, over: marks.first { $0.level == level.level }, wishes, reader,
                after: planned, takenFor: takenFor)
            planned = step.planned
            steps.insert(step, at: 0)
        }
        return steps
    }

    /// Marks come last: without them the set counts as not applied, and can be applied again.
    func batches(_ operations: [RecordOperation]) throws -> RecordBatches {
        try RecordBatches(operations, tooLarge: DataSetErrors.tooLarge)
    }

    // MARK: Trying again

    /// Makes this device treat a lower version as the applied one. Throws ``APIError``.
    package func setVersion(_ draft: DataSetVersionDraft) throws -> AppliedSetView {
        let space = try directory.readable(draft.space)
        let schema = try replica.requireSchema(of: space.id)
        let reader = RecordReader(replica, space.id, schema, isBulk: true)
        let sets = try AppliedSets(reader)
        func isMeant(_ name: String, _ level: DataSetLevel) -> Bool {
            level == draft.level && (draft.name.map { $0 == name } ?? true)
        }
        if let newer = sets.newer.first(where: { isMeant($0.name, $0.level) }) {
            throw DataSetErrors.newer(newer.name)
        }
        let marks = sets.known.filter { isMeant($0.name, $0.level) }
        guard let mark = marks.first else {
            throw APIError(
                code: .notFound,
                sentence: """
                    No data set was applied to \(Sentence.name(space.name)) with \
                    \(draft.level.rawValue).
                    """,
                hint: "What was applied: peersync dataset status")
        }
        guard marks.count == 1 else {
            throw APIError(
                code: .badInput, sentence: "The space has several data sets.",
                hint: """
                    Name one with --set: \
                    \(marks.map(\.name).map { Sentence.quoted($0) }.joined(separator: ", "))
                    """)
        }
        guard (0...mark.applied.version).contains(draft.version) else {
            throw APIError(
                code: .badInput, sentence: "That is no version from 0 to \(mark.applied.version).",
                hint: "Only an earlier version can be set: applying raises it again.")
        }
        try replica.store.settings.set(
            DataSetService.setting(mark.name, mark.level, in: space.id),
            to: draft.version == mark.applied.version ? nil : String(draft.version))
        return try view(mark, among: sets.known, in: space, reader)
    }

    /// The version that this device treats as applied; nil where that is the applied one.
    func takenFor(_ mark: AppliedSets.Mark, in space: SpaceID) throws -> Int? {
        let key = DataSetService.setting(mark.name, mark.level, in: space)
        return try replica.store.settings.value(of: key).flatMap { Int($0) }
            .flatMap { $0 < mark.applied.version ? $0 : nil }
    }

    static func setting(_ set: String, _ level: DataSetLevel, in space: SpaceID) -> String {
        "dataset.\(space).\(level.rawValue).\(set)"
    }
}

extension DataSet {
    /// The rows that the other levels have: of the set, or of a version that stays applied.
    fileprivate func rows(
        beside level: DataSetLevel, over marks: [AppliedSets.Mark], _ values: DataSetValues
    ) -> Set<RecordKey> {
        let applied = marks.filter { mark in
            !levels.contains { $0.level == mark.level && $0.version >= mark.applied.version }
        }.map { ($0.level, $0.applied.rows) }
        let all = levels.map { ($0.level, $0.rows.cells) } + applied
        return all.filter { $0.0 != level }.reduce(into: []) {
            $0.formUnion(values.records(in: $1.1))
        }
    }
}
