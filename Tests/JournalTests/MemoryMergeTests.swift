import LocalAPI
import TestDevices
import Testing

@Suite("Making one memory of several")
struct MemoryMergeTests {
    private func track(_ latitude: String) -> String {
        """
        <gpx version="1.1"><trk><trkseg><trkpt lat="\(latitude)" lon="11.88"/></trkseg></trk></gpx>
        """
    }

    /// A trip with three memories: Duomo with a photo, Noon with the same photo, another one and a track, and Tower.
    private func trip(_ agent: OfflineDevice) async throws {
        _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
        let (one, two) = (try agent.file("a.bin", "photo a"), try agent.file("b.bin", "photo b"))
        var duomo = MemoryDraft(trip: "Arezzo")
        (duomo.title, duomo.text, duomo.tags, duomo.photoPaths) = ("Duomo", "High", ["art"], [one])
        var noon = MemoryDraft(trip: "Arezzo")
        (noon.title, noon.text, noon.tags) = ("Noon", "Hot", ["art", "food"])
        (noon.weather, noon.at) = ("sunny", Moment(milliseconds: 1_000_000, offsetMinutes: 60))
        (noon.photoPaths, noon.again) = ([two, one], true)
        noon.trackPath = try agent.file("walk.gpx", track("43.46"))
        var tower = MemoryDraft(trip: "Arezzo")
        (tower.title, tower.text, tower.weather) = ("Tower", "Old", "rain")
        for draft in [duomo, noon, tower] {
            _ = try await agent.service.call(\.memories.add, draft)
        }
        _ = try await agent.service.call(
            \.media.edit, id: "b.bin", MediaChanges(caption: "The sea"))
    }

    @discardableResult
    private func merge(
        _ agent: OfflineDevice, _ names: [String], into name: String = "Duomo", trip: String? = nil
    ) async throws -> MemoryView {
        try await agent.service.call(
            \.memories.merge, MemoryMergeDraft(memories: names, into: name, trip: trip))
    }

    private func digest(_ agent: OfflineDevice) async throws -> String {
        try await agent.service.call(\.trips.digest, id: "Arezzo").digest
    }

    /// What the memories and their parts show; a digest also tells a field that is empty again from one that was never
    /// written.
    private func fields(_ agent: OfflineDevice) async throws -> [[String: FieldValue]] {
        var found: [[String: FieldValue]] = []
        for collection in ["memory", "media", "track"] {
            let filter = RecordFilter(space: "Arezzo", collection: collection)
            found += try await agent.service.call(\.records.list, filter).records.map(\.fields)
        }
        return found
    }

