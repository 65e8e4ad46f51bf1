import Agent
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("The words of why about changes that do not count")
struct UncountedWhyTests {
    @Test("A writer who may only read by now is told that a later edit does not count")
    func later() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            let before = try await ben.service.call(\.agent.why, id: "Duomo", WhyScope())
            var edit = MemoryChanges()
            edit.text = "Late."
            _ = try await ben.service.call(\.memories.edit, id: "Duomo", edit)
            // when
            try ben.receive(space, from: ann)
            let after = try await ben.service.call(\.agent.why, id: "Duomo", WhyScope())
            // then
            #expect(!before.verdict.contains("does not count"), "\(before.verdict)")
            #expect(
                after.verdict.hasSuffix(
                    """
                    1 change of it does not count, because its author had no right to write it any more: \
                    peersync orphans Arezzo
                    """), "\(after.verdict)")
        }
    }

    @Test("A record that only such a change made is not in the trip, and the command is named")
    func made() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            var memory = MemoryDraft(trip: "Arezzo")
            memory.title = "Fountain"
            _ = try await ben.service.call(\.memories.add, memory)
            // when
            try ben.receive(space, from: ann)
            // then
            let error = await #expect(throws: APIError.self) {
                try await ben.service.call(\.agent.why, id: "Fountain", WhyScope())
            }
            #expect(
                error?.sentence
                    == "“Fountain” is not in “Arezzo”: only changes that do not count have it.")
            #expect(error?.hint?.hasSuffix("peersync orphans Arezzo") == true)
            await #expect(throws: APIError.unknown(.thing, "Fontana")) {
                try await ben.service.call(\.agent.why, id: "Fontana", WhyScope())
            }
        }
    }

    @Test("Such a change is found after its collection was renamed")
    func renamed() async throws {
        func document(_ version: Int, _ collection: String) -> String {
            """
            schema: 1
            name: shelf
            version: \(version)
            collections: { \(collection) fields: { name: { type: text }, note: { type: text } } } }
            """
        }
        try await TestAgent.pair { ann, ben in
            // given
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document(1, "thing: {")))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            _ = try await ann.service.call(
                \.records.add,
                RecordDraft(space: "Home", collection: "thing", fields: ["name": .text("Box")]))
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Home", GrantDraft(person: "Ben", role: .editor))
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Home", GrantDraft(person: "Ben", role: .viewer))
            var changes = RecordChanges(space: "Home", collection: "thing")
            changes.fields = ["note": .text("Late.")]
            _ = try await ben.service.call(\.records.change, id: "Box", changes)
            // when
            _ = try await ann.service.call(
                \.spaces.changeSchema, id: "Home",
                SchemaChange(document: document(2, "item: { was: thing,")))
            try ann.receive(space, from: ben)
            // then
            let why = try await ann.service.call(\.agent.why, id: "Box", WhyScope())
            #expect(
                why.verdict.contains("1 change of it does not count"), "\(why.verdict)")
        }
    }
}
