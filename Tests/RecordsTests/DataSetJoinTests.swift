import Foundation
import LocalAPI
import Records
import SyncCore
import TestDevices
import TestKit
import Testing

@Suite("Records with the name of a row, from a device that did not have the set")
struct DataSetJoinTests {
    private static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
              group: { type: text }
              tips: { type: set, of: { type: text } }
              place: { type: order }
          session:
            fields:
              day: { type: text, required: true }
              exercise: { type: reference, to: exercise, on_delete: restrict }
        """

    private static func rows(_ group: String, name: String = "Squat") -> String {
        "code,name,group,tips\nsq,\(name),\(group),deep\nbe,Bench,chest,\n"
    }

    private func write(_ rows: String, version: Int, of agent: OfflineDevice) throws {
        let folder = agent.folder + "/set"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let manifest = """
            dataset: 1
            name: exercises
            schema: gym
            reference:
              version: \(version)
              collections:
                exercise: { file: exercises.csv, key: code }
            """
        for (name, text) in [("dataset.yaml", manifest), ("exercises.csv", rows)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
    }

    private func apply(
        _ agent: OfflineDevice, theirs: Bool = false
    ) async throws -> DataSetReport.Level {
        var draft = DataSetDraft(path: agent.folder + "/set", space: "Gym")
        draft.theirs = theirs
        return try #require(
            try await agent.service.call(\.schemas.applySet, draft).levels.first)
    }

    private func counts(_ level: DataSetReport.Level) -> [DataSetReport.Kind: Int] {
        Dictionary(level.counts.map { ($0.kind, $0.count) }, uniquingKeysWith: +)
    }

    private func list(_ agent: OfflineDevice) async throws -> [RecordView] {
        try await agent.service.call(
            \.records.list, RecordFilter(space: "Gym", collection: "exercise")
        ).records
    }

    private func names(_ agent: OfflineDevice) async throws -> [String] {
        try await list(agent).map(\.name).sorted()
    }

    /// The exercise of a session.
    private func used(by session: RecordView) -> String? {
        if case .reference(let used)? = session.fields["exercise"] { used.id } else { nil }
    }

    private func others(_ agent: OfflineDevice) async throws -> [DataSetReport.Row] {
        try await agent.service.call(\.schemas.appliedSets, DataSetFilter()).flatMap(\.others)
    }

    private func add(
        _ agent: OfflineDevice, to collection: String = "exercise", _ fields: [String: FieldValue]
    ) async throws {
        _ = try await agent.service.call(
            \.records.add, RecordDraft(space: "Gym", collection: collection, fields: fields))
    }

    private func set(
        _ field: String, _ agent: OfflineDevice, of record: String, to text: String
    ) async throws {
        var changes = RecordChanges(space: "Gym", collection: "exercise")
        changes.fields = [field: .text(text)]
        _ = try await agent.service.call(\.records.change, id: record, changes)
    }

    /// The id of the record with exactly this name.
    private func id(_ name: String, _ agent: OfflineDevice) async throws -> String {
        try #require(try await list(agent).first { $0.name == name }).id
    }

    /// Ann's space, in which Ben may write, before any of them has the set.
    private func withGym(
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await OfflineDevice.pair { ann, ben in
            let made = try await SpaceService(ann.node).createSpace(
                SpaceDraft(name: "Gym", document: Self.schema))
            _ = try await MemberService(ann.node).grant(
                "Gym", GrantDraft(person: "Ben", role: .admin))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            try ben.receive(space, from: ann)
            try write(Self.rows("legs"), version: 1, of: ann)
            try await body(ann, ben, space)
        }
    }

    /// Ben adds “squat” with a session, while Ann applies the set; then Ann gets it.
    private func withLateSquat(
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await withGym { ann, ben, space in
            try await add(
                ben,
                [
                    "name": .text("squat"), "group": .text("quads"),
                    "tips": .set([.text("slow")]),
                ])
            try await add(
                ben, to: "session",
                ["day": .text("1"), "exercise": .reference(RecordReference(id: "squat"))])
            _ = try await apply(ann)
            try ann.receive(space, from: ben)
            #expect(try await names(ann) == ["Bench", "Squat", "squat"])
            try await body(ann, ben, space)
        }
    }

    @Test("Status lists it, and applying the same version again makes one of the two")
    func sameVersion() async throws {
        try await withLateSquat { ann, ben, space in
            // given
            let listed = try await others(ann)
            #expect(listed.map(\.kind) == [.joined] && listed.map(\.record.name) == ["Squat"])
            // when
            let level = try await apply(ann)
            // then
            #expect(level.outcome == .same && level.isChange && counts(level) == [.joined: 1])
            #expect(level.rows.first?.fields.sorted() == ["group", "name", "tips"])
            #expect(try await names(ann) == ["Bench", "squat"])
            try ben.receive(space, from: ann)
            let row = try #require(try await list(ben).first { $0.name == "squat" })
            #expect(row.fields["group"] == .text("quads"))
            #expect(row.fields["tips"] == .set([.text("deep"), .text("slow")]))
            let session = try await ben.service.call(
                \.records.list, RecordFilter(space: "Gym", collection: "session")
            ).records.first
            let exercise = session.flatMap { used(by: $0) }
            #expect(exercise == row.id)
            #expect(try await others(ann).map(\.kind) == [.kept])
            #expect(try await apply(ann).isChange == false)

            // when
            _ = try await ann.service.call(\.changes.undo, UndoDraft())
            // then
            #expect(try await names(ann) == ["Bench", "Squat", "squat"])
        }
    }

    @Test("A later version makes one of the two, too")
    func laterVersion() async throws {
        try await withLateSquat { ann, _, _ in
            // given
            try write(Self.rows("thighs"), version: 2, of: ann)
            // when
            let level = try await apply(ann)
            // then
            #expect(counts(level) == [.updated: 1, .joined: 1])
            #expect(try await names(ann) == ["Bench", "squat"])
        }
    }

    @Test("A value that a person wrote to the row stands beside that of the record")
    func bothChanged() async throws {
        try await withLateSquat { ann, _, _ in
            // given
            try await set("group", ann, of: "Squat", to: "mine")
            // when
            _ = try await apply(ann)
            // then
            let row = try #require(try await list(ann).first { $0.name == "squat" })
            #expect(row.conflicts == ["group"])
            let conflict = try #require(
                try await ann.service.call(\.conflicts.list, ScopeFilter()).first)
            #expect(Set(conflict.values.map(\.text)) == ["mine", "quads"])
        }
    }

    @Test("A record that somebody named like the row they see stays")
    func deliberate() async throws {
        try await withGym { ann, _, _ in
            // given
            _ = try await apply(ann)
            try await add(ann, ["name": .text("Squat"), "group": .text("quads")])
            // when
            let level = try await apply(ann)
            // then
            #expect(!level.isChange && level.counts.isEmpty)
            #expect(try await others(ann).isEmpty)
            #expect(try await names(ann) == ["Bench", "Squat", "Squat"])
        }
    }

    @Test(
        "A record that somebody named like the row they saw stays also after they rename the row",
        arguments: [false, true])
    func rowRenamed(renamesFirst: Bool) async throws {
        try await withGym { ann, _, _ in
            // given
            _ = try await apply(ann)
            let row = try await id("Squat", ann)
            if renamesFirst { try await set("name", ann, of: row, to: "Back squat") }
            try await add(ann, ["name": .text("Squat")])
            if !renamesFirst { try await set("name", ann, of: row, to: "Back squat") }
            // when
            let level = try await apply(ann)
            try write(Self.rows("thighs"), version: 2, of: ann)
            let next = try await apply(ann)
            // then
            #expect(!level.isChange && counts(next)[.joined] == nil)
            #expect(try await names(ann) == ["Back squat", "Bench", "Squat"])
        }
    }

    @Test(
        "A record stays if a new version gives a row its name that its author had seen",
        arguments: [false, true])
    func versionRenames(comesAfter: Bool) async throws {
        try await withGym { ann, _, _ in
            // given
            _ = try await apply(ann)
            if !comesAfter { try await add(ann, ["name": .text("Back squat")]) }
            try write(Self.rows("legs", name: "Back squat"), version: 2, of: ann)
            // when
            _ = try await apply(ann)
            if comesAfter { try await add(ann, ["name": .text("Back squat")]) }
            let level = try await apply(ann)
            // then
            #expect(!level.isChange)
            #expect(try await others(ann).isEmpty)
            #expect(try await names(ann) == ["Back squat", "Back squat", "Bench"])
        }
    }

    @Test(
        "A record stays if the name of the row was written once more since",
        arguments: [false, true])
    func nameWrittenAgain(isUndone: Bool) async throws {
        try await withGym { ann, _, _ in
            // given
            _ = try await apply(ann)
            let row = try await id("Squat", ann)
            try await add(ann, ["name": .text("Squat")])
            try await set("name", ann, of: row, to: "Back squat")
            if isUndone {
                _ = try await ann.service.call(\.changes.undo, UndoDraft())
            } else {
                _ = try await apply(ann, theirs: true)
            }
            #expect(try await names(ann) == ["Bench", "Squat", "Squat"])
            // when
            let level = try await apply(ann)
            // then
            #expect(!level.isChange)
            #expect(try await names(ann) == ["Bench", "Squat", "Squat"])
        }
    }

    @Test("A late record becomes one with the row only while the row has its name")
    func onlyUnderThatName() async throws {
        try await withLateSquat { ann, _, _ in
            // given
            let row = try await id("Squat", ann)
            try await set("name", ann, of: row, to: "Back squat")
            // when
            let level = try await apply(ann)
            // then
            #expect(!level.isChange)
            #expect(try await names(ann) == ["Back squat", "Bench", "squat"])

            // when
            try await set("name", ann, of: row, to: "Squat")
            let again = try await apply(ann)
            // then
            #expect(counts(again) == [.joined: 1])
            #expect(try await names(ann).count == 2)
        }
    }

    @Test(
        "A late record with the new name of a row becomes one with it, whichever comes first",
        arguments: [false, true])
    func lateForNewName(comesAfter: Bool) async throws {
        try await withGym { ann, ben, space in
            // given
            _ = try await apply(ann)
            try await add(ben, ["name": .text("back squat")])
            if !comesAfter { try ann.receive(space, from: ben) }
            try write(Self.rows("legs", name: "Back squat"), version: 2, of: ann)
            // when
            _ = try await apply(ann)
            if comesAfter { try ann.receive(space, from: ben) }
            #expect(try await others(ann).map(\.kind) == [.joined])
            let level = try await apply(ann)
            // then
            #expect(counts(level) == [.joined: 1])
            #expect(try await names(ann) == ["Bench", "back squat"])
        }
    }

    @Test("If several records have the name, none becomes the row")
    func several() async throws {
        try await withGym { ann, ben, space in
            // given
            for _ in 0..<2 { try await add(ben, ["name": .text("Squat")]) }
            _ = try await apply(ann)
            try ann.receive(space, from: ben)
            // when
            let level = try await apply(ann)
            // then
            #expect(!level.isChange && counts(level) == [.similar: 1])
            #expect(try await others(ann).map(\.kind) == [.similar])
            #expect(try await names(ann) == ["Bench", "Squat", "Squat", "Squat"])
        }
    }

    @Test("A followed folder does not do it by itself")
    func followed() async throws {
        try await withLateSquat { ann, _, _ in
            // given
            _ = try await ann.service.call(
                \.schemas.followSet,
                DataSetFollowDraft(path: ann.folder + "/set", space: "Gym"))
            try write(Self.rows("thighs"), version: 2, of: ann)
            // when
            try await FollowedSets(ann.node).applyAll { _ in }
            // then
            #expect(try await names(ann) == ["Bench", "Squat", "squat"])
            #expect(try await others(ann).map(\.kind) == [.joined])
        }
    }
}
