import Device
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("The list of changes")
struct ChangeServiceTests {
    private func lines(
        _ agent: OfflineDevice, _ filter: ChangeFilter = ChangeFilter()
    ) async throws -> [String] {
        try await agent.service.call(\.changes.list, filter).entries.map(Sentence.Changes.line)
    }

    private let all = ChangeFilter(since: Moment(milliseconds: 0))

    private func look(_ agent: OfflineDevice, _ trip: String? = nil) async throws {
        let log = try await agent.service.call(\.changes.list, ChangeFilter(trip: trip))
        _ = try await agent.service.call(
            \.changes.look, ChangeLook(trip: trip, place: log.place))
    }

    @Test("a line per commit names the author and the change, in words of the schema, newest last")
    func words() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Hut"
            draft.tags = ["food"]
            draft.photoPaths = [try ben.file("a.txt", "a"), try ben.file("b.txt", "b")]
            _ = try await ben.service.call(\.memories.add, draft)
            var changes = MemoryChanges()
            changes.title = "Old hut"
            changes.text = "Closed."
            _ = try await ben.service.call(\.memories.edit, id: "Hut", changes)
            changes = MemoryChanges()
            changes.addPhotoPaths = [try ben.file("c.txt", "c")]
            _ = try await ben.service.call(\.memories.edit, id: "Old hut", changes)
            _ = try await ben.service.call(\.memories.delete, id: "Duomo")
            _ = try await ben.service.call(\.memories.restore, id: "Duomo")
            _ = try await ben.service.call(
                \.trips.rename, id: "Arezzo", TripRename(name: "Tuscany"))
            _ = try await ben.service.call(\.spaces.close, id: "Tuscany")
            _ = try await ben.service.call(\.spaces.reopen, id: "Tuscany")
            try ann.receive(space, from: ben)
            #expect(
                try await lines(ann) == [
                    "Ben added the memory “Old hut” with 2 files and the tag “food”",
                    "Ben changed title and text of the memory “Old hut”",
                    "Ben added the file “c.txt” to the memory “Old hut”",
                    "Ben deleted the memory “Duomo”",
                    "Ben brought back the memory “Duomo”",
                    "Ben renamed the trip to “Tuscany”", "Ben closed the trip",
                    "Ben reopened the trip",
                ])
            #expect(
                try await lines(ben) == [
                    "Ann created the trip “Arezzo”", "Ann added the memory “Duomo”",
                    "Ann shared the trip with you as editor",
                ])
        }
    }

    @Test("changes that arrived since the last look are new, however old; own ones are not")
    func sinceLook() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            #expect(try await lines(ben).count == 3)
            try await look(ben)
            #expect(try await lines(ben).isEmpty)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Ours"
            _ = try await ben.service.call(\.memories.add, draft)
            #expect(try await lines(ben).isEmpty)
            draft.title = "Theirs"
            _ = try await ann.service.call(\.memories.add, draft)
            try ben.receive(space, from: ann)
            #expect(try await lines(ben) == ["Ann added the memory “Theirs”"])
            #expect(
                try await lines(ben, all).suffix(2) == [
                    "You added the memory “Ours”", "Ann added the memory “Theirs”",
                ])
            // Looking at another trip does not mark this one as seen.
            _ = try await ben.service.call(\.trips.create, TripDraft(name: "Other"))
            try await look(ben, "Other")
            #expect(try await lines(ben).count == 1)
            try await look(ben, "Arezzo")
            #expect(try await lines(ben).isEmpty)
        }
    }

    @Test("a look while the clock was ahead is dated truly by the next one, and hides nothing")
    func clockAhead() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            try await look(ben)
            let now = Int64(ben.node.clock.wall.value)
            let place = try await ben.service.call(\.changes.list, ChangeFilter()).place
            try ben.node.store.settings.set("looked", to: "\(place) \(now + 94_608_000_000)")
            let ahead = try await ben.service.call(\.changes.list, ChangeFilter())
            #expect(ahead.entries.isEmpty && (ahead.lastLook?.milliseconds ?? 0) > now)
            // when
            try await look(ben)
            // then
            let log = try await ben.service.call(\.changes.list, ChangeFilter())
            #expect(log.entries.isEmpty)
            #expect((log.lastLook?.milliseconds ?? .max) < now + 3_600_000)
        }
    }

    @Test("a deletion, a restoration, a decision and a leaving member are listed")
    func people() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            var changes = MemoryChanges()
            for (agent, text) in [(ann, "Dom"), (ben, "Cathedral")] {
                changes.title = text
                _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            }
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            let conflict = try #require(
                try await ben.service.call(\.conflicts.list, ScopeFilter()).first)
            _ = try await ben.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(take: 1))
            _ = try await ben.service.call(\.trips.delete, id: "Arezzo")
            try ann.receive(space, from: ben)
            #expect(
                try await lines(ann).suffix(2) == [
                    "Ben decided title of the memory “Dom”", "Ben deleted the trip for everybody",
                ])
            _ = try await ben.service.call(\.trips.restore, id: "Arezzo")
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            try ann.receive(space, from: ben)
            #expect(
                try await lines(ann, ChangeFilter(trip: "Arezzo")).suffix(2) == [
                    "Ben brought back the trip", "Ben left the trip",
                ])
        }
    }

    @Test("a restored memory is told once, with the files that come back with it")
    func restoredOnce() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            // given: one commit deleted the memory and its files
            try ben.receive(space, from: ann)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Hut"
            draft.photoPaths = [try ben.file("a.txt", "a"), try ben.file("b.txt", "b")]
            _ = try await ben.service.call(\.memories.add, draft)
            _ = try await ben.service.call(\.changes.undo, UndoDraft())
            // when
            _ = try await ben.service.call(\.memories.restore, id: "Hut")
            // then
            try ann.receive(space, from: ben)
            let told = try await lines(ann).filter { $0.contains("brought back") }
            #expect(told.count == 1)
            #expect(told.first?.hasPrefix("Ben brought back the memory “Hut”") == true)
        }
    }

    @Test("a limit shows the newest changes and reports that there are more")
    func limit() async throws {
        try await OfflineDevice.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let log = try await ben.service.call(\.changes.list, ChangeFilter(limit: 2))
            #expect(log.hasEarlier && log.lastLook == nil)
            #expect(
                log.entries.map(Sentence.Changes.line) == [
                    "Ann added the memory “Duomo”", "Ann shared the trip with you as editor",
                ])
            #expect(log.entries.allSatisfy { $0.space?.name == "Arezzo" })
        }
    }

    @Test("records of any schema are listed by their collection")
    func anySchema() async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create,
                SpaceDraft(
                    name: "Flat", schema: nil,
                    document: """
                        schema: 1
                        name: household
                        version: 1
                        collections:
                          purchase_entry:
                            fields:
                              what: { type: text }
                        """))
            let places = ["Milk", "Bread"].map { name in
                RecordDraft(
                    space: "Flat", collection: "purchase_entry", fields: ["what": .text(name)])
            }
            for place in places { _ = try await agent.service.call(\.records.add, place) }
            #expect(
                try await lines(agent, ChangeFilter(trip: "Flat", since: Moment(milliseconds: 0)))
                    == [
                        "You created the space “Flat”", "You added the purchase entry “Milk”",
                        "You added the purchase entry “Bread”",
                    ])
        }
    }
}
