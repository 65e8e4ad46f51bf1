import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("A shared trip, as both sides show all of it")
struct WholeReplicaTests {
    @Test("both sides agree after offline writes, a doubly written field, and a deletion")
    func edits() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            // Given two memories that both have
            try await ann.add("Piero")
            try ben.receive(space, from: ann)
            // When both write offline
            try await edit(ann) { ($0.locationName, $0.weather) = ("Arezzo", "sun") }
            try await edit(ben) { ($0.locationName, $0.text) = ("Toscana", "Seen by Ben") }
            try await ben.add("Vasari")
            _ = try await ann.service.call(\.memories.delete, id: "Piero")
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            // Then both sides show the same, and each knows what the other one has of it
            let anns = expected(trip: "local_only", vasari: "in_sync")
            let bens = expected(trip: "in_sync", vasari: "local_only")
            let (shown, shownByBen) = (try await ann.dump(), try await ben.dump())
            #expect(shown == anns)
            #expect(shownByBen == bens)
        }
    }

    private func expected(trip: String, vasari: String) -> String {
        """
        Arezzo (Ann admin, Ben editor): offline
          ! 1 entry in “Arezzo” was changed on several devices at once, and every version is kept.
          trip Arezzo: active true, name "Arezzo"; Ann, 1. change, \(trip)
          memory Duomo: location_name "Toscana", text "Seen by Ben", title "Duomo", weather "sun"; Ben, 2. change, conflict
            conflict: location_name
          memory Vasari: title "Vasari"; Ben, 3. change, \(vasari)
        """
    }

    private func edit(
        _ agent: OfflineDevice, _ change: (inout MemoryChanges) throws -> Void
    ) async throws {
        var changes = MemoryChanges()
        try change(&changes)
        _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
    }
}
