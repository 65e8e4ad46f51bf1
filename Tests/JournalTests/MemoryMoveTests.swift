import Device
import Journal
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Moving memories to another trip")
struct MemoryMoveTests {
    private let track = """
        <gpx version="1.1"><trk><trkseg><trkpt lat="43.46" lon="11.88"/></trkseg></trk></gpx>
        """

    /// Trips of these names, the first with a memory that has all kinds of data.
    private func trips(
        _ agent: OfflineDevice, _ names: [String] = ["Arezzo", "Sydney"],
        encrypted: Set<String> = []
    ) async throws {
        for name in names {
            _ = try await agent.service.call(
                \.trips.create, TripDraft(name: name, encrypted: encrypted.contains(name)))
        }
        _ = try await agent.service.call(
            \.tags.add, TagDraft(name: "food", category: "Leisure", trip: names[0]))
        _ = try await agent.service.call(
            \.bucket.add, BucketItemDraft(title: "See Rome", trip: names[0]))
        var draft = MemoryDraft(trip: names[0])
        (draft.title, draft.text, draft.weather) = ("Duomo", "High", "sunny")
        draft.at = Moment(milliseconds: 1_000_000, offsetMinutes: 60)
        (draft.tags, draft.bucketItem) = (["food", "art"], "See Rome")
        draft.photoPaths = try ["a", "b"].map { try agent.file("\($0).bin", "photo \($0)") }
        draft.trackPath = try agent.file("walk.gpx", track)
        _ = try await agent.service.call(\.memories.add, draft)
        _ = try await agent.service.call(
            \.media.edit, id: "b.bin", MediaChanges(caption: "At noon"))
        _ = try await agent.service.call(
            \.media.edit, id: "b.bin", MediaChanges(place: RecordPlace(first: true)))
    }

    private func move(
        _ agent: OfflineDevice, _ names: [String] = ["Duomo"], to trip: String = "Sydney",
        from: String? = nil
    ) async throws -> [MemoryView] {
        try await agent.service.call(
            \.memories.move, MoveDraft(memories: names, to: trip, from: from))
    }

    private func titles(_ agent: OfflineDevice, _ trip: String) async throws -> [String] {
        var filter = MemoryFilter()
        filter.trip = trip
        return try await agent.service.call(\.memories.list, filter).map(\.title).sorted()
    }

    private func digests(_ agent: OfflineDevice, _ names: [String]) async throws -> [String] {
        var digests: [String] = []
        for name in names {
            digests.append(try await agent.service.call(\.trips.digest, id: name).digest)
        }
        return digests
    }

