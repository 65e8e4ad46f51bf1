package import LocalAPI
internal import Store
package import SyncCore

/// Versions that were applied separately and have met: the rows are a mixture of them until the higher one is
/// written again, which needs no folder, as the marks have the rows.
package struct DataSetSettling: Sendable {
    private let service: DataSetService
    private var replica: any Replica { service.replica }

    package init(_ replica: any Replica) { service = DataSetService(replica) }

    /// Writes the higher versions in a space where ``SettlingRule`` says so; `note` receives the result for each
    /// set. Of a full reset only the mark is written. Throws what the store throws.
    package func settle(
        in space: SpaceID, _ note: @Sendable (Result<DataSetReport, APIError>) -> Void
    ) async throws {
        guard let schema = replica.schema(of: space) else { return }
        let contested = try replica.snapshot {
            try AppliedSets(RecordReader(replica, space, schema)).known.filter(\.isContested)
        }
        guard !contested.isEmpty,
            let space = try service.directory.readable().first(where: { $0.id == space })
        else { return }
        for set in Set(contested.map(\.name)).sorted() {
            do {
                if let report = try await settle(set, in: space, schema) { note(.success(report)) }
            } catch {
                note(.failure(replica.sentence(for: error)))
            }
        }
    }

    /// Nil if this device has nothing to do.
    private func settle(
        _ set: String, in space: ReadableSpace, _ schema: Schema
    ) async throws -> DataSetReport? {
        let reader = RecordReader(replica, space.id, schema, isBulk: true)
        let graph = ReversalGraph(try replica.store.reversals.all())
        let (due, steps) = try replica.snapshot {
            let marks = try AppliedSets(reader).marks(of: set)
            let due = try marks.filter { try isDue($0, graph, reader) }
            return (due, try self.steps(for: due, among: marks, reader))
        }
        guard !due.isEmpty else { return nil }
        // It is undone together with the version that it confirms.
        let own = due.flatMap(\.contents).map(\.write).filter {
            $0.log.device == replica.local.device
        }
        let earlier = own.reduce(into: Set()) { $0.formUnion(graph.deed(of: $1.id.commit)) }
        let operations = steps.flatMap(\.operations) + steps.compactMap(\.mark)
        try await Deeds(replica).write(
            try service.batches(operations), to: space, with: earlier, isAutomatic: true)
        return DataSetReport(
            done: true, name: set, space: space.reference, levels: steps.map(\.view))
    }

    private func isDue(
        _ mark: AppliedSets.Mark, _ graph: ReversalGraph, _ reader: RecordReader
    ) throws -> Bool {
        guard mark.isContested, let membership = replica.membership(of: reader.space),
            // A device with an older schema would write a part of the rows only.
            reader.schema.has(mark.applied.rows)
        else { return false }
        let replaced = try replaced(by: mark, in: reader.space)
        let rule = SettlingRule(
            try mark.contents.map { content in
                let (write, log) = (content.write, replica.store.log)
                return SettlingRule.Version(
                    by: write.log.device, isHighest: mark.counts(content),
                    isReplaced: replaced.contains(write.id),
                    isOfUndo: graph.isOfUndo(write.id.commit), precedence: write.precedence,
                    received: try log.arrival(of: write.id.commit)?.receivedAt ?? replica.now)
            })
        return rule.isDue(
            on: replica.local.device, writing: reader.precedence, at: replica.now
        ) { membership.permissions(of: $0).contains(.admin) }
    }

    /// The contents that this device replaced when it wrote the higher version.
    private func replaced(
        by mark: AppliedSets.Mark, in space: SpaceID
    ) throws -> Set<WriteID> {
        let key = Schema.applied(mark.level.rawValue, of: mark.name, in: space)
        let own = mark.contents.filter {
            mark.counts($0) && $0.write.log.device == replica.local.device
        }
        let commits = try own.flatMap {
            try replica.store.past.commits(beginning: $0.write.id.commit.description)
        }
        return commits.flatMap(\.commit.operations).filter { $0.record == key.record }
            .flatMap(\.writes).filter { $0.field == Schema.AppliedSet.content }
            .reduce(into: []) { $0.formUnion($1.replaces ?? []) }
    }

    /// The writes that applying the higher versions from their folder would make.
    private func steps(
        for due: [AppliedSets.Mark], among marks: [AppliedSets.Mark], _ reader: RecordReader
    ) throws -> [DataSetStep] {
        guard let first = due.first else { return [] }
        let levels = due.map { mark in
            DataSet.Level(
                level: mark.level, version: mark.applied.version, text: nil, germanText: nil,
                files: [], rows: DataSet.Rows(cells: mark.applied.rows))
        }
        let set = DataSet(
            name: first.name, schema: reader.schema.name, levels: levels, reset: nil)
        return try service.steps(of: set, over: marks, .init(settles: true), reader) {
            $0.contents.last?.applied.version
        }
    }
}

extension Schema {
    /// Whether it has all collections and fields that rows name.
    fileprivate func has(_ rows: DataSetRows) -> Bool {
        rows.allSatisfy { name, rows in
            guard let collection = ownCollections.first(where: { $0.name == name }) else {
                return rows.isEmpty
            }
            let fields = Set(collection.fields.map(\.name))
            return rows.values.allSatisfy { fields.isSuperset(of: $0.keys) }
        }
    }
}
