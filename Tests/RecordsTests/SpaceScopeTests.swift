import Device
import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Which spaces are listed and found, by their scope")
struct SpaceScopeTests {
    @Test(
        "a scope has its spaces alone, and an existing one goes before a deleted one of the same name"
    )
    func scopes() async throws {
        try await OfflineDevice.with("Ann") { agent in
            // given one trip that was deleted, and another that has its name
            let first = try await agent.service.call(\.trips.create, TripDraft(name: "Sydney"))
            _ = try await agent.service.call(\.trips.delete, id: "Sydney")
            let directory = SpaceDirectory(agent.node)
            #expect(throws: APIError.self) { try directory.find("Sydney") }
            #expect(
                try directory.readable("Sydney", among: .withDeleted).id.description == first.id)
            let second = try await agent.service.call(\.trips.create, TripDraft(name: "Sydney"))

            // when
            let scopes: [SpaceDirectory.Scope] = [.shared, .deleted, [.shared, .deleted]]
            let listed = try scopes.map { try directory.list($0).map(\.id) }
            let existing = try directory.readable().map(\.name)
            let withDeleted = try directory.readable(.withDeleted).map(\.name)

            // then
            #expect(listed[0] == [second.id] && listed[1] == [first.id])
            #expect(Set(listed[2]) == [first.id, second.id])
            #expect(existing == ["Sydney", "home"])
            #expect(withDeleted == ["Sydney", "home", "Sydney"])
            for scope in [SpaceDirectory.Scope.existing, .withDeleted, .shared] {
                let found = try directory.readable("Sydney", among: scope)
                #expect(found.id.description == second.id)
            }
            #expect(try directory.readable("Sydney", among: .deleted).id.description == first.id)
            #expect(try directory.readable("home").known == nil)
            #expect(throws: APIError.self) { try directory.readable("home", among: .shared) }
        }
    }
}
