import Foundation
import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Trips and memories of one device")
struct JournalServiceTests {
    private func draft(_ trip: String, title: String = "Duomo") -> MemoryDraft {
        var draft = MemoryDraft(trip: trip)
        draft.title = title
        return draft
    }

    @Test("A trip is created, found by a part of its name, renamed and deleted")
    func trip() async throws {
        try await OfflineDevice.with { agent in
            let made = try await agent.service.call(
                \.trips.create, TripDraft(name: " Arezzo 2008 "))
            #expect(made.name == "Arezzo 2008")
            #expect(made.role == .admin)
            #expect(made.membership == .member)
            #expect(made.state == .localOnly)
            #expect(made.memberCount == 1)
            #expect(try await agent.service.call(\.trips.show, id: "arez").id == made.id)

            let renamed = try await agent.service.call(
                \.trips.rename, id: made.shortID, TripRename(name: "Arezzo"))
            #expect(renamed.name == "Arezzo")
            #expect(try await agent.service.call(\.trips.list).map(\.name) == ["Arezzo"])

            let deleted = try await agent.service.call(\.trips.delete, id: "Arezzo")
            #expect(deleted.id == made.id)
            #expect(try await agent.service.call(\.trips.list).isEmpty)
            let shown = try await agent.service.call(\.trips.show, id: "Arezzo")
            #expect(shown.membership == .deleted && shown.deletion?.isMine == true)
            let error = await #expect(throws: APIError.self) {
                try await agent.service.call(\.trips.sharing.members, id: "Arezzo")
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test("The only member of a trip cannot leave it")
    func lastMember() async throws {
        try await OfflineDevice.with { agent in
            let trip = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "Nobody else has “Arezzo”; it would be lost when you leave.",
                    hint: """
                        Give it to someone first, or delete it: \
                        peersync trip delete Arezzo
                        """)
            ) {
                try await agent.service.call(\.trips.sharing.leave, id: "Arezzo")
            }
            let members = try await agent.service.call(\.trips.sharing.members, id: trip.id)
            #expect(members.map(\.person.name) == ["Ann"])
            #expect(members.first?.founder == true)
            #expect(members.first?.me == true)
            #expect(members.first?.devices.map(\.name) == ["laptop"])
        }
    }

    @Test("A memory keeps all its values, and the same file only once")
    func memory() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            _ = try await agent.service.call(
                \.bucket.add, BucketItemDraft(title: "See the Duomo", trip: nil))
            var draft = draft("Arezzo")
            draft.text = "Öl & Brot 🍞\nzwei Zeilen"
            draft.at = Moment(milliseconds: 1_224_685_680_000, offsetMinutes: 120)
            draft.position = Position(latitude: -33.9, longitude: 151.2, radius: 5)
            draft.locationName = "Arezzo"
            draft.weather = "sun"
            draft.tags = ["Food", "art", "food"]
            draft.bucketItem = "see the"
            let path = try agent.file("one.bin", "first")
            draft.photoPaths = [path, try agent.file("two.bin", "second"), path]
            draft.trackPath = try agent.file("walk.gpx", Self.track)

            let memory = try await agent.service.call(\.memories.add, draft)

