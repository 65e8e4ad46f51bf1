import LocalAPI
import Records
import TestDevices
import Testing

@Suite("Tags, list items and captions are changed, merged and deleted")
struct JournalListTests {
    /// Two trips with a memory each, tagged food with a tag of the person's own, and planned by one item.
    private func journal(_ body: (OfflineDevice) async throws -> Void) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "food", category: nil, trip: nil))
            _ = try await agent.service.call(
                \.bucket.add, BucketItemDraft(title: "Eat well", trip: nil))
            for trip in ["Arezzo", "Sydney"] {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: trip))
                var draft = MemoryDraft(trip: trip)
                draft.title = "Lunch in \(trip)"
                draft.tags = ["food"]
                draft.bucketItem = "Eat well"
                _ = try await agent.service.call(\.memories.add, draft)
            }
            try await body(agent)
        }
    }

    private func tags(of memory: String, in agent: OfflineDevice) async throws -> [String] {
        try await agent.service.call(\.memories.show, id: memory).tags.map(\.name)
    }

    @Test("an own tag gets its new name in all trips, and its old name is free")
    func renaming() async throws {
        try await journal { agent in
            // when
            let tag = try await agent.service.call(
                \.tags.edit, id: "food", TagChanges(name: "meals", category: "Leisure"))
            // then
            #expect(tag.name == "meals" && tag.category == "Leisure" && tag.memoryCount == 2)
            for trip in ["Arezzo", "Sydney"] {
                #expect(try await tags(of: "Lunch in \(trip)", in: agent) == ["meals"])
            }
            // A new tag with the old name is another tag.
            var changes = MemoryChanges()
            changes.addTags = ["food"]
            _ = try await agent.service.call(\.memories.edit, id: "Lunch in Arezzo", changes)
            #expect(try await tags(of: "Lunch in Arezzo", in: agent) == ["food", "meals"])
            #expect(try await tags(of: "Lunch in Sydney", in: agent) == ["meals"])
            let taken = APIError(
                code: .conflict, sentence: "There is a tag “FOOD” already.",
                hint: """
                    To have one instead of two: \
                    peersync tag merge meals FOOD
                    """)
            await #expect(throws: taken) {
                try await agent.service.call(
                    \.tags.edit, id: "meals", TagChanges(name: "FOOD", trip: "Arezzo"))
            }
            // An empty category removes its category.
            let plain = try await agent.service.call(
                \.tags.edit, id: "meals", TagChanges(category: ""))
            #expect(plain.category == nil && plain.name == "meals")
        }
    }

    @Test(
        "a tag made in a trip keeps its record when its name is used again after a change")
    func reusedName() async throws {
        try await journal { agent in
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "art", category: nil, trip: "Arezzo"))
            let renamed = try await agent.service.call(
                \.tags.edit, id: "art", TagChanges(name: "museum"))
            // when
            let again = try await agent.service.call(
                \.tags.add, TagDraft(name: "art", category: nil, trip: "Arezzo"))
            // then
            #expect(again.id != renamed.id)
            let names = try await agent.service.call(\.tags.list, ListFilter(trip: "Arezzo"))
            #expect(names.map(\.name) == ["art", "food", "museum"])
        }
    }

    @Test("a tag is replaced by another one on all memories, with one undo")
    func merging() async throws {
        try await journal { agent in
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "meals", category: nil, trip: nil))
            var changes = MemoryChanges()
            changes.addTags = ["meals"]
            _ = try await agent.service.call(\.memories.edit, id: "Lunch in Sydney", changes)
            // when
            let stays = try await agent.service.call(
                \.tags.merge, id: "food", MergeDraft(into: "meals", trip: nil))
            // then
            #expect(stays.name == "meals" && stays.memoryCount == 2)
            for trip in ["Arezzo", "Sydney"] {
                #expect(try await tags(of: "Lunch in \(trip)", in: agent) == ["meals"])
            }
            let own = try await agent.service.call(\.tags.list, ListFilter())
            #expect(own.map(\.name) == ["meals"])
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "That is one and the same.",
                    hint: "Name another one, or the first letters of its id.")
            ) {
                try await agent.service.call(
                    \.tags.merge, id: "meals", MergeDraft(into: "meals", trip: nil))
            }
        }
    }

    @Test("a deleted tag is removed from all memories, and restored to them from the bin")
    func deleting() async throws {
        try await journal { agent in
            // when
            let tag = try await agent.service.call(\.tags.delete, id: "food", ScopeFilter())
            // then
            #expect(tag.memoryCount == 2)
            #expect(try await tags(of: "Lunch in Arezzo", in: agent).isEmpty)
            let item = try await agent.service.call(
                \.spaces.restoreFromBin, id: "food", BinFilter(space: "Arezzo"))
            #expect(item.kind == "tag" && item.space?.name == "Arezzo")
            #expect(try await tags(of: "Lunch in Arezzo", in: agent) == ["food"])
            #expect(try await tags(of: "Lunch in Sydney", in: agent).isEmpty)
        }
    }

    @Test("an item of the list is changed with its copies, opened again, merged and deleted")
    func bucket() async throws {
        try await journal { agent in
            _ = try await agent.service.call(\.bucket.finish, id: "Eat well")
            // when
            let item = try await agent.service.call(
                \.bucket.edit, id: "Eat well",
                BucketItemChanges(title: "Eat very well", done: false))
            // then
            #expect(item.title == "Eat very well" && !item.done)
            for trip in ["Arezzo", "Sydney"] {
                let there = try await agent.service.call(\.bucket.list, ListFilter(trip: trip))
                #expect(there.map(\.title) == ["Eat very well"])
                #expect(there.map(\.done) == [false])
            }
            await #expect(throws: APIError.nothingToChange) {
                try await agent.service.call(
                    \.bucket.edit, id: "Eat very well", BucketItemChanges())
            }
            // when another one takes its place
            _ = try await agent.service.call(
                \.bucket.add, BucketItemDraft(title: "Taste Tuscany", trip: nil))
            let stays = try await agent.service.call(
                \.bucket.merge, id: "Eat very", MergeDraft(into: "Taste", trip: nil))
            // then
            #expect(stays.title == "Taste Tuscany")
            let memory = try await agent.service.call(\.memories.show, id: "Lunch in Arezzo")
            #expect(memory.bucketItem?.name == "Taste Tuscany")
            _ = try await agent.service.call(\.bucket.delete, id: "Taste", ScopeFilter())
            #expect(try await agent.service.call(\.bucket.list, ListFilter()).isEmpty)
            let without = try await agent.service.call(\.memories.show, id: "Lunch in Arezzo")
            #expect(without.bucketItem == nil)
        }
    }

    @Test("a merge is one action: one undo restores the tag to every memory of the trip")
    func mergeUndone() async throws {
        try await journal { agent in
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "art", category: nil, trip: "Arezzo"))
            _ = try await agent.service.call(
                \.tags.merge, id: "food", MergeDraft(into: "art", trip: "Arezzo"))
            #expect(try await tags(of: "Lunch in Arezzo", in: agent) == ["art"])
            // when
            let undone = try await agent.service.call(\.changes.undo, UndoDraft())
            // then
            #expect(undone.done)
            #expect(try await tags(of: "Lunch in Arezzo", in: agent) == ["food"])
            let there = try await agent.service.call(\.tags.list, ListFilter(trip: "Arezzo"))
            #expect(there.map(\.name) == ["art", "food"])
        }
    }

    @Test("a trip can be marked as over, and reopened")
    func closing() async throws {
        try await journal { agent in
            #expect(try await !agent.service.call(\.spaces.close, id: "Arezzo").active)
            let trips = try await agent.service.call(\.trips.list)
            #expect(trips.filter(\.active).map(\.name) == ["Sydney"])
            // Its records can still be changed.
            var changes = MemoryChanges()
            changes.title = "Late lunch"
            _ = try await agent.service.call(\.memories.edit, id: "Lunch in Arezzo", changes)
            #expect(try await agent.service.call(\.spaces.reopen, id: "Arezzo").active)
        }
    }
}
