import Device
import LocalAPI
import Records
import SyncCore
import TestDevices
import TestKit
import Testing

/// The state after an undo is exactly the state before, even after earlier undos and redos.
@Suite("Undo restores exactly the previous state")
struct UndoExactTests {
    private func edit(
        _ agent: OfflineDevice, _ memory: String = "Duomo", _ change: (inout MemoryChanges) -> Void
    ) async throws {
        var changes = MemoryChanges()
        change(&changes)
        _ = try await agent.service.call(\.memories.edit, id: memory, changes)
    }

    private func text(_ agent: OfflineDevice) async throws -> String {
        try await agent.service.call(\.memories.show, id: "Duomo").text
    }

    private func weather(_ agent: OfflineDevice) async throws -> String {
        try await agent.service.call(\.memories.show, id: "Duomo").weather
    }

    private func moment(_ agent: OfflineDevice) -> Moment {
        Moment(milliseconds: Int64(agent.node.clock.wall.value))
    }

    @Test("A title undone and redone before it was changed stays replaced")
    func redoneBefore() async throws {
        try await OfflineDevice.with { ann in
            // given
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try await ann.add("Duomo")
            try await edit(ann) { $0.title = "The cathedral" }
            try await undo(ann)
            try await redo(ann)
            try await edit(ann, "The cathedral") { $0.title = "Dom" }
            try await edit(ann, "Dom") { $0.title = "Kirche" }
            // when
            try await undo(ann)
            // then
            #expect(try await ann.titles() == ["Dom"])
        }
    }

    @Test("A value that somebody wrote over a redone title stays over the redone one")
    func writtenOverRedone() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            let since = moment(ann)
            try await edit(ann) { $0.title = "Dome" }
            try ben.receive(space, from: ann)
            try await edit(ben, "Dome") { $0.title = "The cathedral" }
            try ann.receive(space, from: ben)
            let device = ben.node.reference(ben.node.identity.deviceID).id
            try await undo(ann) { ($0.device, $0.since) = (device, since) }
            #expect(try await ann.titles() == ["Dome"])
            try await redo(ann)
            try ben.receive(space, from: ann)
            try await edit(ben, "The cathedral") { $0.title = "Dom" }
            try ann.receive(space, from: ben)
            try await edit(ann, "Dom") { $0.title = "Kirche" }
            // when
            let own = ann.node.reference(ann.node.identity.deviceID).id
            try await undo(ann) { ($0.device, $0.since) = (own, since) }
            // then
            #expect(try await ann.titles() == ["Dom"])
        }
    }

    @Test("An undo of somebody else's change stays when a later change is undone")
    func undoneOver() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            try await edit(ann) { $0.weather = "sun" }
            try await edit(ann) { $0.weather = "rain" }
            try ben.receive(space, from: ann)
            try await edit(ben) { $0.weather = "fog" }
            try ann.receive(space, from: ben)
            try await undo(ann) { $0.over = true }
            #expect(try await weather(ann) == "sun")
            try await edit(ann) { $0.weather = "snow" }
            // when
            try await undo(ann)
            // then
            #expect(try await weather(ann) == "sun")
        }
    }

    /// Ben writes these texts over the first one while Ann writes hers, and then she hears of his.
    private func writeApart(
        _ first: String, bens: [String], anns: String,
        _ body: (
            _ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID, _ merged: String
        ) async throws -> Void
    ) async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try await edit(ann) { $0.text = first }
            try ben.receive(space, from: ann)
            for text in bens { try await edit(ben) { $0.text = text } }
            try await edit(ann) { $0.text = anns }
            try ann.receive(space, from: ben)
            try await body(ann, ben, space, try await text(ann))
        }
    }

    @Test("A merged text is the same after an undo and a redo")
    func mergedText() async throws {
        // given
        let bens = "Snow fell. We all sang, then ate."
        try await writeApart(
            "It rained. We sang, then ate.", bens: [bens], anns: "It rained. We danced then slept"
        ) { ann, _, _, merged in
            // when
            try await undo(ann)
            #expect(try await text(ann) == bens)
            try await redo(ann)
            // then
            #expect(try await text(ann) == merged)
            try await undo(ann)
            #expect(try await text(ann) == bens)
        }
    }

    @Test("A question about texts that overlap stays open after an undo and a redo")
    func overlapStaysOpen() async throws {
        // given
        try await writeApart(
            "The old bridge at night", bens: ["The stone bridge at night"],
            anns: "The long bridge at night"
        ) { ann, ben, space, merged in
            let open = try await conflicts(ann)
            #expect(open == 1)
            // when
            try await undo(ann)
            try await redo(ann)
            // then
            #expect(try await text(ann) == merged)
            #expect(try await conflicts(ann) == open)
            try ben.receive(space, from: ann)
            #expect(try await text(ben) == merged)
            #expect(try await conflicts(ben) == open)
        }
    }

    private func conflicts(_ agent: OfflineDevice) async throws -> Int {
        try await agent.service.call(\.conflicts.list, ScopeFilter(trip: "Arezzo")).count
    }

    @Test("A text of repeated words is the same after an undo and a redo")
    func repeatedWords() async throws {
        // given
        try await writeApart(
            "the 海 海 sea the", bens: ["sea 海 海 sea the", "sea 海 sea the"],
            anns: "größer the 海 海 sea 海"
        ) { ann, ben, space, merged in
            // when
            try await undo(ann)
            #expect(try await text(ann) == "sea 海 sea the")
            try await redo(ann)
            // then
            #expect(try await text(ann) == merged)
            try ben.receive(space, from: ann)
            #expect(try await text(ben) == merged)
        }
    }

    @Test("Two sentences inserted at one place stand there as before after a redo")
    func sentencesAtOnePlace() async throws {
        // given
        try await writeApart(
            "It rained. Then we slept.", bens: ["It rained. We sang. Then we slept."],
            anns: "It rained. We ate. Then we slept."
        ) { ann, _, _, merged in
            // when
            try await undo(ann)
            try await redo(ann)
            // then
            #expect(try await text(ann) == merged)
        }
    }

    @Test("A decision for the shown value is undone with the write that it confirms")
    func sameValueTwice() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            try await edit(ben) { $0.weather = "fog" }
            try await edit(ann) { $0.weather = "sun" }
            try ann.receive(space, from: ben)
            #expect(try await weather(ann) == "sun")
            let conflicts = try await ann.service.call(
                \.conflicts.list, ScopeFilter(trip: "Arezzo"))
            let conflict = try #require(conflicts.first)
            let number = try #require(conflict.values.firstIndex { $0.text == "sun" }) + 1
            _ = try await ann.service.call(
                \.conflicts.resolve, id: conflict.shortID, ConflictDecision(take: number))
            // when
            let view = try await undo(ann)
            // then
            #expect(view.keptCount == 0 && view.commits == 2)
            #expect(try await weather(ann) == "fog")
            try await redo(ann)
            #expect(try await weather(ann) == "sun")
        }
    }

    @Test("A person who may not delete restores another's deletion, and does not redo it")
    func restoredWithoutRight() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            let since = moment(ann)
            _ = try await ann.service.call(\.memories.delete, id: "Duomo")
            try ben.receive(space, from: ann)
            // when
            try await undo(ben) { ($0.deletions, $0.since) = (true, since) }
            // then
            #expect(try await ben.titles() == ["Duomo"])
            await #expect(throws: APIError.self) { try await redo(ben) }
            #expect(try await ben.titles() == ["Duomo"])
        }
    }
}
