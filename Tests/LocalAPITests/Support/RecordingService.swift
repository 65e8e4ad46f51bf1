import LocalAPI
import Synchronization

/// Answers every request with its sample and remembers what it was asked, in words.
final class RecordingService: AgentService {
    private let calls = Mutex<[String]>([])
    private let failure: (any Error)?

    private let pollDelay: Duration

    init(failure: (any Error)? = nil, pollDelay: Duration = .zero) {
        self.failure = failure
        self.pollDelay = pollDelay
    }

    /// Everything asked so far, in order.
    var asked: [String] { calls.withLock { $0 } }

    private func answer<Value>(
        _ value: Value, _ arguments: Any..., method: String = #function
    ) throws -> Value {
        let words = arguments.map { "\($0)" }.joined(separator: " | ")
        calls.withLock { $0.append("\(method) \(words)") }
        if let failure { throw failure }
        return value
    }

    func info() throws -> InfoView { try answer(Samples.info) }
    func status() throws -> StatusView { try answer(Samples.status) }
    func doctorNetwork() throws -> NetworkReport { try answer(Samples.report) }
    func startDoctor(_ request: DoctorRequest) throws -> DoctorView {
        try answer(Samples.doctor, request)
    }
    func pollDoctor(_ poll: DoctorPoll) throws -> DoctorView { try answer(Samples.doctor, poll) }
    func cancelDoctor() throws -> DoctorView { try answer(Samples.doctor) }
    func diagnostics() throws -> DiagnosticsView { try answer(Samples.diagnostics) }
    func syncNow() throws -> SyncReport { try answer(Samples.sync) }
    func setSync(_ setting: SyncSetting) throws -> SyncSetting { try answer(setting, setting) }
    func devices() throws -> [DeviceView] { try answer([Samples.device, Samples.device]) }
    func forgetDevice(_ device: String) throws -> DeviceView {
        try answer(Samples.device, device)
    }
    func addAddress(_ device: String, _ address: AddressDraft) throws -> DeviceView {
        try answer(Samples.device, device, address)
    }
    func openPairing(_ request: PairingRequest) throws -> PairingView {
        try answer(Samples.pairing, request)
    }
    func joinPairing(_ request: JoinRequest) throws -> PairingView {
        try answer(Samples.pairing, request)
    }
    func pollPairing(_ id: String, _ poll: PairingPoll) async throws -> PairingView {
        try await Task.sleep(for: pollDelay)
        return try answer(Samples.pairing, id, poll)
    }
    func decidePairing(_ id: String, _ decision: PairingDecision) throws -> PairingView {
        try answer(Samples.pairing, id, decision)
    }
    func cancelPairing(_ id: String) throws -> PairingView { try answer(Samples.pairing, id) }
    func trips() throws -> [TripView] { try answer([Samples.trip]) }
    func createTrip(_ draft: TripDraft) throws -> TripView { try answer(Samples.trip, draft) }
    func showTrip(_ trip: String) throws -> TripView { try answer(Samples.trip, trip) }
    func renameTrip(_ trip: String, _ rename: TripRename) throws -> TripView {
        try answer(Samples.trip, trip, rename)
    }
    func members(ofTrip trip: String) throws -> [MemberView] {
        try answer([Samples.member], trip)
    }
    func grantTrip(_ trip: String, _ grant: GrantDraft) throws -> MemberView {
        try answer(Samples.member, trip, grant)
    }
    func acceptTrip(_ trip: String) throws -> TripView { try answer(Samples.trip, trip) }
    func declineTrip(_ trip: String) throws -> TripView { try answer(Samples.trip, trip) }
    func leaveTrip(_ trip: String) throws -> TripView { try answer(Samples.trip, trip) }
    func recover(_ draft: RecoverRequest) throws -> RecoverReport {
        try answer(Samples.recover, draft)
    }
    func conflicts(_ scope: ScopeFilter) throws -> [ConflictView] {
        try answer([Samples.conflict], scope)
    }
    func why(_ thing: String, _ scope: WhyScope) throws -> WhyView {
        try answer(Samples.why, thing, scope)
    }
    func resolveConflict(
        _ conflict: String, _ decision: ConflictDecision
    ) throws -> ResolvedConflict {
        try answer(
            ResolvedConflict(conflict: Samples.conflict, shown: "Dom"), conflict, decision)
    }
    func deleteTrip(_ trip: String) throws -> TripView { try answer(Samples.trip, trip) }
    func memories(_ filter: MemoryFilter) throws -> [MemorySummary] {
        try answer([Samples.summary], filter)
    }
    func addMemory(_ draft: MemoryDraft) throws -> MemoryView {
        try answer(Samples.memory, draft)
    }
    func showMemory(_ memory: String) throws -> MemoryView { try answer(Samples.memory, memory) }
    func editMemory(_ memory: String, _ changes: MemoryChanges) throws -> MemoryView {
        try answer(Samples.memory, memory, changes)
    }
    func deleteMemory(_ memory: String) throws -> MemoryView {
        try answer(Samples.memory, memory)
    }
    func media(_ filter: MediaFilter) throws -> [MediaView] {
        try answer([Samples.media], filter)
    }
    func exportMedia(_ media: String, _ target: ExportTarget) throws -> ExportedFile {
        try answer(Samples.file, media, target)
    }
    func tags(_ scope: ScopeFilter) throws -> [TagView] { try answer([Samples.tag], scope) }
    func addTag(_ draft: TagDraft) throws -> TagView { try answer(Samples.tag, draft) }
    func bucketItems(_ scope: ScopeFilter) throws -> [BucketItemView] {
        try answer([Samples.item], scope)
    }
    func addBucketItem(_ draft: BucketItemDraft) throws -> BucketItemView {
        try answer(Samples.item, draft)
    }
    func finishBucketItem(_ item: String) throws -> BucketItemView {
        try answer(Samples.item, item)
    }
    func digest(ofTrip trip: String) throws -> DigestView { try answer(Samples.digest, trip) }

