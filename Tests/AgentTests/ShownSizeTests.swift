import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Counts and sizes of files are those of what is shown")
struct ShownSizeTests {
    private func add(_ agent: TestAgent, _ title: String, bytes: Int) async throws {
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = title
        draft.photoPaths = [
            try agent.file("\(title).txt", String(repeating: String(title.prefix(1)), count: bytes))
        ]
        _ = try await agent.service.call(\.memories.add, draft)
    }

    private func size(_ agent: TestAgent) async throws -> Int64 {
        try await agent.service.call(\.trips.show, id: "Arezzo").bytes
    }

    @Test("Encrypting a trip does not double its size, and what is deleted is no part of it")
    func encrypted() async throws {
        try await TestAgent.with { ann in
            // given
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            try await add(ann, "Duomo", bytes: 1000)
            try await add(ann, "Piazza", bytes: 3000)
            #expect(try await size(ann) == 4000)
            // when
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            // then
            let plain = try ann.node.store.files.plain(of: space)
            let sizes = try ann.node.store.files.named(of: space)
                .filter { !plain.contains($0.blob) }.map { Int64($0.size) }.sorted()
            #expect(plain.count == 2 && sizes.count == 2)
            #expect(try await size(ann) == sizes.reduce(0, +))
            var changes = MemoryChanges()
            changes.text = "Rain"
            _ = try await ann.service.call(\.memories.edit, id: "Piazza", changes)
            #expect(try await size(ann) == sizes.reduce(0, +))
            _ = try await ann.service.call(\.memories.delete, id: "Piazza")
            #expect(try await size(ann) == sizes.first)
            _ = try await ann.service.call(\.changes.undo, UndoDraft())
            #expect(try await size(ann) == sizes.reduce(0, +))
            _ = try await ann.service.call(\.trips.delete, id: "Arezzo")
            #expect(try ann.node.store.files.shownTotals(of: space).count == 2)
        }
    }

    @Test("A photo in two memories is counted once, and hides no replaced one")
    func twice() async throws {
        try await TestAgent.with { ann in
            // given
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            for title in ["Duomo", "Piazza"] {
                var draft = MemoryDraft(trip: "Arezzo")
                draft.title = title
                draft.photoPaths = [try ann.file("photo.txt", "the same photo")]
                draft.again = true
                _ = try await ann.service.call(\.memories.add, draft)
            }
            #expect(try await size(ann) == 14)
            // when
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            // then
            let plain = try ann.node.store.files.plain(of: space)
            let shown = try ann.node.store.files.shown(of: space)
            #expect(!plain.isEmpty && shown.isDisjoint(with: plain))
            #expect(try ann.node.store.files.shownTotals(of: space).count == shown.count)
        }
    }

    @Test("What a lost device had counts each photo once")
    func lost() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            try await add(ann, "Piazza", bytes: 1000)
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            try ben.receive(space, from: ann)
            #expect(try ann.node.store.files.counts(of: space).named == 2)
            // when
            let device = ann.node.reference(ben.node.identity.deviceID).id
            let view = try await ann.service.call(
                \.devices.lost, id: device, LostDraft(preview: true))
            // then
            #expect(view.trips.first { $0.trip?.name == "Arezzo" }?.files == 1)
        }
    }
}
