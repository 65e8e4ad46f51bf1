import Device
import LocalAPI
import Records
import SyncCore
import TestDevices
import TestKit
import Testing

@Suite("History, undo and redo")
struct UndoTests {
    private func edit(
        _ agent: OfflineDevice, _ memory: String, _ change: (inout MemoryChanges) -> Void
    ) async throws {
        var changes = MemoryChanges()
        change(&changes)
        _ = try await agent.service.call(\.memories.edit, id: memory, changes)
    }

    private func show(_ agent: OfflineDevice, _ memory: String) async throws -> MemoryView {
        try await agent.service.call(\.memories.show, id: memory)
    }

    private func history(_ agent: OfflineDevice, _ record: String) async throws -> RecordHistoryView
    {
        try await agent.service.call(\.records.history, id: record, WhyScope(space: nil))
    }

    @Test("History shows times and positions as other commands do, in the language of the asker")
    func historyValues() async throws {
        try await OfflineDevice.with { ann in
            // given
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            try await edit(ann, "Duomo") {
                $0.at = Moment(milliseconds: 1_224_685_685_000, offsetMinutes: 120)
                $0.position = Position(latitude: 46.6083, longitude: 14.3)
            }
            // when
            let german = try await Language.$asked.withValue(.german) {
                try await history(ann, "Duomo")
            }
            let english = try await history(ann, "Duomo")
            // then
            func texts(_ view: RecordHistoryView) -> [String] {
                view.changes.flatMap(\.writes).filter { ["at", "position"].contains($0.field) }
                    .map(\.text).sorted()
            }
            #expect(texts(german) == ["22.10.2008 16:28:05 +02:00", "46.60830, 14.30000"])
            #expect(texts(english) == ["2008-10-22 16:28:05 +02:00", "46.60830, 14.30000"])
        }
    }

    @Test("An edit is undone and redone, and then the edit before it")
    func edits() async throws {
        try await OfflineDevice.with { ann in
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            try await edit(ann, "Duomo") { $0.text = "First" }
            try await edit(ann, "Duomo") {
                $0.text = "Second"
                $0.addTags = ["food"]
            }

            let preview = try await undo(ann) { $0.preview = true }
            #expect(!preview.done && preview.recordCount > 0)
            #expect(try await show(ann, "Duomo").text == "Second")
            let first = try await undo(ann)
            #expect(first.done && first.commits == 1 && first.keptCount == 0)
            #expect(try await show(ann, "Duomo").text == "First")
            #expect(try await show(ann, "Duomo").tags.isEmpty)
            _ = try await undo(ann)
            #expect(try await show(ann, "Duomo").text == "")
            _ = try await redo(ann)
            #expect(try await show(ann, "Duomo").text == "First")
            _ = try await redo(ann)
            #expect(try await show(ann, "Duomo").text == "Second")
            #expect(try await show(ann, "Duomo").tags.map(\.name) == ["food"])
            await #expect(throws: nothingToRedo) { try await redo(ann) }

            // Once another change is made, an undo stays.
            _ = try await undo(ann)
            try await edit(ann, "Duomo") { $0.text = "Third" }
            await #expect(throws: nothingToRedo) { try await redo(ann) }
            _ = try await undo(ann)
            #expect(try await show(ann, "Duomo").text == "First")
        }
    }