    func spaces() throws -> [TripView] { try answer([Samples.trip]) }
    func createSpace(_ draft: SpaceDraft) throws -> TripView { try answer(Samples.trip, draft) }
    func schemas() throws -> [SchemaView] { try answer([Samples.schema]) }
    func schema(ofSpace space: String) throws -> SchemaView { try answer(Samples.schema, space) }
    func changeSchema(ofSpace space: String, _ change: SchemaChange) throws -> SchemaView {
        try answer(Samples.schema, space, change)
    }
    func records(_ filter: RecordFilter) throws -> [RecordView] {
        try answer([Samples.record], RecordingService.words(filter))
    }
    func record(_ record: String, _ scope: RecordScope) throws -> RecordView {
        try answer(Samples.record, record, scope)
    }
    func addRecord(_ draft: RecordDraft) throws -> RecordView {
        try answer(
            Samples.record, draft.space, draft.collection, draft.fields.inOrder, draft.place as Any)
    }
    func addRecords(_ draft: RecordBatchDraft) throws -> RecordBatchReport {
        try answer(
            Samples.batchReport, draft.space, draft.collection,
            draft.records.map { ($0.fields.inOrder, $0.line as Any) })
    }
    func changeRecord(_ record: String, _ changes: RecordChanges) throws -> RecordView {
        try answer(
            Samples.record, record, changes.space, changes.collection, changes.fields.inOrder,
            changes.add.inOrder, changes.remove.inOrder, changes.place as Any, changes.seen as Any)
    }
    func deleteRecord(_ record: String, _ scope: RecordScope) throws -> RecordView {
        try answer(Samples.record, record, scope)
    }
    func restoreRecord(_ record: String, _ scope: RecordScope) throws -> RecordView {
        try answer(Samples.record, record, scope)
    }
    func checkSpace(_ space: String) throws -> SpaceCheckView {
        try answer(Samples.spaceCheck, space)
    }
    func standing(ofSpace space: String, _ scope: StandingScope) throws -> StandingView {
        try answer(Samples.standing, space, scope)
    }
    func exportRecord(_ record: String, _ export: RecordExport) throws -> ExportedFile {
        try answer(Samples.file, record, export)
    }

    private static func words(_ filter: RecordFilter) -> String {
        "\(filter.space) \(filter.collection) \(filter.text ?? "") \(filter.fields.inOrder) "
            + "\(filter.deleted)"
    }
}

extension Dictionary where Key == String {
    /// The same words for equal dictionaries, whose own order is any.
    fileprivate var inOrder: String {
        "\(sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })"
    }
}
