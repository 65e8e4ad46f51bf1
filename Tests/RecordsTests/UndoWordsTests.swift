import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import TestKit
import Testing

@Suite("What undo leaves to other commands, and its words")
struct UndoWordsTests {
    private func history(_ agent: OfflineDevice, _ record: String) async throws -> RecordHistoryView
    {
        try await agent.service.call(\.records.history, id: record, WhyScope(space: nil))
    }

    @Test("The creation, deletion or restoring of a trip is named when its id is to be undone")
    func namedSpaceChange() async throws {
        try await OfflineDevice.with { ann in
            // given
            let rome = try await ann.service.call(\.trips.create, TripDraft(name: "Rome"))
            func newest() throws -> [String] {
                try ann.node.store.past.commits(by: ann.node.identity.deviceID, limit: 10)
                    .filter { $0.space.description == rome.id }.map(\.commit.id.description)
            }
            func refused(_ message: String, _ commit: String) async {
                let error = await #expect(throws: APIError.self) {
                    try await undo(ann) { $0.commit = commit }
                }
                #expect(error?.sentence == message)
            }
            let made = try newest()
            // when, then
            for commit in made { await refused("That change created the trip “Rome”.", commit) }
            _ = try await ann.service.call(\.trips.delete, id: "Rome")
            let deletion = try #require(try newest().first)
            await refused("That change deleted “Rome”.", deletion)
            _ = try await ann.service.call(\.trips.restore, id: "Rome")
            await refused("That change brought back “Rome”.", try #require(try newest().first))
            #expect(try await ann.service.call(\.trips.list).map(\.name) == ["Rome"])
        }
    }

    @Test("Undo and redo pass through the dates before and after each redating")
    func redated() async throws {
        try await OfflineDevice.with { ann in
            // given
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            let device = ann.node.identity.deviceID
            let spaces = ann.node.store.ledgers.keys
            let space = try #require(spaces.first { $0.description == trip.id })
            // How far each change of the trip is moved, but for the redatings themselves.
            func offsets() throws -> Set<Int64> {
                let dated = try ann.node.store.log.datedCommits(of: device, in: space)
                return Set(
                    dated.sorted { $0.sequence < $1.sequence }.prefix(2).map {
                        Int64($0.clock.milliseconds) - Int64($0.raw.milliseconds)
                    })
            }
            let dates = RedateService(ann.node)
            for hours in [1, 2] as [Int64] {
                _ = try await dates.redate(
                    "laptop",
                    RedateDraft(
                        from: Moment(milliseconds: 0), offsetMilliseconds: hours * -3_600_000))
            }
            #expect(try offsets() == [-7_200_000])
            // when
            let view = try await undo(ann)
            // then
            #expect(view.redated?.device.name == "laptop" && view.redated?.changes ?? 0 >= 2)
            #expect(try offsets() == [-3_600_000])
            #expect(try await ann.titles() == ["Duomo"])
            // when, then
            try await undo(ann)
            #expect(try offsets() == [0])
            try await redo(ann)
            #expect(try offsets() == [-3_600_000])
            try await redo(ann)
            #expect(try offsets() == [-7_200_000])
            try await undo(ann)
            try await undo(ann)
            #expect(try offsets() == [0])
            #expect(try await ann.titles() == ["Duomo"])
            try await undo(ann)
            #expect(try await ann.titles().isEmpty)
        }
    }

