import LocalAPI
import Testing

/// One row per method of ``AgentService``: how it is called, written once for both ways.
private struct Method: Sendable, CustomTestStringConvertible {
    let name: String
    /// Calls the method and answers with the result in words.
    let call: @Sendable (any AgentService) async throws -> String

    init<Value>(
        _ name: String, _ call: @escaping @Sendable (any AgentService) async throws -> Value
    ) {
        self.name = name
        self.call = { "\(try await call($0))" }
    }

    var testDescription: String { name }
}

/// A name that breaks whatever splits or decodes paths carelessly.
private let hardName = "a/b ?&#%2F..\u{301} \"ü🍝\"+"

private let methods: [Method] = [
    Method("info") { try await $0.info() },
    Method("status") { try await $0.status() },
    Method("doctorNetwork") { try await $0.doctorNetwork() },
    Method("startDoctor") { try await $0.startDoctor(DoctorRequest(repair: true, masked: true)) },
    Method("pollDoctor") {
        try await $0.pollDoctor(DoctorPoll(knownRevision: 4, waitSeconds: 30))
    },
    Method("cancelDoctor") { try await $0.cancelDoctor() },
    Method("diagnostics") { try await $0.diagnostics() },
    Method("syncNow") { try await $0.syncNow() },
    Method("setSync") { try await $0.setSync(SyncSetting(enabled: false)) },
    Method("devices") { try await $0.devices() },
    Method("forgetDevice") { try await $0.forgetDevice(hardName) },
    Method("addAddress") { try await $0.addAddress(hardName, AddressDraft(address: "[::1]:1")) },
    Method("openPairing") { try await $0.openPairing(PairingRequest(asLink: true)) },
    Method("joinPairing") {
        try await $0.joinPairing(
            JoinRequest(codeOrLink: "7-4827-1956", mine: true, address: "h:1", replacePerson: true))
    },
    Method("pollPairing") {
        try await $0.pollPairing("p1", PairingPoll(knownRevision: 4, waitSeconds: 30))
    },
    Method("decidePairing") { try await $0.decidePairing("p1", PairingDecision(accept: true)) },
    Method("cancelPairing") { try await $0.cancelPairing("p1") },
    Method("trips") { try await $0.trips() },
    Method("createTrip") { try await $0.createTrip(TripDraft(name: hardName)) },
    Method("showTrip") { try await $0.showTrip(hardName) },
    Method("showTrip of a name of dots") { try await $0.showTrip("..") },
    Method("renameTrip") { try await $0.renameTrip("t1", TripRename(name: hardName)) },
    Method("members") { try await $0.members(ofTrip: hardName) },
    Method("grantTrip") {
        try await $0.grantTrip("t1", GrantDraft(person: "Bea", role: .editor, authority: true))
    },
    Method("acceptTrip") { try await $0.acceptTrip(hardName) },
    Method("declineTrip") { try await $0.declineTrip(hardName) },
    Method("leaveTrip") { try await $0.leaveTrip(hardName) },
    Method("rescue") { try await $0.recover(RecoverRequest(trip: hardName, device: "laptop")) },
    Method("recover of everything") { try await $0.recover(RecoverRequest()) },
    Method("conflicts") { try await $0.conflicts(ScopeFilter(trip: hardName)) },
    Method("why") { try await $0.why(hardName, WhyScope(space: hardName)) },
    Method("why everywhere") { try await $0.why(hardName, WhyScope()) },
    Method("resolveConflict") {
        try await $0.resolveConflict(hardName, ConflictDecision(value: .decimal("3.90")))
    },
    Method("deleteTrip") { try await $0.deleteTrip(hardName) },
    Method("memories") { try await $0.memories(Samples.filter) },
    Method("memories without conditions") { try await $0.memories(MemoryFilter()) },
    Method("addMemory") { try await $0.addMemory(Samples.draft) },
    Method("showMemory") { try await $0.showMemory(hardName) },
    Method("editMemory") { try await $0.editMemory("e1", Samples.changes) },
    Method("editMemory without changes") { try await $0.editMemory("e1", MemoryChanges()) },
    Method("deleteMemory") { try await $0.deleteMemory(hardName) },
    Method("media") { try await $0.media(MediaFilter(trip: "t1", memory: hardName)) },
    Method("exportMedia") { try await $0.exportMedia("m1", ExportTarget(path: "/tmp/a b")) },
    Method("tags") { try await $0.tags(ScopeFilter(trip: hardName)) },
    Method("addTag") { try await $0.addTag(TagDraft(name: "x", category: nil, trip: "t1")) },
    Method("bucketItems") { try await $0.bucketItems(ScopeFilter()) },
    Method("addBucketItem") {
        try await $0.addBucketItem(BucketItemDraft(title: hardName, trip: nil))
    },
    Method("finishBucketItem") { try await $0.finishBucketItem(hardName) },
    Method("spaces") { try await $0.spaces() },
    Method("createSpace") {
        try await $0.createSpace(SpaceDraft(name: hardName, schema: nil, document: "a: \u{1}"))
    },
    Method("schemas") { try await $0.schemas() },
    Method("schema") { try await $0.schema(ofSpace: hardName) },
    Method("changeSchema") {
        try await $0.changeSchema(ofSpace: "..", SchemaChange(document: "schema: 1\n"))
    },
    Method("records") { try await $0.records(Samples.recordFilter) },
    Method("records without conditions") {
        try await $0.records(RecordFilter(space: "s", collection: "c"))
    },
    Method("record") { try await $0.record(hardName, Samples.scope) },
    Method("addRecord") {
        try await $0.addRecord(
            RecordDraft(
                space: "s", collection: "c", fields: Samples.values,
                place: RecordPlace(before: hardName)))
    },
    Method("addRecords") {
        try await $0.addRecords(
            RecordBatchDraft(
                space: "s", collection: hardName,
                records: [
                    .init(fields: Samples.values, line: 2), .init(fields: ["a": .text(hardName)]),
                ]))
    },
    Method("changeRecord") { try await $0.changeRecord(hardName, Samples.recordChanges) },
    Method("deleteRecord") { try await $0.deleteRecord(hardName, Samples.scope) },
    Method("restoreRecord") { try await $0.restoreRecord(hardName, Samples.scope) },
    Method("checkSpace") { try await $0.checkSpace(hardName) },
    Method("standing") {
        try await $0.standing(
            ofSpace: hardName, StandingScope(collection: "product", record: hardName))
    },
    Method("standing of everything") {
        try await $0.standing(ofSpace: hardName, StandingScope())
    },
    Method("exportRecord") {
        try await $0.exportRecord(
            "r", RecordExport(space: "s", collection: "c", field: "f", path: "/tmp/a b"))
    },
    Method("digest") { try await $0.digest(ofTrip: hardName) },
]

struct RoundTripTests {
    @Test(
        "a method called over the socket asks and answers the same as called directly",
        arguments: methods)
    private func sameOverTheSocket(method: Method) async throws {
        // given
        let direct = RecordingService()
        let served = RecordingService()
        let expected = try await method.call(direct)

        // when
        let result = try await withServer(served) { path in
            try await method.call(LocalClient(socketPath: path))
        }

        // then
        #expect(result == expected)
        #expect(served.asked == direct.asked)
        #expect(served.asked.count == 1)
    }

    @Test("every method of the table reaches a method of its own")
    func noMethodIsMissing() async throws {
        // given
        let service = RecordingService()

        // when
        for method in methods { _ = try await method.call(service) }

        // then: 59 methods, and seven rows that call one of them a second time
        let names = Set(service.asked.compactMap { $0.split(separator: " ").first })
        #expect(names.count == 59)
        #expect(methods.count == 66)
    }
}