    @Test("All parts of a memory move with it, and its tags and its list item are there")
    func whole() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trips(agent)
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "Art", category: nil, trip: "Sydney"))
            let before = try await agent.service.call(\.memories.show, id: "Duomo")
            // when
            let moved = try #require(try await move(agent).first)
            // then
            #expect(try await titles(agent, "Arezzo").isEmpty)
            let there = try await agent.service.call(\.memories.show, id: "Duomo")
            #expect(there.id == moved.id && there.id != before.id && there.trip.name == "Sydney")
            #expect(there.text == "High" && there.weather == "sunny" && there.at == before.at)
            #expect(there.tags.map(\.name) == ["Art", "food"])
            #expect(there.bucketItem?.name == "See Rome")
            #expect(there.media.map(\.fileName) == ["b.bin", "a.bin"])
            #expect(there.media.map(\.caption) == ["At noon", ""])
            #expect(there.media.map(\.blobID) == before.media.map(\.blobID))
            #expect(there.media.allSatisfy { $0.bytesHere == $0.bytes })
            #expect(there.track?.blobID == before.track?.blobID)
            #expect(there.origin?.author == "Ann")
            #expect(there.origin?.written?.milliseconds == before.changed.milliseconds)
            let tags = try await agent.service.call(\.tags.list, ListFilter(trip: "Sydney"))
            #expect(tags.map(\.name) == ["Art", "food"])
            #expect(tags.map(\.category) == [nil, "Leisure"])
            let deleted = try await agent.service.call(\.spaces.bin, BinFilter(space: "Arezzo"))
            #expect(deleted.map(\.name) == ["Duomo"])
        }
    }

    @Test(
        "A move of any number of memories is undone and redone in both trips at once")
    func undo() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trips(agent)
            try await agent.add("Pizza")
            let names = ["Arezzo", "Sydney"]
            let before = try await digests(agent, names)
            // when
            #expect(try await move(agent, ["Duomo", "Pizza", "Duomo"]).count == 2)
            let after = try await digests(agent, names)
            #expect(try await titles(agent, "Sydney") == ["Duomo", "Pizza"])
            // then: both trips show the same action
            for space in names {
                var draft = UndoDraft()
                draft.space = space
                #expect(try await agent.service.call(\.changes.undo, draft).commits == 2)
                #expect(try await titles(agent, "Arezzo") == ["Duomo", "Pizza"])
                #expect(try await titles(agent, "Sydney").isEmpty)
                let tags = try await agent.service.call(\.tags.list, ListFilter(trip: "Sydney"))
                #expect(tags.isEmpty)
                _ = try await agent.service.call(\.changes.redo, UndoDraft())
                #expect(try await titles(agent, "Arezzo").isEmpty)
                #expect(try await titles(agent, "Sydney") == ["Duomo", "Pizza"])
            }
            #expect(try await digests(agent, names) == after && before != after)
        }
    }

    @Test("A move is not half undone: if one trip is deleted it stays, and undo says so")
    func halfUndone() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trips(agent)
            _ = try await move(agent)
            _ = try await agent.service.call(\.trips.delete, id: "Arezzo")
            var draft = UndoDraft()
            draft.space = "Sydney"
            // when, then
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence:
                        "It was done in several trips, and in one of them you may not take it back now.",
                    hint: "Each part on its own: peersync memory delete, peersync bin restore")
            ) {
                try await agent.service.call(\.changes.undo, draft)
            }
            #expect(try await titles(agent, "Sydney") == ["Duomo"])
        }
    }

    @Test("A memory that cannot be moved is refused with a sentence, and nothing changes")
    func refused() async throws {
        try await OfflineDevice.with { agent in
            try await trips(agent)
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Rome"))
            var draft = MemoryDraft(trip: "Rome")
            draft.title = "Forum"
            _ = try await agent.service.call(\.memories.add, draft)
            let names = ["Arezzo", "Sydney", "Rome"]
            let before = try await digests(agent, names)
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "It is in “Arezzo” already.",
                    hint: "Name another trip: --to")
            ) {
                try await move(agent, to: "Arezzo")
            }
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "Those memories are not all in one trip.",
                    hint: "Move those of one trip at a time: --from")
            ) {
                try await move(agent, ["Duomo", "Forum"])
            }
            await #expect(throws: APIError.self) { try await move(agent, from: "Rome") }
            await #expect(throws: APIError.self) { try await move(agent, ["Duomo", "nothing"]) }
            await #expect(throws: APIError.nothingToChange) { try await move(agent, []) }
            #expect(try await digests(agent, names) == before)
            // A trip that is over accepts and releases memories, as it can still be changed.
            for trip in ["Arezzo", "Sydney"] {
                _ = try await agent.service.call(\.spaces.close, id: trip)
            }
            #expect(try await move(agent).count == 1)
        }
    }

    @Test(
        "It needs the right to write in both trips, and to delete another person's memory",
        arguments: [LocalAPI.Role.viewer, .contributor, .editor])
    func rights(role: LocalAPI.Role) async throws {
        try await OfflineDevice.shared(role) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.trips.create, TripDraft(name: "Sydney"))
            var own = MemoryDraft(trip: "Sydney")
            own.title = "Opera"
            _ = try await ben.service.call(\.memories.add, own)
            let before = try await digests(ben, ["Arezzo", "Sydney"])
            // when, then: out of the trip in which Ben has a role
            if role == .editor {
                let moved = try await move(ben)
                let shown = try await ben.service.call(\.memories.show, id: moved[0].id)
                #expect(shown.author.name == "Ben" && shown.origin?.author == "Ann")
            } else {
                let error = await #expect(throws: APIError.self) { try await move(ben) }
                #expect(error?.code == .notAllowed)
                #expect(try await digests(ben, ["Arezzo", "Sydney"]) == before)
            }
            // And into it.
            if role == .viewer {
                let error = await #expect(throws: APIError.self) {
                    try await move(ben, ["Opera"], to: "Arezzo")
                }
                #expect(error?.code == .notAllowed)
                #expect(try await digests(ben, ["Arezzo", "Sydney"]) == before)
            } else {
                #expect(try await move(ben, ["Opera"], to: "Arezzo").count == 1)
                // They may delete their own records.
                #expect(try await move(ben, ["Opera"], to: "Sydney").count == 1)
            }
        }
    }

    @Test("A memory in conflict stays until somebody decides, so that no value is left behind")
    func conflict() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            let memory = try await ann.service.call(\.memories.show, id: "Duomo").id
            for (agent, title) in [(ann, "Dom"), (ben, "Cathedral")] {
                var changes = MemoryChanges()
                changes.title = title
                _ = try await agent.service.call(\.memories.edit, id: memory, changes)
            }
            try ann.receive(space, from: ben)
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Sydney"))
            // when, then
            let refused = await #expect(throws: APIError.self) { try await move(ann, [memory]) }
            #expect(
                refused?.sentence
                    == "“Cathedral” was changed on several devices at once. Nothing was moved.")
            #expect(try await titles(ann, "Arezzo") == ["Cathedral"])
            let open = try await ann.service.call(\.conflicts.list, ScopeFilter())
            _ = try await ann.service.call(
                \.conflicts.resolve, id: #require(open.first).id, ConflictDecision(take: 1))
            #expect(try await move(ann, [memory]).count == 1)
        }
    }
}
