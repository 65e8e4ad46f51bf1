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
}
