internal import LocalAPI
internal import Store
internal import SyncCore

/// The full reset for one person: they continue in a new space, and the old one stays unchanged.
///
/// From its first commit on, the new space names its origin and, in a mark without content, the data set
/// that makes it. The mark gets its content last, so that the same command continues an interrupted reset.
extension DataSetService {
    func resetHere(_ draft: DataSetResetDraft) async throws -> DataSetResetReport {
        let (old, set, reader) = try source(
            path: draft.path, space: draft.space, isWritten: false)
        let name = try InputCheck.name(draft.name ?? old.name, .spaceName)
        // The longer, temporary name must fit, too.
        _ = try InputCheck.name(Self.making(name), .spaceName)
        let (raised, plan) = try replica.snapshot {
            let raised = try raisedReset(of: set, in: old.id, reader)
            let values = set.values(in: old.id, beside: raised.marks)
            let plan = try DataSetCopyPlan(
                set, keeping: raised.to.keeps, over: raised.marks, values, reader, of: old)
            return (raised, plan)
        }
        // In an unencrypted space the file is the same one, and needs no room.
        if isEncrypted(old.id) {
            try replica.requireRoom(for: plan.files.reduce(0) { $0 + $1.size })
        }
        let begun = try begun(from: old.id, by: set, raised.to)
        var made: Reference?
        if !draft.preview {
            let space: ReadableSpace
            if let begun { space = begun } else { space = try await begin(old, name, set, reader) }
            do {
                try await finish(space, called: name, set, raised, plan, reader.schema)
            } catch {
                throw Self.notFinished(space.reference, because: replica.sentence(for: error))
            }
            made = try directory.readable(space.id.description).reference
        }
        var report = report(draft, set, old, raised, plan.history, deleted: [:], reader.schema)
        report.newSpace = DataSetResetReport.NewSpace(
            name: name, space: made,
            left: DataSetResetReport.Count.all(plan.left, reader.schema))
        return report
    }

    private func isEncrypted(_ space: SpaceID) -> Bool {
        replica.membership(of: space)?.isEncrypted ?? false
    }

    // MARK: The new space

    /// The space of an unfinished reset by this person. Throws ``APIError`` when there is a finished one.
    private func begun(
        from old: SpaceID, by set: DataSet, _ reset: DataSet.Reset
    ) throws -> ReadableSpace? {
        for space in try directory.readable() where space.known != nil {
            guard let schema = replica.schema(of: space.id) else { continue }
            let reader = RecordReader(replica, space.id, schema)
            let origin = try reader.state(Schema.origin(of: nil, in: space.id))
            guard let source = origin?.fields[Schema.Origin.source]?.latest,
                source.value == .text(old.description), replica.isOwn(reader.author(of: source)),
                try reader.state(
                    Schema.applied(DataSetLevel.reset.rawValue, of: set.name, in: space.id)) != nil
            else { continue }
            let mark = try AppliedSets(reader).marks(of: set.name).first { $0.level == .reset }
            guard let mark else { return space }
            // A space from a reset to an earlier version is a space like others.
            guard mark.applied.version < reset.version else {
                throw APIError(
                    code: .conflict,
                    sentence:
                        "You go on in \(Sentence.name(space.reference.name)) (\(space.reference.shortID)) already.",
                    hint:
                        "To begin again, delete that one first: peersync space delete \(space.reference.shortID)"
                )
            }
        }
        return nil
    }

    private func begin(
        _ old: ReadableSpace, _ name: String, _ set: DataSet, _ reader: RecordReader
    ) async throws -> ReadableSpace {
        guard let pin = replica.store.ledger(of: old.id)?.schema else {
            throw StoreError.spaceUnknown(old.id)
        }
        let source = Write(field: Schema.Origin.source, value: .text(old.id.description))
        let made = try await SpaceService(replica).create(
            following: pin, name: Self.making(name), .spaceName,
            isEncrypted: isEncrypted(old.id)
        ) { space in
            [
                RecordOperation(Schema.origin(of: nil, in: space), [source]),
                AppliedSets.begun(.reset, of: set.name, in: space),
            ]
        }
        return try directory.readable(made.id)
    }

    /// Writes what is still missing: the rows of the set, then the copied records, and in a last commit the
    /// name and the mark that it is finished.
    private func finish(
        _ space: ReadableSpace, called name: String, _ set: DataSet, _ raised: RaisedReset,
        _ plan: DataSetCopyPlan, _ schema: Schema
    ) async throws {
        let meter = ProgressMeter(.adding, plan.files)
        let files = try await replica.copyFiles(plan.files, to: space.id, meter)
        meter.begin(.saving)
        let reader = RecordReader(replica, space.id, schema, isBulk: true)
        let values = set.values(in: space.id, beside: raised.marks)
        let copying = plan.copying(to: space.id, values, files, replica)
        let batches = try replica.snapshot { () throws -> RecordBatches in
            var batches = try self.batches(try set.wholeRows(values, reader))
            try add(plan.records, by: copying, to: &batches, reader)
            for mark in try marks(of: set, retired: plan.retired, in: space.id) {
                guard batches.add(mark, []) else { throw DataSetErrors.tooLarge }
            }
            return batches
        }
        let profile = plan.profile.compactMap { field, value in
            copying.mapped(value, field.type).map { (field.name, $0) }
        }
        let last =
            try end([("name", .text(name))] + profile, reader) + [
                try mark(raised.to, of: set, in: space.id)
            ]
        let written = batches.parts.flatMap { $0.draft.operations } + last
        try await Deeds(replica).together(
            in: space.id, writingTo: Set(written.map { $0.record })
        ) {
            try await batches.write(to: space, by: SpaceWriter(replica))
            let local = plan.local(by: copying)
            try await replica.store.offloaded { try $0.records.setLocalValues(local, in: space.id) }
            try await SpaceWriter(replica).write(
                ChangeSet(operations: last), to: space, .changeRecords)
        }
    }

    /// Records that an interrupted reset has copied already stay unchanged.
    private func add(
        _ records: [CopiedRecord], by copying: RecordCopying, to batches: inout RecordBatches,
        _ reader: RecordReader
    ) throws {
        for record in records {
            let entry = try copying.entry(record, reader)
            guard entry?.state.isDeleted ?? true else { continue }
            guard copying.add(record, to: &batches, restoring: entry != nil) else {
                throw APIError.requestTooLarge
            }
        }
    }

    /// The fields of the space's record, and its mark.
    private func end(
        _ wanted: [(field: String, value: Value)], _ reader: RecordReader
    ) throws -> [RecordOperation] {
        let title = reader.schema.titleRecord(in: reader.space)
        let writes = try FieldWrites.writes(
            wanted, over: try reader.entry(title)?.record, seen: nil)
        return [
            RecordOperation(title, writes),
            RecordOperation(
                Schema.origin(of: nil, in: reader.space),
                [Write(field: Schema.Origin.written, value: .time(Moment(replica.now).value))]),
        ].filter { !$0.writes.isEmpty }
    }

    /// The name of an unfinished space.
    private static func making(_ name: String) -> String { tr("\(name) (being made)") }

    private static func notFinished(_ space: Reference, because reason: APIError) -> APIError {
        APIError(
            code: reason.code,
            sentence: """
                The new space (\(space.shortID)) is there in part only; the old one is as it was. \
                \(reason.message)
                """, hint: "Give the same command again: it goes on where this one stopped.")
    }
}
