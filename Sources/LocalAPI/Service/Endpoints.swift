internal import HTTPTypes

/// Every request of `/v1`, one per method of ``AgentService``; `openapi.yaml` describes the same.
enum Endpoints {
    static let info = Endpoint<NoInput, InfoView>(.get, "/info")
    static let status = Endpoint<NoInput, StatusView>(.get, "/status")
    static let doctorNetwork = Endpoint<NoInput, NetworkReport>(.get, "/doctor/network")

    static let startDoctor = Endpoint<DoctorRequest, DoctorView>(.post, "/doctor")
    static let pollDoctor = Endpoint<DoctorPoll, DoctorView>(.get, "/doctor")
    static let cancelDoctor = Endpoint<NoInput, DoctorView>(.delete, "/doctor")
    static let diagnostics = Endpoint<NoInput, DiagnosticsView>(.get, "/doctor/diagnostics")

    static let syncNow = Endpoint<NoInput, SyncReport>(.post, "/sync")
    static let setSync = Endpoint<SyncSetting, SyncSetting>(.put, "/sync")

    static let devices = Endpoint<NoInput, [DeviceView]>(.get, "/devices")
    static let forgetDevice = Endpoint<NoInput, DeviceView>(.delete, "/devices/{id}")
    static let addAddress = Endpoint<AddressDraft, DeviceView>(.post, "/devices/{id}/addresses")

    static let openPairing = Endpoint<PairingRequest, PairingView>(.post, "/pairings")
    static let joinPairing = Endpoint<JoinRequest, PairingView>(.post, "/pairings/join")
    static let pollPairing = Endpoint<PairingPoll, PairingView>(.get, "/pairings/{id}")
    static let decidePairing = Endpoint<PairingDecision, PairingView>(
        .put, "/pairings/{id}/decision")
    static let cancelPairing = Endpoint<NoInput, PairingView>(.delete, "/pairings/{id}")

    static let trips = Endpoint<NoInput, [TripView]>(.get, "/trips")
    static let createTrip = Endpoint<TripDraft, TripView>(.post, "/trips")
    static let showTrip = Endpoint<NoInput, TripView>(.get, "/trips/{id}")
    static let renameTrip = Endpoint<TripRename, TripView>(.patch, "/trips/{id}")
    static let deleteTrip = Endpoint<NoInput, TripView>(.delete, "/trips/{id}")
    static let members = Endpoint<NoInput, [MemberView]>(.get, "/trips/{id}/members")
    static let grantTrip = Endpoint<GrantDraft, MemberView>(.post, "/trips/{id}/members")
    static let acceptTrip = Endpoint<NoInput, TripView>(.post, "/trips/{id}/accept")
    static let declineTrip = Endpoint<NoInput, TripView>(.post, "/trips/{id}/decline")
    static let leaveTrip = Endpoint<NoInput, TripView>(.post, "/trips/{id}/leave")
    static let recover = Endpoint<RecoverRequest, RecoverReport>(.post, "/recover")
    static let digest = Endpoint<NoInput, DigestView>(.get, "/trips/{id}/digest")

    static let why = Endpoint<WhyScope, WhyView>(.get, "/why/{id}")

    static let conflicts = Endpoint<ScopeFilter, [ConflictView]>(.get, "/conflicts")
    static let resolveConflict = Endpoint<ConflictDecision, ResolvedConflict>(
        .put, "/conflicts/{id}/decision")

    static let memories = Endpoint<MemoryFilter, [MemorySummary]>(.get, "/memories")
    static let addMemory = Endpoint<MemoryDraft, MemoryView>(.post, "/memories")
    static let showMemory = Endpoint<NoInput, MemoryView>(.get, "/memories/{id}")
    static let editMemory = Endpoint<MemoryChanges, MemoryView>(.patch, "/memories/{id}")
    static let deleteMemory = Endpoint<NoInput, MemoryView>(.delete, "/memories/{id}")

    static let media = Endpoint<MediaFilter, [MediaView]>(.get, "/media")
    static let exportMedia = Endpoint<ExportTarget, ExportedFile>(.post, "/media/{id}/export")

    static let tags = Endpoint<ScopeFilter, [TagView]>(.get, "/tags")
    static let addTag = Endpoint<TagDraft, TagView>(.post, "/tags")
    static let bucketItems = Endpoint<ScopeFilter, [BucketItemView]>(.get, "/bucket")
    static let addBucketItem = Endpoint<BucketItemDraft, BucketItemView>(.post, "/bucket")
    static let finishBucketItem = Endpoint<NoInput, BucketItemView>(.post, "/bucket/{id}/done")

    static let spaces = Endpoint<NoInput, [TripView]>(.get, "/spaces")
    static let createSpace = Endpoint<SpaceDraft, TripView>(.post, "/spaces")
    static let schema = Endpoint<NoInput, SchemaView>(.get, "/spaces/{id}/schema")
    static let changeSchema = Endpoint<SchemaChange, SchemaView>(.put, "/spaces/{id}/schema")
    static let standing = Endpoint<StandingScope, StandingView>(.get, "/spaces/{id}/standing")
    static let checkSpace = Endpoint<NoInput, SpaceCheckView>(.get, "/spaces/{id}/check")
    static let schemas = Endpoint<NoInput, [SchemaView]>(.get, "/schemas")
    static let records = Endpoint<RecordFilter, [RecordView]>(.get, "/records")
    static let addRecord = Endpoint<RecordDraft, RecordView>(.post, "/records")
    static let addRecords = Endpoint<RecordBatchDraft, RecordBatchReport>(
        .post, "/records/batch", upTo: LocalLimits.batchBytes)
    static let record = Endpoint<RecordScope, RecordView>(.get, "/records/{id}")
    static let changeRecord = Endpoint<RecordChanges, RecordView>(.patch, "/records/{id}")
    static let deleteRecord = Endpoint<RecordScope, RecordView>(.delete, "/records/{id}")
    static let restoreRecord = Endpoint<RecordScope, RecordView>(.post, "/records/{id}/restore")
    static let exportRecord = Endpoint<RecordExport, ExportedFile>(.post, "/records/{id}/export")
}