    private func refusal(
        _ agent: OfflineDevice, _ names: [String], into name: String = "Duomo"
    ) async throws -> APIError? {
        let before = try await digest(agent)
        let error = await #expect(throws: APIError.self) {
            try await merge(agent, names, into: name)
        }
        #expect(try await digest(agent) == before)
        return error
    }

    @Test(
        "Photos, tracks, tags and texts come to the memory that stays, and the others go to the bin"
    )
    func whole() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trip(agent)
            let before = try await agent.service.call(\.memories.show, id: "Noon")
            // when
            let kept = try await merge(agent, ["Noon", "Tower", "Noon"])
            // then
            #expect(kept.title == "Duomo" && kept.text == "High\n\nHot\n\nOld")
            #expect(kept.tags.map(\.name) == ["art", "food"])
            #expect(kept.media.map(\.fileName) == ["a.bin", "b.bin"])
            #expect(kept.media.map(\.caption) == ["", "The sea"])
            let photo = before.media.first { $0.fileName == "b.bin" }
            #expect(kept.media.last?.id == photo?.id)
            #expect(kept.track?.blobID == before.track?.blobID && kept.track != nil)
            // Fields that it does not have come from the first that has them.
            #expect(kept.weather == "sunny" && kept.at == before.at)
            #expect(try await agent.titles() == ["Duomo"])
            let bin = try await agent.service.call(\.spaces.bin, BinFilter(space: "Arezzo"))
            #expect(Set(bin.map(\.name)) == ["Noon", "Tower"])
        }
    }

    @Test("The log tells of photos with the memory to which they were added, also after a merge")
    func told() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trip(agent)
            try await merge(agent, ["Noon"])
            // when
            let log = try await agent.service.call(
                \.changes.list, ChangeFilter(since: Moment(milliseconds: 0)))
            // then
            let added = log.entries.flatMap(\.changes).filter { $0.kind == .added }
            #expect(!added.contains { $0.whole?.name == "Duomo" })
            let noon = added.filter { $0.names == ["Noon"] }
            #expect(noon.flatMap(\.parts).reduce(0) { $0 + $1.count } == 3)
        }
    }

    @Test("A merge is one action: one undo restores all memories, and one redo merges them again")
    func undone() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trip(agent)
            let before = try await fields(agent)
            try await merge(agent, ["Noon", "Tower"])
            let after = try await fields(agent)
            // when, then
            try await undo(agent)
            #expect(try await fields(agent) == before)
            let noon = try await agent.service.call(\.memories.show, id: "Noon")
            #expect(noon.media.map(\.fileName) == ["b.bin", "a.bin"] && noon.track != nil)
            try await redo(agent)
            #expect(try await fields(agent) == after && before != after)
        }
    }

    @Test("A merge that cannot keep everything is refused with a sentence, and nothing changes")
    func refused() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trip(agent)
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Sydney"))
            var opera = MemoryDraft(trip: "Sydney")
            opera.title = "Opera"
            _ = try await agent.service.call(\.memories.add, opera)
            // when, then
            #expect(try await refusal(agent, ["Duomo"])?.sentence == "That is one and the same.")
            #expect(
                try await refusal(agent, ["Noon", "Opera"])?.sentence
                    == "Those memories are not all in one trip.")
            #expect(try await refusal(agent, ["Noon", "nothing"])?.code == .notFound)
            #expect(try await refusal(agent, []) == .nothingToChange)
            var changes = MemoryChanges()
            changes.trackPath = try agent.file("other.gpx", track("43.47"))
            _ = try await agent.service.call(\.memories.edit, id: "Tower", changes)
            #expect(
                try await refusal(agent, ["Noon", "Tower"])?.sentence
                    == "Several of them have a track, and a memory has only one. Nothing was merged."
            )
            #expect(try await merge(agent, ["Tower"]).track != nil)
        }
    }

    @Test(
        "It needs the right to write, and to delete another person's memory",
        arguments: [LocalAPI.Role.viewer, .contributor, .editor])
    func rights(role: LocalAPI.Role) async throws {
        try await OfflineDevice.shared(role) { ann, ben, space in
            // given
            try await ann.add("Noon")
            try ben.receive(space, from: ann)
            // when, then
            guard role != .editor else {
                #expect(try await merge(ben, ["Noon"]).title == "Duomo")
                return
            }
            #expect(try await refusal(ben, ["Noon"])?.code == .notAllowed)
            guard role == .contributor else { return }
            // They may delete their own memory.
            try await ben.add("Pizza")
            #expect(try await merge(ben, ["Pizza"]).title == "Duomo")
        }
    }

    @Test("A memory in conflict stays until somebody decides, so that no value is left behind")
    func conflict() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            for (agent, title) in [(ann, "Dom"), (ben, "Cathedral")] {
                var changes = MemoryChanges()
                changes.title = title
                _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            }
            try ann.receive(space, from: ben)
            try await ann.add("Noon")
            // when, then
            for (name, other) in [("Noon", "Cathedral"), ("Cathedral", "Noon")] {
                #expect(
                    try await refusal(ann, [name], into: other)?.sentence
                        == "“Cathedral” was changed on several devices at once. Nothing was merged."
                )
            }
        }
    }

    @Test(
        "A restored memory that gets the same files again does not take them from the one that stayed"
    )
    func restored() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trip(agent)
            try await merge(agent, ["Noon"])
            _ = try await agent.service.call(\.memories.restore, id: "Noon")
            var changes = MemoryChanges()
            changes.addPhotoPaths = [agent.folder + "/b.bin"]
            changes.trackPath = try agent.file("other.gpx", track("43.47"))
            changes.again = true
            // when
            let noon = try await agent.service.call(\.memories.edit, id: "Noon", changes)
            // then
            #expect(noon.media.map(\.fileName).contains("b.bin"))
            #expect(noon.track?.fileName == "other.gpx")
            let kept = try await agent.service.call(\.memories.show, id: "Duomo")
            #expect(kept.media.map(\.fileName) == ["a.bin", "b.bin"])
            #expect(kept.track?.fileName == "walk.gpx")
        }
    }

    @Test("A new track replaces the one that came with a merge")
    func newTrack() async throws {
        try await OfflineDevice.with { agent in
            // given
            try await trip(agent)
            try await merge(agent, ["Noon"])
            var changes = MemoryChanges()
            changes.trackPath = try agent.file("other.gpx", track("43.47"))
            // when
            let kept = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            // then
            #expect(kept.track?.fileName == "other.gpx")
            var none = MemoryChanges()
            none.clear = [.track]
            let without = try await agent.service.call(\.memories.edit, id: "Duomo", none)
            #expect(without.track == nil)
        }
    }
}
