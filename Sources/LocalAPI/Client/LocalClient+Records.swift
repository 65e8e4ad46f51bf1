extension LocalClient {
    package func spaces() async throws -> [TripView] { try await call(Endpoints.spaces) }
    package func createSpace(_ draft: SpaceDraft) async throws -> TripView {
        try await call(Endpoints.createSpace, draft)
    }

    package func schemas() async throws -> [SchemaView] { try await call(Endpoints.schemas) }
    package func schema(ofSpace space: String) async throws -> SchemaView {
        try await call(Endpoints.schema, id: space)
    }

    package func changeSchema(
        ofSpace space: String, _ change: SchemaChange
    ) async throws -> SchemaView {
        try await call(Endpoints.changeSchema, id: space, change)
    }

    package func records(_ filter: RecordFilter) async throws -> [RecordView] {
        try await call(Endpoints.records, filter)
    }

    package func record(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        try await call(Endpoints.record, id: record, scope)
    }

    package func checkSpace(_ space: String) async throws -> SpaceCheckView {
        try await call(Endpoints.checkSpace, id: space)
    }

    package func standing(
        ofSpace space: String, _ scope: StandingScope
    ) async throws -> StandingView {
        try await call(Endpoints.standing, id: space, scope)
    }

    package func addRecord(_ draft: RecordDraft) async throws -> RecordView {
        try await call(Endpoints.addRecord, draft)
    }

    package func addRecords(_ draft: RecordBatchDraft) async throws -> RecordBatchReport {
        try await call(Endpoints.addRecords, draft)
    }

    package func changeRecord(
        _ record: String, _ changes: RecordChanges
    ) async throws -> RecordView {
        try await call(Endpoints.changeRecord, id: record, changes)
    }

    package func deleteRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        try await call(Endpoints.deleteRecord, id: record, scope)
    }

    package func restoreRecord(
        _ record: String, _ scope: RecordScope
    ) async throws -> RecordView {
        try await call(Endpoints.restoreRecord, id: record, scope)
    }

    package func exportRecord(
        _ record: String, _ export: RecordExport
    ) async throws -> ExportedFile {
        try await call(Endpoints.exportRecord, id: record, export)
    }
}
