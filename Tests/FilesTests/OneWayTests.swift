import Device
import Journal
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

/// The journal's commands and the generic ones are two names for one thing: each has the effect of
/// the other.
@Suite("One way to delete, restore, count, name and attribute")
struct OneWayTests {
    /// A trip with a memory that has two photos.
    private func withMemory(
        _ body: (_ agent: OfflineDevice, _ journal: JournalService, _ records: RecordService)
            async throws -> Void
    ) async throws {
        try await OfflineDevice.with { agent in
            let journal = JournalService(agent.node)
            let records = RecordService(agent.node)
            _ = try await SpaceService(records.replica).createTrip(TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [
                try agent.file("a.bin", "one photo"), try agent.file("b.bin", "another"),
            ]
            _ = try await journal.addMemory(draft)
            try await body(agent, journal, records)
        }
    }

    private let memories = RecordScope(space: "Arezzo", collection: "memory")
    private let files = RecordFilter(space: "Arezzo", collection: "media")

    @Test("a memory deleted by the journal is restored whole as a record, and the other way round")
    func deletedAsOneThing() async throws {
        try await withMemory { _, journal, records in
            _ = try await journal.deleteMemory("Duomo")
            _ = try await records.restoreRecord("Duomo", memories)
            #expect(try journal.showMemory("Duomo").media.map(\.fileName) == ["a.bin", "b.bin"])

            _ = try await records.deleteRecord("Duomo", memories)
            let restored = try await journal.restoreMemory("Duomo")
            #expect(restored.media.map(\.fileName) == ["a.bin", "b.bin"])
            #expect(try records.list(files).records.count == 2)
            await #expect(throws: RecordErrors.notDeleted("Duomo")) {
                try await journal.restoreMemory("Duomo")
            }
            await #expect(
                throws: APIError(
                    code: .notFound,
                    sentence: "There is no deleted memory called “Dom”.",
                    hint: "See what was deleted: peersync record list SPACE memory --deleted")
            ) {
                try await records.restoreRecord("Dom", memories)
            }
        }
    }

    @Test("an older commit that deleted the photos with their memory is reverted whole")
    func deletedByOlderPrograms() async throws {
        try await withMemory { agent, journal, records in
            let media = try records.list(files).records
            let memory = try records.record("Duomo", memories)
            let space = try #require(
                bytes(hexadecimal: memory.space.id).flatMap { SpaceID(bytes: $0) })
            func deletion(_ collection: String, _ id: String) throws -> RecordOperation {
                let record = try #require(bytes(hexadecimal: id).flatMap { RecordID(bytes: $0) })
                return RecordOperation(
                    collection: collection, record: record, writes: [.deletion(true)])
            }
            // One photo was deleted by itself before: it stays deleted.
            try await agent.node.write(
                ChangeSet(operations: [try deletion("media", media[0].id)]), to: space)
            try await agent.node.write(
                ChangeSet(operations: [
                    try deletion("media", media[1].id), try deletion("memory", memory.id),
                ]), to: space)
            _ = try await records.restoreRecord("Duomo", memories)
            #expect(try journal.showMemory("Duomo").media.map(\.id) == [media[1].id])
        }
    }

    @Test("records hidden with their memory are counted nowhere")
    func counts() async throws {
        try await withMemory { _, journal, records in
            #expect(try SpaceService(records.replica).show("Arezzo").mediaCount == 2)
            _ = try await records.deleteRecord("Duomo", memories)
            let trip = try SpaceService(records.replica).show("Arezzo")
            #expect(trip.memoryCount == 0 && trip.mediaCount == 0)
            #expect(try records.list(files).records.isEmpty)
            #expect(try journal.media(MediaFilter()).isEmpty)
            let status = try records.status(
                ofSpace: "Arezzo", StandingScope(collection: "media", record: nil))
            #expect(status.collections.first?.statuses.isEmpty ?? false)
            _ = try await journal.restoreMemory("Duomo")
            #expect(try SpaceService(records.replica).show("Arezzo").mediaCount == 2)
        }
    }

    @Test("a memory and its record have the same status")
    func status() async throws {
        try await withMemory { _, journal, records in
            let shown = try journal.showMemory("Duomo").status
            #expect(try records.record("Duomo", memories).status == shown)
            #expect(try journal.memories(MemoryFilter()).map(\.status) == [shown])
        }
    }

    @Test("an unknown author is not mistaken for oneself")
    func unknownAuthor() async throws {
        try await withMemory { agent, _, records in
            let stranger = DeviceID(sha256([7]))
            let space = try records.directory.readable("Arezzo").id
            let author = agent.node.author(with: stranger, in: space)
            #expect(author == agent.node.reference(stranger))
            #expect(author.name != "Ann")
            let own = agent.node.author(with: agent.node.identity.deviceID, in: space)
            #expect(own.name == "Ann")
        }
    }

    private static let notes = """
        schema: 1
        name: notes
        version: 1
        collections:
          item:
            fields:
              remark: { type: text, search: true }
              name: { type: text, required: true }
              shelf: { type: text, strategy: userChoice }
        """

    /// Two values that do not know of each other, written by one device over the same view.
    private func split(
        _ records: RecordService, _ space: String, seen: String
    ) async throws {
        for value in ["left", "right"] {
            var changes = RecordChanges(space: space, collection: "item")
            changes.fields = ["shelf": .text(value)]
            changes.seen = seen
            _ = try await records.changeRecord("Oil", changes)
        }
    }

    @Test("a conflict names its record as every list does, though only its remark is searched")
    func name() async throws {
        try await OfflineDevice.with { agent in
            let records = RecordService(agent.node)
            _ = try await SpaceService(agent.node).createSpace(
                SpaceDraft(name: "Shop", document: Self.notes))
            let added = try await records.addRecord(
                RecordDraft(
                    space: "Shop", collection: "item",
                    fields: ["name": .text("Oil"), "remark": .text("cold pressed")]))
            try await split(records, "Shop", seen: added.seen)
            let conflict = try #require(
                try ConflictService(agent.node).conflicts(ScopeFilter(trip: "Shop")).first)
            #expect(conflict.record.name == "Oil")
            #expect(
                try records.record("Oil", RecordScope(space: "Shop", collection: "item")).name
                    == "Oil")
        }
    }

    @Test("a founder without authority may not decide over values with authority")
    func founder() async throws {
        try await OfflineDevice.pair { ann, ben in
            let (anns, bens) = (RecordService(ann.node), RecordService(ben.node))
            let made = try await SpaceService(ann.node).createSpace(
                SpaceDraft(name: "Shop", document: Self.notes))
            _ = try await anns.addRecord(
                RecordDraft(space: "Shop", collection: "item", fields: ["name": .text("Oil")]))
            _ = try await MemberService(ann.node).grant(
                "Shop", GrantDraft(person: "Ben", authority: true))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            try ben.receive(space, from: ann)
            let seen = try bens.record("Oil", RecordScope(space: "Shop", collection: "item")).seen
            try await split(bens, "Shop", seen: seen)
            try ann.receive(space, from: ben)
            let conflict = try #require(
                try ConflictService(ann.node).conflicts(ScopeFilter(trip: "Shop")).first)
            await #expect(throws: APIError.outranked) {
                try await ConflictService(ann.node).resolve(
                    conflict.id, ConflictDecision(take: 1))
            }
            _ = try await ConflictService(ben.node).resolve(conflict.id, ConflictDecision(take: 1))
            #expect(try ConflictService(ben.node).conflicts(ScopeFilter(trip: "Shop")).isEmpty)
        }
    }
}
