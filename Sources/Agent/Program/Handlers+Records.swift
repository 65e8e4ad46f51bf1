import LocalAPI
import Records

extension LocalAgent {
    mutating func addRecordHandlers() {
        let records = RecordService(runtime.node)
        let check = SpaceCheckService(runtime.node)
        let conflicts = ConflictService(runtime.node)
        let changes = ChangeService(runtime.node)
        let search = SearchService(runtime.node)
        let history = HistoryService(runtime.node)
        let undo = UndoService(runtime.node)
        let dataSets = DataSetService(runtime.node)
        reading(\.spaces.list) { _, _ in try records.spaces.spaces() }
        reading(\.spaces.deleted) { _, _ in try records.spaces.deleted() }
        reading(\.changes.list) { try changes.changes($1) }
        on(\.changes.look) { _, look in
            try changes.look(look)
            return look
        }
        on(\.spaces.create) { try await records.createSpace($1) }
        reading(\.spaces.schema) { space, _ in try records.schema(ofSpace: space) }
        on(\.spaces.changeSchema) { try await records.changeSchema(ofSpace: $0, $1) }
        reading(\.spaces.standing) { try records.status(ofSpace: $0, $1) }
        on(\.spaces.check) { space, _ in try check.check(space) }
        reading(\.schemas.list) { _, _ in try records.knownSchemas() }
        reading(\.schemas.show) { name, _ in
            try records.knownSchemas().last { $0.name == name } ?? records.schema(ofSpace: name)
        }
        reading(\.records.list) { try records.list($1) }
        reading(\.records.history) { try history.history($0, $1) }
        on(\.changes.undo) { try await undo.undo($1) }
        on(\.changes.redo) { try await undo.redo($1) }
        reading(\.records.search) { try search.search($1) }
        on(\.records.add) { try await records.addRecord($1) }
        on(\.records.addBatch) { try await records.addRecords($1) }
        reading(\.records.show) { try records.record($0, $1) }
        on(\.records.change) { try await records.changeRecord($0, $1) }
        on(\.records.delete) { try await records.deleteRecord($0, $1) }
        on(\.records.restore) { try await records.restoreRecord($0, $1) }
        on(\.records.export) { try await records.export($0, $1) }
        on(\.schemas.checkSet) { try dataSets.check($1) }
        reading(\.schemas.appliedSets) { try dataSets.list($1) }
        on(\.schemas.applySet) { try await dataSets.apply($1) }
        on(\.schemas.takeVersion) { try dataSets.setVersion($1) }
        reading(\.conflicts.list) { try conflicts.conflicts($1) }
        on(\.conflicts.resolve) { try await conflicts.resolve($0, $1) }
    }
}
