/// Everything the command line can ask of an agent, whether it answers from this process or over
/// the local socket.
///
/// A `String` parameter named for a thing (`trip`, `memory`, `device`, `person`, `media`, `tag`,
/// `item`, `space`, `record`, `thing`) is what a person typed: a name or a prefix of an id. The
/// agent resolves it and throws an
/// ``APIError`` with code `notFound` or `ambiguous` (with candidates) when it does not name exactly
/// one. Paths are absolute; the agent opens them itself, as the same user. Every method may throw
/// ``APIError``; a change is durable on this device before its method answers.
package protocol AgentService: DoctorService {
    // MARK: The device itself

    /// Who this is: device, person, versions, home directory.
    func info() async throws -> InfoView
    /// Everything `peersync status` shows, as one consistent picture.
    func status() async throws -> StatusView
    /// Tells apart the reasons why devices do not find each other. Takes a few seconds.
    func doctorNetwork() async throws -> NetworkReport

    // MARK: Sync

    /// Syncs with every known device now and answers when done, also when some were unreachable.
    func syncNow() async throws -> SyncReport
    /// Switches sync on or off; off means no listening, no advertising and no traffic.
    func setSync(_ setting: SyncSetting) async throws -> SyncSetting

    // MARK: Devices

    func devices() async throws -> [DeviceView]
    /// Stops trusting a paired device and forgets its addresses; answers with what was forgotten.
    func forgetDevice(_ device: String) async throws -> DeviceView
    /// Remembers a fixed address for a device whose network has no multicast.
    func addAddress(_ device: String, _ address: AddressDraft) async throws -> DeviceView

    // MARK: Pairing

    /// The host's side: opens pairing and answers with the code or link to show.
    func openPairing(_ request: PairingRequest) async throws -> PairingView
    /// The other side: takes a code or link and starts to connect.
    func joinPairing(_ request: JoinRequest) async throws -> PairingView
    /// Long poll: answers as soon as the pairing's revision is no longer `poll.knownRevision`, or
    /// with the unchanged view after `poll.waitSeconds`.
    func pollPairing(_ id: String, _ poll: PairingPoll) async throws -> PairingView
    /// The person's answer once the phase is `confirm`.
    func decidePairing(_ id: String, _ decision: PairingDecision) async throws -> PairingView
    /// Ends a pairing that is not stored yet; its code is worthless afterwards.
    func cancelPairing(_ id: String) async throws -> PairingView

    // MARK: Trips

    func trips() async throws -> [TripView]
    func createTrip(_ draft: TripDraft) async throws -> TripView
    func showTrip(_ trip: String) async throws -> TripView
    func renameTrip(_ trip: String, _ rename: TripRename) async throws -> TripView
    func members(ofTrip trip: String) async throws -> [MemberView]
    /// Grants the trip to every device of a person; a second grant changes the role.
    func grantTrip(_ trip: String, _ grant: GrantDraft) async throws -> MemberView
    /// Takes a trip that someone granted: from now on this device fetches and keeps it.
    func acceptTrip(_ trip: String) async throws -> TripView
    /// Refuses a granted trip; nothing of it is kept. Answers with what it was.
    func declineTrip(_ trip: String) async throws -> TripView
    /// Gives up this person's own membership; the others keep the trip. Answers with what it was.
    func leaveTrip(_ trip: String) async throws -> TripView
    /// Deletes the trip for everybody. Answers with what it was.
    func deleteTrip(_ trip: String) async throws -> TripView

    /// Writes changes anew that were quarantined, so that they count again for everybody.
    func recover(_ draft: RecoverRequest) async throws -> RecoverReport

    /// Where a record or file is, and why it is not everywhere.
    func why(_ thing: String, _ scope: WhyScope) async throws -> WhyView

    // MARK: Conflicts

    /// What was written at once and somebody should decide; in one trip, or everywhere.
    func conflicts(_ scope: ScopeFilter) async throws -> [ConflictView]
    /// Decides one, by the beginning of its id.
    func resolveConflict(
        _ conflict: String, _ decision: ConflictDecision
    ) async throws -> ResolvedConflict

    // MARK: Memories

    func memories(_ filter: MemoryFilter) async throws -> [MemorySummary]
    func addMemory(_ draft: MemoryDraft) async throws -> MemoryView
    func showMemory(_ memory: String) async throws -> MemoryView
    func editMemory(_ memory: String, _ changes: MemoryChanges) async throws -> MemoryView
    /// Deletes the memory with its media for everybody. Answers with what it was.
    func deleteMemory(_ memory: String) async throws -> MemoryView

    // MARK: Media

    func media(_ filter: MediaFilter) async throws -> [MediaView]
    /// Writes one original to a path of this computer; never overwrites an existing file.
    func exportMedia(_ media: String, _ target: ExportTarget) async throws -> ExportedFile

    // MARK: Tags and bucket list

    /// Tags of a trip, or of the person's home space when the scope names no trip.
    func tags(_ scope: ScopeFilter) async throws -> [TagView]
    func addTag(_ draft: TagDraft) async throws -> TagView
    func bucketItems(_ scope: ScopeFilter) async throws -> [BucketItemView]
    func addBucketItem(_ draft: BucketItemDraft) async throws -> BucketItemView
    /// Marks an item of the bucket list as done.
    func finishBucketItem(_ item: String) async throws -> BucketItemView

    // MARK: Spaces and records of any schema

    /// Trips and all other spaces but the person's own.
    func spaces() async throws -> [TripView]
    func createSpace(_ draft: SpaceDraft) async throws -> TripView
    /// The schemas that are known here.
    func schemas() async throws -> [SchemaView]
    /// The one that a space follows; `home` is the person's own.
    func schema(ofSpace space: String) async throws -> SchemaView
    /// Gives a space another version of its schema, for everybody.
    func changeSchema(ofSpace space: String, _ change: SchemaChange) async throws -> SchemaView
    /// How the records of a space hang together; changes nothing.
    func checkSpace(_ space: String) async throws -> SpaceCheckView
    /// Records that match, in their order.
    func records(_ filter: RecordFilter) async throws -> [RecordView]
    func record(_ record: String, _ scope: RecordScope) async throws -> RecordView
    /// Where one record stands, deleted ones too, or how many stand where.
    func standing(ofSpace space: String, _ scope: StandingScope) async throws -> StandingView
    func addRecord(_ draft: RecordDraft) async throws -> RecordView
    /// Adds many records at once, or none when one of them does not fit.
    func addRecords(_ draft: RecordBatchDraft) async throws -> RecordBatchReport
    func changeRecord(_ record: String, _ changes: RecordChanges) async throws -> RecordView
    /// Deletes a record for everybody. Answers with what it was.
    func deleteRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView
    func restoreRecord(_ record: String, _ scope: RecordScope) async throws -> RecordView
    /// Writes a file of a record to a path of this computer; never overwrites an existing file.
    func exportRecord(_ record: String, _ export: RecordExport) async throws -> ExportedFile

    // MARK: Verification

    /// Hash over everything the trip shows, with blob ids: equal on hosts that show the same.
    func digest(ofTrip trip: String) async throws -> DigestView
}
