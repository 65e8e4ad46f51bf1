extension LocalClient: AgentService {
    package func info() async throws -> InfoView { try await call(Endpoints.info) }

    package func status() async throws -> StatusView { try await call(Endpoints.status) }

    package func doctorNetwork() async throws -> NetworkReport {
        try await call(Endpoints.doctorNetwork)
    }

    package func startDoctor(_ request: DoctorRequest) async throws -> DoctorView {
        try await call(Endpoints.startDoctor, request)
    }

    package func pollDoctor(_ poll: DoctorPoll) async throws -> DoctorView {
        try await call(Endpoints.pollDoctor, poll)
    }

    package func cancelDoctor() async throws -> DoctorView {
        try await call(Endpoints.cancelDoctor)
    }

    package func diagnostics() async throws -> DiagnosticsView {
        try await call(Endpoints.diagnostics)
    }

    package func syncNow() async throws -> SyncReport { try await call(Endpoints.syncNow) }

    package func setSync(_ setting: SyncSetting) async throws -> SyncSetting {
        try await call(Endpoints.setSync, setting)
    }

    package func devices() async throws -> [DeviceView] { try await call(Endpoints.devices) }

    package func forgetDevice(_ device: String) async throws -> DeviceView {
        try await call(Endpoints.forgetDevice, id: device)
    }

    package func addAddress(_ device: String, _ address: AddressDraft) async throws -> DeviceView {
        try await call(Endpoints.addAddress, id: device, address)
    }

    package func openPairing(_ request: PairingRequest) async throws -> PairingView {
        try await call(Endpoints.openPairing, request)
    }

    package func joinPairing(_ request: JoinRequest) async throws -> PairingView {
        try await call(Endpoints.joinPairing, request)
    }

    package func pollPairing(_ id: String, _ poll: PairingPoll) async throws -> PairingView {
        try await call(Endpoints.pollPairing, id: id, poll)
    }

    package func decidePairing(
        _ id: String, _ decision: PairingDecision
    ) async throws -> PairingView {
        try await call(Endpoints.decidePairing, id: id, decision)
    }

    package func cancelPairing(_ id: String) async throws -> PairingView {
        try await call(Endpoints.cancelPairing, id: id)
    }
}

// MARK: - Trips

extension LocalClient {
    package func trips() async throws -> [TripView] { try await call(Endpoints.trips) }

    package func createTrip(_ draft: TripDraft) async throws -> TripView {
        try await call(Endpoints.createTrip, draft)
    }

    package func showTrip(_ trip: String) async throws -> TripView {
        try await call(Endpoints.showTrip, id: trip)
    }

    package func renameTrip(_ trip: String, _ rename: TripRename) async throws -> TripView {
        try await call(Endpoints.renameTrip, id: trip, rename)
    }

    package func members(ofTrip trip: String) async throws -> [MemberView] {
        try await call(Endpoints.members, id: trip)
    }

    package func grantTrip(_ trip: String, _ grant: GrantDraft) async throws -> MemberView {
        try await call(Endpoints.grantTrip, id: trip, grant)
    }

    package func acceptTrip(_ trip: String) async throws -> TripView {
        try await call(Endpoints.acceptTrip, id: trip)
    }

    package func declineTrip(_ trip: String) async throws -> TripView {
        try await call(Endpoints.declineTrip, id: trip)
    }

    package func leaveTrip(_ trip: String) async throws -> TripView {
        try await call(Endpoints.leaveTrip, id: trip)
    }

    package func deleteTrip(_ trip: String) async throws -> TripView {
        try await call(Endpoints.deleteTrip, id: trip)
    }

    package func recover(_ draft: RecoverRequest) async throws -> RecoverReport {
        try await call(Endpoints.recover, draft)
    }

    package func digest(ofTrip trip: String) async throws -> DigestView {
        try await call(Endpoints.digest, id: trip)
    }
}

// MARK: - Memories, media, tags and bucket list

extension LocalClient {
    package func memories(_ filter: MemoryFilter) async throws -> [MemorySummary] {
        try await call(Endpoints.memories, filter)
    }

    package func addMemory(_ draft: MemoryDraft) async throws -> MemoryView {
        try await call(Endpoints.addMemory, draft)
    }

    package func showMemory(_ memory: String) async throws -> MemoryView {
        try await call(Endpoints.showMemory, id: memory)
    }

    package func editMemory(_ memory: String, _ changes: MemoryChanges) async throws -> MemoryView {
        try await call(Endpoints.editMemory, id: memory, changes)
    }

    package func deleteMemory(_ memory: String) async throws -> MemoryView {
        try await call(Endpoints.deleteMemory, id: memory)
    }

    package func media(_ filter: MediaFilter) async throws -> [MediaView] {
        try await call(Endpoints.media, filter)
    }

    package func exportMedia(_ media: String, _ target: ExportTarget) async throws -> ExportedFile {
        try await call(Endpoints.exportMedia, id: media, target)
    }

    package func tags(_ scope: ScopeFilter) async throws -> [TagView] {
        try await call(Endpoints.tags, scope)
    }

    package func addTag(_ draft: TagDraft) async throws -> TagView {
        try await call(Endpoints.addTag, draft)
    }

    package func bucketItems(_ scope: ScopeFilter) async throws -> [BucketItemView] {
        try await call(Endpoints.bucketItems, scope)
    }

    package func addBucketItem(_ draft: BucketItemDraft) async throws -> BucketItemView {
        try await call(Endpoints.addBucketItem, draft)
    }

    package func finishBucketItem(_ item: String) async throws -> BucketItemView {
        try await call(Endpoints.finishBucketItem, id: item)
    }
}