    @Test("A redating in several spaces is one action, and one that `--undo` took back is none")
    func redatedAtOnce() async throws {
        try await OfflineDevice.with { ann in
            // given
            for name in ["Arezzo", "Siena"] {
                _ = try await ann.service.call(\.trips.create, TripDraft(name: name))
            }
            let dates = RedateService(ann.node)
            let earlier = RedateDraft(
                from: Moment(milliseconds: 0), offsetMilliseconds: -3_600_000)
            let spaces = try await dates.redate("laptop", earlier).trips.count
            // when
            let view = try await undo(ann)
            // then
            #expect(view.commits == spaces && spaces >= 2)
            await #expect(throws: APIError.self) {
                try await dates.redate("laptop", RedateDraft(undo: true))
            }
            // when
            _ = try await dates.redate("laptop", earlier)
            _ = try await dates.redate("laptop", RedateDraft(undo: true))
            let refused = await #expect(throws: APIError.self) { try await undo(ann) }
            // then
            #expect(refused?.sentence == "The last thing you did was to create the trip “Siena”.")
        }
    }

    private func weather(_ text: String) -> MemoryChanges {
        var changes = MemoryChanges()
        changes.weather = text
        return changes
    }

    @Test("If nothing is left to undo of the last action, the one before it is named, and stays")
    func spent() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            _ = try await ann.service.call(
                \.memories.edit, id: "Duomo", weather("sun"))
            let change = try #require(try await history(ann, "Duomo").changes.last?.shortID)
            try await ann.add("Piazza")
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.memories.delete, id: "Piazza")
            try ann.receive(space, from: ben)
            // when
            let refused = await #expect(throws: APIError.self) { try await undo(ann) }
            // then
            #expect(refused?.sentence == "Nothing is left to undo of the last thing you did.")
            #expect(
                refused?.hint?.hasSuffix("What you did before that: peersync undo \(change)")
                    == true)
            #expect(try await ann.service.call(\.memories.show, id: "Duomo").weather == "sun")
            try await undo(ann) { $0.commit = change }
            #expect(try await ann.service.call(\.memories.show, id: "Duomo").weather == "")
        }
    }

    @Test("An action between a value and the decision for it is not undone in the decision's place")
    func confirmedLater() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(
                \.memories.edit, id: "Duomo", weather("fog"))
            _ = try await ann.service.call(
                \.memories.edit, id: "Duomo", weather("sun"))
            try await ann.add("Piazza")
            try ann.receive(space, from: ben)
            let conflict = try #require(
                try await ann.service.call(\.conflicts.list, ScopeFilter(trip: "Arezzo")).first)
            let number = try #require(conflict.values.firstIndex { $0.text == "sun" }) + 1
            _ = try await ann.service.call(
                \.conflicts.resolve, id: conflict.shortID, ConflictDecision(take: number))
            // when
            let refused = await #expect(throws: APIError.self) { try await undo(ann) }
            // then
            #expect(refused?.sentence == "Nothing is left to undo of the last thing you did.")
            #expect(try await ann.titles() == ["Duomo", "Piazza"])
        }
    }

    @Test("A member who gives a space its first name did not create it")
    func namedByMember() async throws {
        try await OfflineDevice.pair { ann, ben in
            // given
            let space = try await ann.node.createSpace(
                .shared, following: ann.node.schemas.builtInPin, isEncrypted: false
            ) { _ in [] }
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: space.description,
                GrantDraft(person: "ben", role: .admin))
            try ben.receive(space, from: ann)
            // when
            _ = try await ben.service.call(
                \.trips.rename, id: space.description, TripRename(name: "Siena"))
            // then
            let error = await #expect(throws: APIError.self) { try await undo(ben) }
            #expect(error?.sentence == "There is nothing to undo.")
        }
    }

    @Test("Where no change is found, nothing is said to have been changed since")
    func nothingFound() async throws {
        try await OfflineDevice.with { ann in
            // given
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Rome"))
            // when
            let error = await #expect(throws: APIError.self) {
                try await undo(ann) {
                    $0.deletions = true
                    $0.since = Moment(milliseconds: 1)
                }
            }
            // then
            #expect(error?.sentence == "There is nothing to undo.")
        }
    }

    @Test("The values of a boolean field are words of the asker's language")
    func booleans() async throws {
        try await OfflineDevice.with { ann in
            // given
            let schema = """
                schema: 1
                name: list
                version: 1
                collections:
                  entry:
                    fields:
                      name: { type: text, required: true }
                      done: { type: boolean }
                """
            _ = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "List", document: schema))
            let entry = try await ann.service.call(
                \.records.add,
                RecordDraft(
                    space: "List", collection: "entry",
                    fields: ["name": .text("true"), "done": .boolean(false)]))
            var changes = RecordChanges(space: "List", collection: "entry")
            changes.fields = ["done": .boolean(true)]
            _ = try await ann.service.call(
                \.records.change, id: entry.id, changes)
            // when
            let texts = try await Language.$asked.withValue(.german) {
                try await history(ann, entry.id).changes.flatMap(\.writes).map(\.text)
            }
            let preview = try await Language.$asked.withValue(.german) {
                try await undo(ann) { $0.preview = true }
            }
            // then
            #expect(texts.sorted() == ["ja", "nein", "true"])
            #expect(
                preview.records.flatMap(\.fields).map { [$0.from, $0.to] } == [["ja", "nein"]])
            let english = try await undo(ann) { $0.preview = true }
            #expect(english.records.flatMap(\.fields).map { [$0.from, $0.to] } == [["yes", "no"]])
        }
    }
}
