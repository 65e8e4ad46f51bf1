import Agent
import Device
import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Deleted records")
struct BinTests {
    @Test(
        "The bin lists each deleted trip, memory and record once, latest first, and restores it whole"
    )
    func bin() async throws {
        try await TestAgent.with { agent in
            for trip in ["Arezzo", "Sydney"] {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: trip))
            }
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [try agent.file("a.bin", "a"), try agent.file("b.bin", "b")]
            _ = try await agent.service.call(\.memories.add, draft)
            _ = try await agent.service.call(
                \.bucket.add, BucketItemDraft(title: "See Rome", trip: nil))
            #expect(try await agent.service.call(\.spaces.bin, BinFilter()).isEmpty)
            // when
            _ = try await agent.service.call(\.memories.delete, id: "Duomo")
            _ = try await agent.service.call(\.bucket.delete, id: "See Rome", ScopeFilter())
            _ = try await agent.service.call(\.trips.delete, id: "Sydney")
            // then
            let items = try await agent.service.call(\.spaces.bin, BinFilter())
            #expect(items.map(\.name) == ["Sydney", "See Rome", "Duomo"])
            #expect(items.map(\.kind) == ["trip", "bucket item", "memory"])
            #expect(items.map(\.space?.name) == [nil, nil, "Arezzo"])
            #expect(items.map(\.parts) == [0, 0, 2])
            #expect(items.allSatisfy { $0.by.name == "Ann" })
            #expect(
                try await agent.service.call(\.spaces.bin, BinFilter(space: "Arezzo")).map(\.name)
                    == ["Duomo"])
            for name in ["Duomo", "Rome", "Sydney"] {
                _ = try await agent.service.call(
                    \.spaces.restoreFromBin, id: name, BinFilter())
            }
            #expect(try await agent.service.call(\.spaces.bin, BinFilter()).isEmpty)
            #expect(
                try await agent.service.call(\.memories.show, id: "Duomo").media.count == 2)
            #expect(try await agent.service.call(\.trips.list).count == 2)
            #expect(try await agent.service.call(\.bucket.list, ListFilter()).count == 1)
        }
    }

    @Test("A photo removed by itself is in the bin; one removed with its memory is not")
    func photo() async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [try agent.file("a.bin", "a"), try agent.file("b.bin", "b")]
            _ = try await agent.service.call(\.memories.add, draft)
            var changes = MemoryChanges()
            changes.removeMedia = ["a.bin"]
            _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            func names() async throws -> [String] {
                try await agent.service.call(\.spaces.bin, BinFilter()).map(\.name)
            }
            #expect(try await names() == ["a.bin"])
            _ = try await agent.service.call(\.memories.delete, id: "Duomo")
            let items = try await agent.service.call(\.spaces.bin, BinFilter())
            #expect(items.map(\.name) == ["Duomo"])
            #expect(items.map(\.parts) == [1])
            // It was removed before, and stays removed when the memory is restored.
            _ = try await agent.service.call(
                \.spaces.restoreFromBin, id: "Duomo", BinFilter())
            #expect(try await names() == ["a.bin"])
            #expect(
                try await agent.service.call(\.memories.show, id: "Duomo").media.map(\.fileName)
                    == ["b.bin"])
        }
    }

    @Test("It shows as many days as are set, and everything on request")
    func days() async throws {
        try await TestAgent.with { agent in
            // given a memory that was deleted ten days ago
            let trip = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let space = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            try await agent.add("Duomo")
            _ = try await agent.service.call(\.memories.delete, id: "Duomo")
            let now = agent.node.clock.wall.value
            try await agent.node.redate(
                Redating(
                    device: agent.node.identity.deviceID, span: now - 60_000...now + 60_000,
                    offsetMilliseconds: -10 * 86_400_000), in: space)
            for (days, isShown) in [(nil, true), ("9", false), ("11", true)] {
                // when
                _ = try await agent.service.call(
                    \.agent.setSetting, id: "bin-days", SettingDraft(value: days))
                // then
                let items = try await agent.service.call(\.spaces.bin, BinFilter())
                #expect(items.map(\.name) == (isShown ? ["Duomo"] : []))
                let all = try await agent.service.call(\.spaces.bin, BinFilter(all: true))
                #expect(all.map(\.name) == ["Duomo"])
            }
        }
    }

    @Test("Records that nobody deleted are not in the bin")
    func unknown() async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let error = await #expect(throws: APIError.self) {
                try await agent.service.call(
                    \.spaces.restoreFromBin, id: "Arezzo", BinFilter())
            }
            #expect(error?.code == .notFound)
        }
    }
}
