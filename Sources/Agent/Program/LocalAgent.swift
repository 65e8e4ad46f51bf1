internal import Identity
import Journal
import LocalAPI
internal import Logging
import Records
import SyncCore

extension AgentNode {
    /// What an examination came to; what it found is in the answer, with names.
    fileprivate func note(_ report: HealthReport) {
        let open = report.findings.count { $0.severity.isTrouble && $0.repaired == nil }
        logger.note(
            open > 0 ? .warning : .info, .doctor, "examined",
            details: [
                "open": "\(open)",
                "repaired": "\(report.findings.count { $0.repaired != nil })",
            ])
    }
}

/// The agent as people and programs on this computer see it.
package struct LocalAgent: AgentService {
    let runtime: AgentRuntime

    package init(runtime: AgentRuntime) {
        self.runtime = runtime
    }

    private var journal: JournalService { JournalService(runtime.node) }
    private var spaces: SpaceService { SpaceService(runtime.node) }
    private var people: StatusService { StatusService(runtime: runtime) }

    /// Runs one request of an initialised device; every error leaves as a sentence.
    func answer<Answer: Sendable>(
        needsPerson: Bool = true, _ body: () async throws -> Answer
    ) async throws -> Answer {
        guard !needsPerson || runtime.node.identity.card != nil else {
            throw APIError.notInitialised
        }
        do {
            return try await body()
        } catch {
            runtime.node.noteFailure(error)
            throw ErrorSentence.of(error)
        }
    }

    func info() async throws -> InfoView {
        try await answer(needsPerson: false) { people.info() }
    }
    func status() async throws -> StatusView { try await answer { try await people.status() } }
    func doctorNetwork() async throws -> NetworkReport {
        try await answer { await people.doctorNetwork() }
    }

    func startDoctor(_ request: DoctorRequest) async throws -> DoctorView {
        try await answer(needsPerson: false) {
            let run = ExaminationRun(
                home: runtime.node.home, request: request, tracker: runtime.doctor
            ) { [runtime] in OpenStore(runtime) }
            return try runtime.doctor.start { [runtime] in
                let report = try await run.run()
                runtime.node.note(report)
                return report
            }
        }
    }

    func pollDoctor(_ poll: DoctorPoll) async throws -> DoctorView {
        try await answer(needsPerson: false) { try await runtime.doctor.poll(poll) }
    }

    func cancelDoctor() async throws -> DoctorView {
        try await answer(needsPerson: false) { try await runtime.doctor.cancel() }
    }

    func diagnostics() async throws -> DiagnosticsView {
        try await answer(needsPerson: false) {
            try await Diagnostics(home: runtime.node.home, runtime: runtime).view()
        }
    }

    func syncNow() async throws -> SyncReport {
        try await answer { try await people.syncNow() }
    }

    func setSync(_ setting: SyncSetting) async throws -> SyncSetting {
        try await answer { try await people.setSync(setting) }
    }

    func devices() async throws -> [DeviceView] { try await answer { try people.devices() } }
    func forgetDevice(_ device: String) async throws -> DeviceView {
        try await answer { try await people.forget(device) }
    }

    func addAddress(_ device: String, _ address: AddressDraft) async throws -> DeviceView {
        try await answer { try await people.addAddress(device, address) }
    }

    func openPairing(_ request: PairingRequest) async throws -> PairingView {
        try await answer { try await runtime.pairing.open(asLink: request.asLink) }
    }

    func joinPairing(_ request: JoinRequest) async throws -> PairingView {
        try await answer(needsPerson: false) { try await runtime.pairing.join(request) }
    }

    func pollPairing(_ id: String, _ poll: PairingPoll) async throws -> PairingView {
        try await answer(needsPerson: false) { try await runtime.pairing.poll(id, poll) }
    }

    func decidePairing(_ id: String, _ decision: PairingDecision) async throws -> PairingView {
        try await answer(needsPerson: false) {
            try await runtime.pairing.decide(id, accept: decision.accept)
        }
    }

    func cancelPairing(_ id: String) async throws -> PairingView {
        try await answer(needsPerson: false) { try await runtime.pairing.cancel(id) }
    }

    func trips() async throws -> [TripView] { try await answer { try spaces.trips() } }
    func createTrip(_ draft: TripDraft) async throws -> TripView {
        try await answer { try await spaces.createTrip(draft) }
    }

    func showTrip(_ trip: String) async throws -> TripView {
        try await answer { try spaces.show(trip) }
    }

    func renameTrip(_ trip: String, _ rename: TripRename) async throws -> TripView {
        try await answer { try await spaces.rename(trip, rename) }
    }

    func members(ofTrip trip: String) async throws -> [MemberView] {
        try await answer { try spaces.members(of: trip) }
    }

    func grantTrip(_ trip: String, _ grant: GrantDraft) async throws -> MemberView {
        try await answer { try await spaces.grant(trip, grant) }
    }

    func acceptTrip(_ trip: String) async throws -> TripView {
        try await answer { try await spaces.accept(trip) }
    }

    func declineTrip(_ trip: String) async throws -> TripView {
        try await answer { try await spaces.decline(trip) }
    }

    func recover(_ draft: RecoverRequest) async throws -> RecoverReport {
        try await answer { try await spaces.recover(draft) }
    }

    func why(_ thing: String, _ scope: WhyScope) async throws -> WhyView {
        try await answer {
            let network = NetworkCircumstances(
                isSyncOn: try runtime.isSyncOn(), isAgentRunning: runtime.isLongRunning,
                failing: await runtime.network.failingDevices)
            return try WhyService(runtime.node, network).why(thing, scope)
        }
    }

    func conflicts(_ scope: ScopeFilter) async throws -> [ConflictView] {
        try await answer { try ConflictService(runtime.node).conflicts(scope) }
    }

    func resolveConflict(
        _ conflict: String, _ decision: ConflictDecision
    ) async throws -> ResolvedConflict {
        try await answer {
            try await ConflictService(runtime.node).resolve(conflict, decision)
        }
    }

    func leaveTrip(_ trip: String) async throws -> TripView {
        try await answer { try await spaces.leave(trip) }
    }

    func deleteTrip(_ trip: String) async throws -> TripView {
        try await answer { try await spaces.delete(trip) }
    }

    func memories(_ filter: MemoryFilter) async throws -> [MemorySummary] {
        try await answer { try journal.memories(filter) }
    }

    func addMemory(_ draft: MemoryDraft) async throws -> MemoryView {
        try await answer { try await journal.addMemory(draft) }
    }

    func showMemory(_ memory: String) async throws -> MemoryView {
        try await answer { try journal.showMemory(memory) }
    }

    func editMemory(_ memory: String, _ changes: MemoryChanges) async throws -> MemoryView {
        try await answer { try await journal.editMemory(memory, changes) }
    }

    func deleteMemory(_ memory: String) async throws -> MemoryView {
        try await answer { try await journal.deleteMemory(memory) }
    }

    func media(_ filter: MediaFilter) async throws -> [MediaView] {
        try await answer { try journal.media(filter) }
    }

    func exportMedia(_ media: String, _ target: ExportTarget) async throws -> ExportedFile {
        try await answer { try await journal.exportMedia(media, target) }
    }

    func tags(_ scope: ScopeFilter) async throws -> [TagView] {
        try await answer { try journal.tags(scope) }
    }

    func addTag(_ draft: TagDraft) async throws -> TagView {
        try await answer { try await journal.addTag(draft) }
    }

    func bucketItems(_ scope: ScopeFilter) async throws -> [BucketItemView] {
        try await answer { try journal.bucketItems(scope) }
    }

    func addBucketItem(_ draft: BucketItemDraft) async throws -> BucketItemView {
        try await answer { try await journal.addBucketItem(draft) }
    }

    func finishBucketItem(_ item: String) async throws -> BucketItemView {
        try await answer { try await journal.finishBucketItem(item) }
    }

    func digest(ofTrip trip: String) async throws -> DigestView {
        try await answer { try await spaces.digest(of: trip) }
    }
}
