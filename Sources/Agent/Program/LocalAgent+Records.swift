import LocalAPI
import Records

/// Spaces and records of any schema.
extension LocalAgent {
    private var spacesAndRecords: RecordService { RecordService(runtime.node) }

    func spaces() async throws -> [TripView] {
        try await answer { try SpaceService(runtime.node).spaces() }
    }

    func createSpace(_ draft: SpaceDraft) async throws -> TripView {
        try await answer { try await spacesAndRecords.createSpace(draft) }
    }

    func schemas() async throws -> [SchemaView] {
        try await answer { try spacesAndRecords.knownSchemas() }
    }

    func schema(ofSpace space: String) async throws -> SchemaView {
        try await answer { try spacesAndRecords.schema(ofSpace: space) }
    }

    func changeSchema(
        ofSpace space: String, _ change: SchemaChange
    ) async throws -> SchemaView {
        try await answer { try await spacesAndRecords.changeSchema(ofSpace: space, change) }
    }

    func records(_ filter: RecordFilter) async throws -> [RecordView] {
        try await answer { try spacesAndRecords.records(filter) }
    }

    func record(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        try await answer { try spacesAndRecords.record(record, scope) }
    }

    func checkSpace(_ space: String) async throws -> SpaceCheckView {
        try await answer { try SpaceCheckService(runtime.node).check(space) }
    }

    func standing(
        ofSpace space: String, _ scope: StandingScope
    ) async throws -> StandingView {
        try await answer { try spacesAndRecords.status(ofSpace: space, scope) }
    }

    func addRecord(_ draft: RecordDraft) async throws -> RecordView {
        try await answer { try await spacesAndRecords.addRecord(draft) }
    }

    func addRecords(_ draft: RecordBatchDraft) async throws -> RecordBatchReport {
        try await answer { try await spacesAndRecords.addRecords(draft) }
    }

    func changeRecord(
        _ record: String, _ changes: RecordChanges
    ) async throws -> RecordView {
        try await answer { try await spacesAndRecords.changeRecord(record, changes) }
    }

    func deleteRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView {
        try await answer { try await spacesAndRecords.deleteRecord(record, scope) }
    }

    func restoreRecord(
        _ record: String, _ scope: RecordScope
    ) async throws -> RecordView {
        try await answer { try await spacesAndRecords.restoreRecord(record, scope) }
    }

    func exportRecord(
        _ record: String, _ export: RecordExport
    ) async throws -> ExportedFile {
        try await answer { try await spacesAndRecords.export(record, export) }
    }
}