    @Test(
        "An action of several commits is undone and redone at once, and each commit's id names it"
    )
    func wholeDeeds() async throws {
        try await OfflineDevice.with { ann in
            let schema = """
                schema: 1
                name: list
                version: 1
                collections:
                  entry:
                    fields:
                      name: { type: text, required: true }
                """
            _ = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "List", document: schema))
            func count() async throws -> Int {
                try await ann.service.call(
                    \.records.list, RecordFilter(space: "List", collection: "entry")
                ).records.count
            }
            let records = (0..<2_500).map { number in
                RecordBatchDraft.NewRecord(fields: ["name": .text("entry \(number)")])
            }
            let added = try await ann.service.call(
                \.records.addBatch,
                RecordBatchDraft(space: "List", collection: "entry", records: records))
            #expect(added.commits > 1)
            let log = try await ann.service.call(
                \.changes.list, ChangeFilter(since: Moment(milliseconds: 1)))
            let commit = try #require(log.entries.last { $0.space?.name == "List" }?.id)
            #expect(try await undo(ann).commits == added.commits)
            #expect(try await count() == 0)
            _ = try await redo(ann)
            #expect(try await count() == 2_500)
            _ = try await undo(ann) { $0.commit = commit }
            #expect(try await count() == 0)
        }
    }

    @Test("Undo removes an added record and restores a deleted one")
    func recordsUndone() async throws {
        try await OfflineDevice.with { ann in
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.tags = ["food"]
            draft.photoPaths = [try ann.file("photo.txt", "a photo")]
            let memory = try await ann.service.call(\.memories.add, draft)

            #expect(try await undo(ann).records.map(\.kind).allSatisfy { $0 == .removed })
            #expect(try await ann.titles().isEmpty)
            #expect(try await ann.media().isEmpty)
            _ = try await redo(ann)
            #expect(try await show(ann, "Duomo").media.count == 1)
            #expect(try await show(ann, "Duomo").tags.map(\.name) == ["food"])

            _ = try await ann.service.call(\.memories.delete, id: memory.id)
            #expect(try await undo(ann).records.map(\.kind) == [.restored])
            #expect(try await ann.titles() == ["Duomo"])
            #expect(try await history(ann, "Duomo").changes.count == 5)
        }
    }

    @Test("A value that somebody changed since stays, unless the request says otherwise")
    func changedSince() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await edit(ann, "Duomo") {
                $0.text = "Ann's"
                $0.weather = "sunny"
            }
            try ben.receive(space, from: ann)
            try await edit(ben, "Duomo") { $0.text = "Ben's" }
            try ann.receive(space, from: ben)

            let view = try await undo(ann)
            #expect(view.records.flatMap(\.fields).map(\.name) == ["weather"])
            #expect(view.kept.map(\.field) == ["text"])
            #expect(view.kept.map(\.reason) == [.changedSince])
            #expect(view.kept.first?.by?.name == "Ben")
            #expect(try await show(ann, "Duomo").text == "Ben's")
            #expect(try await show(ann, "Duomo").weather == "")
            _ = try await redo(ann)
            let over = try await undo(ann) { $0.over = true }
            #expect(over.keptCount == 0)
        }
    }

    @Test("A value that an earlier undo left in place is there after the next one")
    func keptInPart() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Cathedral"
            draft.photoPaths = [try ann.file("photo.txt", "a photo")]
            _ = try await ann.service.call(\.memories.add, draft)
            try ben.receive(space, from: ann)
            try await edit(ben, "Cathedral") { $0.text = "Ben's" }
            try ann.receive(space, from: ben)
            let view = try await undo(ann)
            #expect(view.kept.map(\.reason) == [.changedSince])
            #expect(try await show(ann, "Cathedral").media.isEmpty)

            try await edit(ann, "Cathedral") { $0.title = "Dom" }
            _ = try await undo(ann)

            #expect(try await show(ann, "Cathedral").text == "Ben's")
            // Every change left of the first action was replaced since: the one before it is named.
            await #expect(throws: APIError.self) { try await undo(ann) { $0.space = "Nowhere" } }
            _ = try await redo(ann)
            #expect(try await show(ann, "Dom").text == "Ben's")
        }
    }

    @Test("Another person's photo keeps the memory that it belongs to")
    func othersParts() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try await ann.add("Piazza")
            try ben.receive(space, from: ann)
            let photo = try ben.file("photo.txt", "a photo")
            try await edit(ben, "Piazza") { $0.addPhotoPaths = [photo] }
            try ann.receive(space, from: ben)

            let view = try await undo(ann) { $0.preview = true }
            #expect(view.recordCount == 0 && view.kept.map(\.reason) == [.changedSince])
            #expect(view.kept.first?.by?.name == "Ben")
            await #expect(throws: APIError.self) { try await undo(ann) }
            #expect(try await ann.titles() == ["Duomo", "Piazza"])
            _ = try await undo(ann) { $0.over = true }
            #expect(try await ann.titles() == ["Duomo"])
        }
    }

    @Test("A rename is undone, and a deleted or restored trip is named instead of being undone")
    func passedOver() async throws {
        try await OfflineDevice.with { ann in
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Rome"))
            _ = try await ann.service.call(\.trips.rename, id: "Rome", TripRename(name: "Roma"))
            _ = try await undo(ann)
            let names = try await ann.service.call(\.trips.list).map(\.name)
            #expect(Set(names) == ["Arezzo", "Rome"])
            _ = try await ann.service.call(\.trips.delete, id: "Rome")
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "The last thing you did was to delete “Rome”.",
                    hint: "It comes back by: peersync trip restore Rome")
            ) { try await undo(ann) }
            let rome = try await ann.service.call(\.trips.restore, id: "Rome")
            let restored = APIError(
                code: .conflict,
                sentence:
                    "The last thing you did was to bring back \(Sentence.name(rome.name)).",
                hint: """
                    To delete it again: peersync trip delete \(rome.shortID). What you did before \
                    that: peersync log
                    """)
            await #expect(throws: restored) { try await undo(ann) }
            await #expect(throws: restored) { try await undo(ann) { $0.preview = true } }
            _ = try await undo(ann) { $0.space = "Arezzo" }
            #expect(try await ann.titles().isEmpty)
            let nothing = await #expect(throws: APIError.self) {
                try await undo(ann) { $0.space = "Arezzo" }
            }
            #expect(nothing?.sentence == "There is nothing to undo.")
        }
    }

    @Test("A trip that was created last is named, and nothing that was done before is undone")
    func created() async throws {
        try await OfflineDevice.with { ann in
            // given
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            let change = try #require(try await history(ann, "Duomo").changes.first?.shortID)
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Val d’Orcia"))
            let refused = APIError(
                code: .conflict,
                sentence: "The last thing you did was to create the trip “Val d’Orcia”.",
                hint: """
                    To take it back: peersync trip delete \(Sentence.quoted("Val d’Orcia")). What you \
                    did before that: peersync undo \(change)
                    """)
            // when, then
            await #expect(throws: refused) { try await undo(ann) { $0.preview = true } }
            await #expect(throws: refused) { try await undo(ann) }
            #expect(try await ann.titles() == ["Duomo"])
            _ = try await undo(ann) { $0.commit = change }
            #expect(try await ann.titles().isEmpty)
            _ = try await redo(ann)
            #expect(try await ann.titles() == ["Duomo"])
            await #expect(throws: refused) { try await undo(ann) }
            _ = try await undo(ann) { $0.space = "Arezzo" }
            #expect(try await ann.titles().isEmpty)
        }
    }

    @Test("The creation of a trip ends the redo of an earlier undo, and may be the first action")
    func createdAfterUndo() async throws {
        try await OfflineDevice.with { ann in
            // given
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            _ = try await undo(ann)
            // when
            let first = APIError(
                code: .conflict,
                sentence: "The last thing you did was to create the trip “Arezzo”.",
                hint: "To take it back: peersync trip delete Arezzo")
            await #expect(throws: first) { try await undo(ann) }
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Rome"))
            // then
            await #expect(throws: nothingToRedo) { try await redo(ann) }
            let second = await #expect(throws: APIError.self) { try await undo(ann) }
            #expect(second?.sentence == "The last thing you did was to create the trip “Rome”.")
            #expect(try await ann.service.call(\.trips.list).count == 2)
        }
    }

    @Test("One change is undone by its id, and all changes or deletions of a device by a time")
    func chosen() async throws {
        try await OfflineDevice.shared(.admin) { ann, ben, space in
            try ben.receive(space, from: ann)
            let since = Moment(milliseconds: Int64(ann.node.clock.wall.value))
            try await ben.add("By Ben")
            _ = try await ben.service.call(\.memories.delete, id: "Duomo")
            try ann.receive(space, from: ben)
            try await ann.add("By Ann")
            #expect(try await ann.titles() == ["By Ann", "By Ben"])

            await #expect(throws: undoSinceWhen) {
                try await undo(ann) { $0.deletions = true }
            }
            await #expect(throws: undoSinceOfWhom) {
                try await undo(ann) { $0.since = since }
            }
            let deletions = try await undo(ann) {
                $0.preview = true
                $0.deletions = true
                $0.since = since
            }
            #expect(deletions.records.map(\.kind) == [.restored])
            _ = try await undo(ann) {
                $0.deletions = true
                $0.since = since
            }
            #expect(try await ann.titles() == ["By Ann", "By Ben", "Duomo"])
            let device = ben.node.reference(ben.node.identity.deviceID).id
            let written = try await undo(ann) {
                $0.preview = true
                $0.device = device
                $0.since = since
            }
            #expect(written.records.map(\.kind) == [.removed])
            _ = try await undo(ann) {
                $0.device = device
                $0.since = since
            }
            #expect(try await ann.titles() == ["By Ann", "Duomo"])
            let change = try #require(try await history(ann, "By Ann").changes.first)
            _ = try await undo(ann) { $0.commit = change.shortID }
            #expect(try await ann.titles() == ["Duomo"])
            let unknown = await #expect(throws: APIError.self) {
                try await undo(ann) { $0.commit = "00000000" }
            }
            #expect(unknown?.sentence == "No change has the id “00000000”.")
        }
    }

    @Test("Nobody undoes anything in a trip in which they may no longer write")
    func noRight() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await edit(ben, "Duomo") { $0.text = "Ben's" }
            try ann.receive(space, from: ben)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            try ben.receive(space, from: ann)

            let view = try await undo(ben) { $0.preview = true }
            #expect(view.recordCount == 0 && view.kept.map(\.reason) == [.noRight])
            await #expect(throws: APIError.self) { try await undo(ben) }
            #expect(try await show(ben, "Duomo").text == "Ben's")
        }
    }

    @Test("Every value is in the history, with its later fate")
    func told() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await edit(ann, "Duomo") { $0.weather = "sun" }
            try await edit(ben, "Duomo") { $0.weather = "rain" }
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)

            for agent in [ann, ben] {
                let changes = try await history(agent, "Duomo").changes
                let weather = changes.flatMap(\.writes).filter { $0.field == "weather" }
                #expect(Set(weather.map(\.text)) == ["sun", "rain"])
                #expect(Set(weather.map(\.standing)) == [.shown, .beside])
                #expect(Set(changes.map(\.author.name)) == ["Ann", "Ben"])
            }
            try await edit(ann, "Duomo") { $0.weather = "fog" }
            let weather = try await history(ann, "Duomo").changes.flatMap(\.writes)
                .filter { $0.field == "weather" }
            #expect(weather.map(\.standing).filter { $0 == .replaced }.count == 2)
            #expect(weather.compactMap(\.by?.name) == ["Ann", "Ann"])
            #expect(weather.last?.standing == .shown && weather.last?.text == "fog")
            await #expect(throws: APIError.self) { try await history(ann, "Nothing") }
        }
    }

    @Test(
        "After any actions, equal numbers of undos and redos pass through the same states",
        arguments: TestSeeds.some(12))
    func law(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await OfflineDevice.with { ann in
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            var states = [try await state(ann)]
            for number in 0..<8 {
                try await deed(number, ann, &random)
                states.append(try await state(ann))
            }
            let count = Int.random(in: 1...8, using: &random)
            for step in 1...count {
                _ = try await undo(ann)
                #expect(try await state(ann) == states[8 - step], "seed \(seed), undo \(step)")
            }
            for step in 1...count {
                _ = try await redo(ann)
                #expect(
                    try await state(ann) == states[8 - count + step], "seed \(seed), redo \(step)")
            }
            await #expect(throws: nothingToRedo) { try await redo(ann) }
            // And back once more, all the way.
            for step in 1...8 {
                _ = try await undo(ann)
                #expect(try await state(ann) == states[8 - step], "seed \(seed), again \(step)")
            }
        }
    }

    /// The complete shown state of all memories.
    private func state(_ agent: OfflineDevice) async throws -> [String] {
        let list = try await agent.service.call(\.memories.list, MemoryFilter())
        var lines: [String] = []
        for memory in list {
            let view = try await show(agent, memory.id)
            lines.append(
                "\(view.title)|\(view.text)|\(view.weather)|\(view.tags.map(\.name).sorted())")
        }
        return lines.sorted()
    }

    private func deed(
        _ number: Int, _ agent: OfflineDevice, _ random: inout SeededGenerator
    ) async throws {
        let ids = try await agent.service.call(\.memories.list, MemoryFilter()).map(\.id).sorted()
        guard let id = ids.randomElement(using: &random),
            Int.random(in: 0..<10, using: &random) > 2
        else { return try await agent.add("Memory \(number)") }
        let tags = try await show(agent, id).tags.map(\.name)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await edit(agent, id) { $0.title = "Title \(number)" }
        case 1: try await edit(agent, id) { $0.text = "Text \(number)" }
        case 2: try await edit(agent, id) { $0.weather = "Weather \(number)" }
        case 3: try await edit(agent, id) { $0.addTags = ["tag \(number)"] }
        case 4 where !tags.isEmpty: try await edit(agent, id) { $0.removeTags = [tags[0]] }
        default: _ = try await agent.service.call(\.memories.delete, id: id)
        }
    }
}

private let nothingToRedo = APIError(
    code: .conflict, sentence: "There is no undo that could be taken back.",
    hint: "Once something else was changed on this device, an undo stays.")

private let undoSinceWhen = APIError(
    code: .badInput, sentence: "From when on?",
    hint: "For example: --since \"yesterday 18:00\"")

private let undoSinceOfWhom = APIError(
    code: .badInput, sentence: "What is to be undone since then?",
    hint: "Name a device (--device phone), or what was deleted (--deletions).")
