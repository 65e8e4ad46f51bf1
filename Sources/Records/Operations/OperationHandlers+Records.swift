internal import LocalAPI

extension OperationHandlers {
    /// Adds the functions of records, spaces, changes, schemas and data sets.
    package mutating func addRecordHandlers() {
        let records = RecordService(replica)
        let spaces = SpaceService(replica)
        let check = SpaceCheckService(replica)
        let conflicts = ConflictService(replica)
        let search = SearchService(replica)
        let history = HistoryService(replica)
        reading(\.spaces.list, telling: .sync) { _, _ in try spaces.spaces(withLeft: true) }
        reading(\.spaces.deleted, telling: .sync) { _, _ in try spaces.deleted() }
        let bin = BinService(replica)
        reading(\.spaces.bin) { try bin.items($1) }
        on(\.spaces.restoreFromBin) { try await bin.restore($0, $1) }
        on(\.spaces.create) { try await spaces.createSpace($1) }
        reading(\.spaces.standing, telling: .sync) { try records.status(ofSpace: $0, $1) }
        reading(\.spaces.check, telling: .syncAndFiles) { space, _ in try check.check(space) }
        reading(\.records.list, telling: .syncAndFiles) { try records.list($1) }
        reading(\.records.history) { try history.history($0, $1) }
        on(\.records.search) { [replica] _, query in
            try await search.prepare()
            return try replica.snapshot { try search.search(query) }
        }
        on(\.records.add) { try await records.addRecord($1) }
        on(\.records.addBatch) { try await records.addRecords($1) }
        reading(\.records.show, telling: .syncAndFiles) { try records.record($0, $1) }
        on(\.records.change) { try await records.changeRecord($0, $1) }
        on(\.records.delete) { try await records.deleteRecord($0, $1) }
        on(\.records.restore) { try await records.restoreRecord($0, $1) }
        on(\.records.export) { try await records.export($0, $1) }
        reading(\.conflicts.list) { try conflicts.conflicts($1) }
        on(\.conflicts.resolve) { try await conflicts.resolve($0, $1) }
        addChangeHandlers()
        addSchemaHandlers()
        addDataSetHandlers()
    }

    private mutating func addChangeHandlers() {
        let changes = ChangeService(replica)
        let undo = UndoService(replica)
        let marks = MomentMarks(replica)
        reading(\.changes.list) { try changes.changes($1) }
        on(\.changes.undo) { try await undo.undo($1) }
        on(\.changes.redo) { try await undo.redo($1) }
        reading(\.changes.marks) { _, _ in try marks.all() }
        on(\.changes.mark) { try marks.mark($1) }
        reading(\.changes.moment) { name, _ in try marks.find(name) }
        on(\.changes.unmark) { name, _ in try marks.remove(name) }
        on(\.changes.look) { _, look in
            try changes.look(look)
            return look
        }
    }

    private mutating func addSchemaHandlers() {
        let schemas = SchemaDirectory(replica)
        let changes = SchemaChangeService(replica)
        reading(\.spaces.schema) { space, _ in try schemas.schema(ofSpace: space) }
        on(\.spaces.changeSchema) { try await changes.change(ofSpace: $0, $1) }
        reading(\.schemas.list) { _, _ in try schemas.known() }
        reading(\.schemas.show) { name, _ in
            try schemas.known().last { $0.name == name } ?? schemas.schema(ofSpace: name)
        }
    }

    private mutating func addDataSetHandlers() {
        let dataSets = DataSetService(replica)
        let followed = FollowedSets(replica)
        on(\.schemas.checkSet) { try dataSets.check($1) }
        on(\.schemas.releaseSet) { try dataSets.release($1) }
        reading(\.schemas.appliedSets) { try dataSets.list($1) }
        on(\.schemas.applySet) { _, draft in
            let report = try await dataSets.apply(draft)
            if report.done { try followed.note(report) }
            return report
        }
        on(\.schemas.takeVersion) { try dataSets.setVersion($1) }
        on(\.schemas.followSet) { try followed.follow($1) }
        reading(\.schemas.followedSets) { _, _ in try followed.list() }
    }
}
