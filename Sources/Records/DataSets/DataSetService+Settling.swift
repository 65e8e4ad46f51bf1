package import LocalAPI
internal import Store
package import SyncCore

/// Versions that were applied separately and have met: the rows are a mixture of them until the higher one is
/// written again, which needs no folder, as the marks have the rows.
extension DataSetService {
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
            let space = try directory.readable().first(where: { $0.id == space })
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
            let due = marks.filter { isDue($0, in: space.id, graph) }
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
            try batches(operations), to: space, with: earlier, isAutomatic: true)
        return DataSetReport(
            done: true, name: set, space: space.reference, levels: steps.map(\.view))
    }

    private func isDue(
        _ mark: AppliedSets.Mark, in space: SpaceID, _ graph: ReversalGraph
    ) -> Bool {
        guard let membership = replica.membership(of: space) else { return false }
        let rule = SettlingRule(
            mark.contents.map { content in
                SettlingRule.Version(
                    by: content.write.log.device, isHighest: mark.counts(content),
                    isByAdmin: membership.isByAdmin(content.write),
                    isOfUndo: graph.isOfUndo(content.write.id.commit),
                    at: Milliseconds(content.write.clock.milliseconds))
            })
        return rule.isDue(on: replica.local.device, at: replica.now) {
            membership.permissions(of: $0).contains(.admin)
        }
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
        return try steps(of: set, over: marks, .init(), reader) {
            $0.contents.last?.applied.version
        }
    }
}

extension Membership {
    /// Whether its author had an admin's grant where it was written.
    fileprivate func isByAdmin(_ write: SurvivingWrite) -> Bool {
        standings.values.contains {
            $0.card.device == write.log.device
                && $0.permissions(at: write.log, write.sequence).contains(.admin)
        }
    }
}