            #expect(memory.title == "Duomo")
            #expect(memory.text == draft.text)
            #expect(memory.at == draft.at)
            #expect(memory.position == draft.position)
            #expect(memory.locationName == "Arezzo")
            #expect(memory.weather == "sun")
            #expect(memory.tags.map(\.name) == ["Food", "art"])
            #expect(memory.bucketItem?.name == "See the Duomo")
            #expect(memory.media.map(\.fileName) == ["one.bin", "two.bin"])
            #expect(memory.media.map(\.bytes) == [5, 6])
            #expect(memory.media.map(\.bytesHere) == [5, 6])
            #expect(memory.track?.points == 2)
            #expect(memory.track?.fileName == "walk.gpx")
            #expect(memory.author.name == "Ann")
            #expect(memory.conflicts.isEmpty)
            #expect(memory.status == .localOnly)
            // Files of a kind that cannot be drawn here cause no error.
            #expect(
                memory.notices == ["one.bin is in this memory already and was not added again."]
            )
            #expect(
                try await agent.service.call(\.memories.show, id: memory.shortID).seen
                    == memory.seen)

            let files = try await agent.service.call(\.media.list, MediaFilter(memory: "Duomo"))
            #expect(files.map(\.fileName) == ["one.bin", "two.bin", "walk.gpx"])
            let digest = try await agent.service.call(\.trips.digest, id: "Arezzo")
            #expect(digest.filesVerified == 3)
            #expect(digest.filesTotal == 3)
        }
    }

    private static let track = """
        <gpx version="1.1"><trk><trkseg>
        <trkpt lat="43.46" lon="11.88"><time>2008-10-22T14:28:00Z</time></trkpt>
        <trkpt lat="43.47" lon="11.89"><time>2008-10-22T14:48:00Z</time></trkpt>
        </trkseg></trk></gpx>
        """

    @Test("A memory without time and place takes those of its track")
    func fromTrack() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.trackPath = try agent.file("walk.gpx", Self.track)
            let memory = try await agent.service.call(\.memories.add, draft)
            #expect(memory.at?.milliseconds == 1_224_685_680_000)
            #expect(memory.position?.latitude == 43.46)
        }
    }

    @Test("Memories come in parts by time, all of one time together, those without one last")
    func parts() async throws {
        try await OfflineDevice.with { agent in
            // Given memories of two trips, some of one time and some without
            for trip in ["Arezzo", "Siena"] {
                _ = try await agent.service.call(\.trips.create, TripDraft(name: trip))
            }
            let all: [(trip: String, title: String, at: Int64?)] = [
                ("Arezzo", "a", 1000), ("Siena", "b", 2000), ("Arezzo", "c", 2000),
                ("Siena", "d", 2000), ("Arezzo", "e", 3000), ("Siena", "f", nil),
                ("Arezzo", "g", nil),
            ]
            for (trip, title, at) in all {
                var draft = draft(trip, title: title)
                draft.at = at.map { Moment(milliseconds: $0) }
                _ = try await agent.service.call(\.memories.add, draft)
            }
            func parts(_ change: (inout MemoryFilter) -> Void) async throws -> [[String]] {
                var filter = MemoryFilter()
                change(&filter)
                var parts: [[String]] = []
                while true {
                    let part = try await agent.service.call(\.memories.list, filter)
                    parts.append(part.map(\.title))
                    guard let next = filter.next(behind: part) else { return parts }
                    filter = next
                }
            }

            // When they are asked for part by part, then none is missing and none comes twice
            #expect(
                try await parts { $0.limit = 2 } == [["a", "b", "c", "d"], ["e", "f", "g"]])
            #expect(
                try await parts { ($0.limit, $0.trip) = (1, "Arezzo") } == [
                    ["a"], ["c"], ["e"], ["g"],
                ])
            #expect(
                try await parts {
                    ($0.limit, $0.since) = (1, Moment(milliseconds: 2000))
                } == [["b", "c", "d"], ["e"], []])
            await #expect(throws: APIError.self) {
                try await parts { ($0.limit, $0.tag) = (1, "art") }
            }
            await #expect(throws: APIError.self) { try await parts { $0.limit = 0 } }
        }
    }

    @Test("Memories are found by tag, time, place and text")
    func filters() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var duomo = draft("Arezzo")
            duomo.at = Moment(milliseconds: 2000)
            duomo.position = Position(latitude: 43.46, longitude: 11.88)
            duomo.tags = ["Art"]
            duomo.text = "Das Kreuz von Cimabue"
            var pizza = draft("Arezzo", title: "Pizza")
            pizza.at = Moment(milliseconds: 1000)
            pizza.position = Position(latitude: 48.2, longitude: 16.4)
            pizza.tags = ["food"]
            _ = try await agent.service.call(\.memories.add, duomo)
            _ = try await agent.service.call(\.memories.add, pizza)
            func titles(_ change: (inout MemoryFilter) -> Void) async throws -> [String] {
                var filter = MemoryFilter()
                change(&filter)
                return try await agent.service.call(\.memories.list, filter).map(\.title)
            }
            #expect(try await titles { _ in } == ["Pizza", "Duomo"])
            #expect(try await titles { $0.tag = "art" } == ["Duomo"])
            #expect(try await titles { $0.since = Moment(milliseconds: 2000) } == ["Duomo"])
            #expect(try await titles { $0.until = Moment(milliseconds: 2000) } == ["Pizza"])
            #expect(try await titles { $0.text = "cimabue" } == ["Duomo"])
            #expect(try await titles { $0.text = "FOOD" } == ["Pizza"])
            #expect(
                try await titles {
                    $0.near = .init(latitude: 43.47, longitude: 11.88, radius: 2000)
                } == ["Duomo"])
            await #expect(throws: APIError.unknown(.tag, "fod", similar: ["food"])) {
                try await titles { $0.tag = "fod" }
            }
        }
    }

    @Test("A part of a name is enough for a tag; a similar one is suggested")
    func tagsByPart() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = draft("Arezzo")
            draft.tags = ["golden hour", "art"]
            _ = try await agent.service.call(\.memories.add, draft)
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "blue sky", category: nil, trip: nil))
            func tagged(_ tag: String) async throws -> Int {
                var filter = MemoryFilter()
                filter.tag = tag
                return try await agent.service.call(\.memories.list, filter).count
            }
            #expect(try await tagged("hour") == 1)
            // An own tag that no memory has yet.
            #expect(try await tagged("sky") == 0)
            let thrown = await #expect(throws: APIError.self) { try await tagged("huor") }
            #expect(thrown == .unknown(.tag, "huor", similar: ["golden hour"]))
            var changes = MemoryChanges()
            changes.removeTags = ["hour"]
            let memory = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            #expect(memory.tags.map(\.name) == ["art"])
        }
    }

    @Test("An edit changes only the given fields; the order of photos stays")
    func edit() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = draft("Arezzo")
            draft.tags = ["art"]
            draft.photoPaths = [try agent.file("a.bin", "a"), try agent.file("b.bin", "b")]
            _ = try await agent.service.call(\.memories.add, draft)
            var changes = MemoryChanges()
            changes.title = "Dom"
            changes.addTags = ["church"]
            changes.removeTags = ["ART"]
            changes.addPhotoPaths = [try agent.file("c.bin", "c"), try agent.file("a2.bin", "a")]
            changes.removeMedia = ["b.bin"]
            changes.trackPath = try agent.file("walk.gpx", Self.track)

            let memory = try await agent.service.call(\.memories.edit, id: "Duomo", changes)

            #expect(memory.title == "Dom")
            #expect(memory.tags.map(\.name) == ["church"])
            #expect(memory.media.map(\.fileName) == ["a.bin", "c.bin"])
            #expect(
                memory.notices.contains(
                    "a2.bin is in this memory already and was not added again."))
            #expect(memory.track != nil)

            var more = MemoryChanges()
            more.clear = [.track]
            more.addPhotoPaths = [try agent.file("b.bin", "b")]
            let again = try await agent.service.call(\.memories.edit, id: "Dom", more)
            #expect(again.track == nil)
            #expect(again.media.map(\.fileName) == ["a.bin", "c.bin", "b.bin"])
            await #expect(throws: APIError.nothingToChange) {
                try await agent.service.call(\.memories.edit, id: "Dom", MemoryChanges())
            }

            let deleted = try await agent.service.call(\.memories.delete, id: "Dom")
            #expect(deleted.media.count == 3)
            #expect(try await agent.service.call(\.memories.list, MemoryFilter()).isEmpty)
            #expect(try await agent.service.call(\.media.list, MediaFilter()).isEmpty)
        }
    }

    @Test(
        "A home tag with its category, and a bucket item, are copied into the trip that uses them")
    func copies() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            _ = try await agent.service.call(
                \.tags.add, TagDraft(name: "Food", category: "Everyday", trip: nil))
            _ = try await agent.service.call(
                \.bucket.add, BucketItemDraft(title: "Eat ribollita", trip: nil))
            var draft = draft("Arezzo")
            draft.tags = ["food"]
            draft.bucketItem = "eat"
            _ = try await agent.service.call(\.memories.add, draft)

            let tags = try await agent.service.call(\.tags.list, ListFilter(trip: "Arezzo"))
            #expect(tags.map(\.name) == ["Food"])
            #expect(tags.map(\.category) == ["Everyday"])
            #expect(tags.map(\.memoryCount) == [1])
            #expect(
                try await agent.service.call(\.tags.list, ListFilter()).map(\.memoryCount) == [1])

            let done = try await agent.service.call(\.bucket.finish, id: "eat")
            #expect(done.done)
            #expect(done.trip == nil)
            let there = try await agent.service.call(\.bucket.list, ListFilter(trip: "Arezzo"))
            #expect(there.map(\.done) == [true])
        }
    }

    @Test("An exported original has the bytes that were added, and nothing is overwritten")
    func export() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = draft("Arezzo")
            draft.photoPaths = [try agent.file("a.bin", "abc")]
            _ = try await agent.service.call(\.memories.add, draft)
            let target = agent.folder + "/out.bin"
            let written = try await agent.service.call(
                \.media.export, id: "a.bin", ExportTarget(path: target))
            #expect(written.path == target)
            #expect(
                written.sha256
                    == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("abc".utf8))
            let error = await #expect(throws: APIError.self) {
                try await agent.service.call(
                    \.media.export, id: "a.bin", ExportTarget(path: target))
            }
            #expect(error?.sentence.contains("exists") == true)
        }
    }

    @Test("A folder that takes no file is named, and says to name another one")
    func exportRefused() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = draft("Arezzo")
            draft.photoPaths = [try agent.file("a.bin", "abc")]
            _ = try await agent.service.call(\.memories.add, draft)
            for folder in ["/proc", agent.folder + "/a.bin"] {
                let error = await #expect(throws: APIError.self) {
                    try await agent.service.call(
                        \.media.export, id: "a.bin", ExportTarget(path: folder + "/x"))
                }
                let said = "No new file can be written to the folder \(folder)"
                #expect(error?.sentence.hasPrefix(said) == true)
                #expect(error?.hint == "Give a folder in which you may write: --to FOLDER")
                #expect(error?.code == .badInput)
            }
        }
    }

    @Test("Wrong input is refused before anything is written")
    func refused() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            await #expect(throws: APIError.emptyMemory) {
                try await agent.service.call(\.memories.add, MemoryDraft(trip: "Arezzo"))
            }
            var draft = draft("Arezzo")
            draft.photoPaths = ["/nowhere/x.jpg"]
            await #expect(throws: APIError.noSuchFile("/nowhere/x.jpg")) {
                try await agent.service.call(\.memories.add, draft)
            }
            let empty = try agent.file("empty.jpg", "")
            draft.photoPaths = [empty]
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "The file \(empty) is empty: nothing was added.",
                    hint: "Copy it again from the camera or a backup, or leave it out.")
            ) {
                try await agent.service.call(\.memories.add, draft)
            }
            draft.photoPaths = []
            draft.trackPath = try agent.file("no.gpx", "<gpx></gpx>")
            await #expect(throws: APIError.self) {
                try await agent.service.call(\.memories.add, draft)
            }
            draft.trackPath = nil
            draft.position = Position(latitude: 91, longitude: 0)
            await #expect(throws: InputCheck.badPosition) {
                try await agent.service.call(\.memories.add, draft)
            }
            #expect(try await agent.service.call(\.memories.list, MemoryFilter()).isEmpty)
        }
    }
}
