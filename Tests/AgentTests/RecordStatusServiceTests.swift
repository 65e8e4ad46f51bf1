import Agent
import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("The status of records")
struct RecordStatusServiceTests {
    /// The status of one record of Arezzo.
    private func status(
        _ collection: String, _ record: String, in agent: TestAgent
    ) async throws -> StandingView.Record {
        let scope = StandingScope(collection: collection, record: record)
        return try #require(
            try await agent.service.call(\.spaces.standing, id: "Arezzo", scope).record)
    }

    @Test("a deletion counts as not delivered until the other device has received it")
    func deletion() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.memories.delete, id: "Duomo")
            let deleted = try await status("memory", "Duomo", in: ben)
            #expect(deleted.deleted)
            // Ann wrote to the space before, and has not acknowledged this.
            #expect(deleted.status == .needsDeletion)
            let why = try await ben.service.call(\.agent.why, id: "Duomo", WhyScope())
            #expect(why.subject.deleted && !why.everywhere)
            #expect(why.devices.map(\.state) == [.complete, .lacksChanges])
            try ann.receive(space, from: ben)
            try ben.receiveAck(of: space, from: ann)
            #expect(try await status("memory", "Duomo", in: ben).status == .inSync)
            #expect(try await ben.service.call(\.agent.why, id: "Duomo", WhyScope()).everywhere)
        }
    }

    @Test("A trip is called a trip, and a space of another schema a space")
    func nouns() async throws {
        try await TestAgent.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await agent.add("Duomo")
            let schema = """
                schema: 1
                name: list
                version: 1
                collections: { entry: { fields: { name: { type: text } } } }
                """
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "List", document: schema))
            let entry = try await agent.service.call(
                \.records.add,
                RecordDraft(space: "List", collection: "entry", fields: ["name": .text("x")]))
            // when
            let inTrip = try await agent.service.call(\.agent.why, id: "Duomo", WhyScope())
            let inSpace = try await agent.service.call(
                \.agent.why, id: entry.id, WhyScope(space: "List"))
            // then
            #expect(
                [inTrip, inSpace].map(\.verdict)
                    == ["trip", "space"].map {
                        "It is on this device alone: nobody else may read this \($0)."
                    })
        }
    }

    @Test("all waiting records are listed with their kind, time, and the device that lacks them")
    func waiting() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.memories.delete, id: "Duomo")
            let waiting = try await ben.service.call(\.agent.waiting, WhyScope())
            let item = try #require(waiting.items.first { $0.space.name == "Arezzo" && !$0.here })
            #expect(item.device == ben.node.reference(ann.node.identity.deviceID))
            #expect(item.lacks.changes > 0 && item.since != nil && !item.reasons.isEmpty)
            let last = try #require(item.changes.last)
            #expect(last.isMine && last.changes.first?.kind == .deleted)
            #expect(
                try await ben.service.call(\.agent.waiting, WhyScope(space: "home")).items
                    .allSatisfy {
                        $0.space.name == "home"
                    })
            try ann.receive(space, from: ben)
            try ben.receiveAck(of: space, from: ann)
            let after = try await ben.service.call(\.agent.waiting, WhyScope(space: "Arezzo"))
            #expect(after.items.allSatisfy { $0.lacks.changes == 0 && $0.changes.isEmpty })
        }
    }

    @Test("a space is counted by collection and status; a record needs its collection")
    func counts() async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            for title in ["Duomo", "Pizza", "Market"] {
                var draft = MemoryDraft(trip: "Arezzo")
                draft.title = title
                draft.photoPaths = [try agent.file(title, "bytes of \(title)")]
                _ = try await agent.service.call(\.memories.add, draft)
            }
            _ = try await agent.service.call(\.memories.delete, id: "Market")
            let all = try await agent.service.call(\.spaces.standing, id: "Arezzo", StandingScope())
            let counts = Dictionary(
                uniqueKeysWithValues: all.collections.map { ($0.name, $0.statuses) })
            #expect(counts["memory"] == ["local_only": 2])
            #expect(counts["media"] == ["local_only": 2])
            #expect(counts["device_profile"] == nil)
            let one = try await agent.service.call(
                \.spaces.standing, id: "Arezzo", StandingScope(collection: "memory"))
            #expect(one.collections.map(\.name) == ["memory"])
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "A record is named together with its collection.",
                    hint: "For example: peersync record status SPACE COLLECTION RECORD")
            ) {
                try await agent.service.call(
                    \.spaces.standing, id: "Arezzo", StandingScope(record: "Duomo"))
            }
        }
    }

    @Test("a record is found by name, file name and id; an ambiguous name asks back")
    func finding() async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [try agent.file("dome.jpg", "a picture")]
            let memory = try await agent.service.call(\.memories.add, draft)
            let photo = try #require(memory.media.first)
            for typed in ["Duomo", memory.id, String(memory.id.prefix(8))] {
                let why = try await agent.service.call(\.agent.why, id: typed, WhyScope())
                #expect(why.subject.id == memory.id)
                #expect(why.subject.kind == .record)
                #expect(why.everywhere && why.devices.count == 1)
            }
            for typed in ["dome.jpg", photo.id, photo.blobID, String(photo.blobID.prefix(12))] {
                let why = try await agent.service.call(
                    \.agent.why, id: typed, WhyScope(space: "Arezzo"))
                #expect(why.subject.kind == .file)
                #expect(why.subject.name == "dome.jpg")
            }
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "Duomo", category: nil, trip: "Arezzo"))
            let unclear = await #expect(throws: APIError.self) {
                try await agent.service.call(\.agent.why, id: "Duomo", WhyScope())
            }
            #expect(unclear?.code == .ambiguous)
            #expect(
                unclear?.candidates.map(\.name).sorted()
                    == ["Duomo (memory, Arezzo)", "Duomo (tag, Arezzo)"])
            await #expect(throws: APIError.unknown(.thing, "Nothing")) {
                try await agent.service.call(\.agent.why, id: "Nothing", WhyScope())
            }
        }
    }
}
