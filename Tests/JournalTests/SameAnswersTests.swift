import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("A memory and its record: the same answers")
struct SameAnswersTests {
    /// Ann's trip with one memory; Ben has it, too, and his writes have authority.
    private func shared(
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .editor, authority: true))
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    private func edit(
        _ agent: OfflineDevice, _ change: (inout MemoryChanges) throws -> Void
    ) async throws -> MemoryView {
        var changes = MemoryChanges()
        changes.again = true
        try change(&changes)
        return try await agent.service.call(\.memories.edit, id: "Duomo", changes)
    }

    private func record(_ agent: OfflineDevice) async throws -> RecordView {
        try await agent.service.call(
            \.records.show, id: "Duomo", RecordScope(space: "Arezzo", collection: "memory"))
    }

    private func memory(_ agent: OfflineDevice) async throws -> MemoryView {
        try await agent.service.call(\.memories.show, id: "Duomo")
    }

    private func exchange(_ one: OfflineDevice, _ other: OfflineDevice, _ space: SpaceID) throws {
        try one.receive(space, from: other)
        try other.receive(space, from: one)
    }

    @Test("the last author is that of the last write that counts, not the one with authority")
    func author() async throws {
        try await shared { ann, ben, space in
            func expectLast(_ name: String) async throws {
                for agent in [ann, ben] {
                    let (memory, record) = (try await memory(agent), try await record(agent))
                    #expect(memory.author.name == name && record.author.name == name)
                    #expect(memory.changed == record.changed)
                }
            }
            _ = try await edit(ben) { $0.text = "by Ben" }
            try exchange(ann, ben, space)
            try await expectLast("Ben")
            // Ann's text is kept behind Ben's.
            _ = try await edit(ann) { $0.text = "by Ann, later" }
            try exchange(ann, ben, space)
            try await expectLast("Ben")
            // Another field is newer than Ben's write with authority.
            _ = try await edit(ann) { $0.weather = "sun" }
            try exchange(ann, ben, space)
            try await expectLast("Ann")
        }
    }

    @Test("the same fields are in conflict, and so is a deletion")
    func conflicts() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await edit(ann) { ($0.locationName, $0.weather) = ("Siena", "sun") }
            _ = try await edit(ben) { ($0.locationName, $0.weather) = ("Arezzo", "sun") }
            try exchange(ann, ben, space)
            let one = try await memory(ann)
            #expect(one.conflicts.map(\.field) == ["location_name"])
            #expect(try await record(ann).conflicts == ["location_name"])
            // The shown value comes first.
            #expect(one.conflicts.first?.values.first?.text == one.locationName)
            #expect(Set(one.conflicts[0].values.map(\.author.name)) == ["Ann", "Ben"])
            // Deleted by both, and restored by Ann alone.
            _ = try await ann.service.call(\.memories.delete, id: "Duomo")
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.memories.restore, id: "Duomo")
            _ = try await ben.service.call(\.memories.delete, id: "Duomo")
            _ = try await ann.service.call(\.memories.restore, id: "Duomo")
            try exchange(ann, ben, space)
            for agent in [ann, ben] {
                let fields = try await memory(agent).conflicts.map(\.field)
                #expect(fields == ["deleted", "location_name"])
                #expect(try await record(agent).conflicts == fields)
                let open = try await agent.service.call(\.conflicts.list, ScopeFilter())
                #expect(open.map { $0.field ?? "deleted" } == fields)
            }
        }
    }

    @Test("a memory has as many files as its record, even if two people added the same one")
    func files() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            let paths = [try ann.file("a.bin", "a"), try ann.file("b.bin", "b")]
            _ = try await edit(ann) { $0.addPhotoPaths = paths }
            let trip = try await ann.service.call(\.trips.show, id: "Arezzo")
            #expect(try await fileCounts(ann, space) == [trip.mediaCount])
            #expect(trip.mediaCount == 2)
            try ben.receive(space, from: ann)
            _ = try await edit(ann) { $0.addPhotoPaths = [try ann.file("same.bin", "same")] }
            _ = try await edit(ben) {
                $0.addPhotoPaths = [try ben.file("same.bin", "same"), try ben.file("c.bin", "c")]
            }
            try exchange(ann, ben, space)
            #expect(try await fileCounts(ann, space) == [4])
            // A removed file is gone, even if somebody adds it again.
            _ = try await edit(ann) { $0.removeMedia = ["same.bin"] }
            #expect(try await fileCounts(ann, space) == [3])
        }
    }

    /// The memory's number of files, by each answer that counts them.
    private func fileCounts(_ agent: OfflineDevice, _ space: SpaceID) async throws -> Set<Int> {
        let schema = try agent.node.requireSchema(of: space)
        let reader = RecordReader(agent.node, space, schema)
        let memory = try await memory(agent)
        let entry = try #require(try reader.shown(in: "memory").first)
        let collection = try #require(schema.collection("memory"))
        let known = try RecordSyncStates(reader, isBulk: false).state(of: entry, in: collection)
        let list = try await agent.service.call(\.memories.list, MemoryFilter())
        return [
            known.files.count, memory.media.count, try #require(list.first).mediaCount,
            try await agent.media().count,
            try await agent.service.call(\.trips.show, id: "Arezzo").mediaCount,
        ]
    }

    @Test("writing the shown value again with authority gives it authority")
    func confirmed() async throws {
        try await shared { ann, ben, space in
            _ = try await edit(ann) { ($0.weather, $0.addTags) = ("sun", ["sea"]) }
            try ben.receive(space, from: ann)
            _ = try await edit(ben) { ($0.weather, $0.addTags) = ("sun", ["sea"]) }
            try ann.receive(space, from: ben)
            let after = try await edit(ann) { ($0.weather, $0.removeTags) = ("rain", ["sea"]) }
            #expect(after.weather == "sun" && after.tags.map(\.name) == ["sea"])
            #expect(try await record(ann).overruled.map(\.field) == ["weather", "tags"])
        }
    }

    @Test("adding existing elements again with authority gives them authority")
    func elements() async throws {
        try await shared { ann, ben, space in
            _ = try await edit(ann) { $0.addTags = ["sea"] }
            try ben.receive(space, from: ann)
            var changes = RecordChanges(space: "Arezzo", collection: "memory")
            changes.fields["tags"] = try await record(ben).fields["tags"]
            _ = try await ben.service.call(\.records.change, id: "Duomo", changes)
            try ann.receive(space, from: ben)
            let after = try await edit(ann) { $0.removeTags = ["sea"] }
            #expect(after.tags.map(\.name) == ["sea"])
        }
    }

    @Test("a bucket item that is done already, finished with authority, stays done")
    func bucketItem() async throws {
        try await shared { ann, ben, space in
            let draft = BucketItemDraft(title: "Ribollita", trip: "Arezzo")
            let item = try await ann.service.call(\.bucket.add, draft)
            _ = try await ann.service.call(\.bucket.finish, id: "Ribollita")
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.bucket.finish, id: "Ribollita")
            try ann.receive(space, from: ben)
            var changes = RecordChanges(space: "Arezzo", collection: "bucket_item")
            changes.fields["done"] = .boolean(false)
            let after = try await ann.service.call(\.records.change, id: item.id, changes)
            #expect(after.fields["done"] == .boolean(true))
        }
    }

    @Test("a photo restored with authority is not removed without it, and the error says so")
    func removal() async throws {
        try await shared { ann, ben, space in
            let path = try ann.file("a.bin", "a")
            let photo = try #require(try await edit(ann) { $0.addPhotoPaths = [path] }.media.first)
            try ben.receive(space, from: ann)
            let scope = RecordScope(space: "Arezzo", collection: "media")
            _ = try await ben.service.call(\.records.delete, id: photo.id, scope)
            _ = try await ben.service.call(\.records.restore, id: photo.id, scope)
            try ann.receive(space, from: ben)
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: "Somebody with authority said whether this is deleted.",
                    hint: "Only who writes with authority can change that.")
            ) {
                try await edit(ann) { $0.removeMedia = ["a.bin"] }
            }
            #expect(try await memory(ann).media.map(\.id) == [photo.id])
        }
    }
}
