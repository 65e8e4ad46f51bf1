import Device
import Foundation
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import TestKit
import Testing

@Suite("Data sets")
struct DataSetTests {
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

    /// A folder with a set, whose files can be written again.
    private struct Folder {
        let path: String

        init(in agent: OfflineDevice) throws {
            path = agent.folder + "/set"
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        }

        func manifest(reference: Int, samples: Int = 0, name: String = "exercises") throws {
            let second = """
                samples:
                  version: \(samples)
                  collections:
                    session: { file: sessions.csv, key: id }
                """
            try write(
                """
                dataset: 1
                name: \(name)
                schema: gym
                reference:
                  version: \(reference)
                  text: "Important update: better names"
                  text_de: "Wichtig: bessere Namen"
                  collections:
                    exercise: { file: exercises.csv, key: code }

                """ + (samples > 0 ? second : ""), to: "dataset.yaml")
        }
    }

    private func withGym(_ body: (OfflineDevice, Folder) async throws -> Void) async throws {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            let folder = try Folder(in: agent)
            try folder.manifest(reference: 1)
            try folder.write(Self.first, to: "exercises.csv")
            try await body(agent, folder)
        }
    }

    private static let first = """
        code,name,group,tips
        sq,Squat,legs,knees out|deep
        be,Bench,chest,
        ro,Row,back,
        """

    private func apply(
        _ folder: Folder, _ agent: OfflineDevice, _ change: (inout DataSetDraft) -> Void = { _ in }
    ) async throws -> DataSetReport.Level {
        var draft = DataSetDraft(path: folder.path, space: "Gym")
        change(&draft)
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
        try await list(agent).map(\.name)
    }

    private func set(
        _ agent: OfflineDevice, _ record: String, _ fields: [String: FieldValue]
    ) async throws {
        var changes = RecordChanges(space: "Gym", collection: "exercise")
        changes.fields = fields
        _ = try await agent.service.call(\.records.change, id: record, changes)
    }

    private func text(_ agent: OfflineDevice, _ record: String, _ field: String) async throws
        -> String
    {
        let view = try await agent.service.call(
            \.records.show, id: record, RecordScope(space: "Gym", collection: "exercise"))
        guard case .text(let text)? = view.fields[field] else { return "" }
        return text
    }

    @Test("rows are loaded once, in their order; a version that is not raised changes nothing")
    func loads() async throws {
        try await withGym { agent, folder in
            let preview = try await apply(folder, agent) { $0.preview = true }
            #expect(preview.outcome == .update && counts(preview) == [.added: 3])
            #expect(preview.germanText == "Wichtig: bessere Namen")
            #expect(try await list(agent).isEmpty)
            #expect(counts(try await apply(folder, agent)) == [.added: 3])
            #expect(try await names(agent) == ["Squat", "Bench", "Row"])
            #expect(try await apply(folder, agent).outcome == .same)
            let applied = try await agent.service.call(
                \.schemas.appliedSets, DataSetFilter(space: nil))
            #expect(applied.map(\.version) == [1] && applied.first?.rows == 3)
            #expect(applied.first?.by.name == "Ann" && applied.first?.contested == false)
            try folder.manifest(reference: 2)
            _ = try await apply(folder, agent)
            try folder.manifest(reference: 1)
            #expect(try await apply(folder, agent).outcome == .lower)
        }
    }

    @Test("each field follows the set or the person who changed it")
    func fields() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            try await set(agent, "Squat", ["group": .text("quads")])
            try await set(agent, "Bench", ["group": .text("mine")])
            let own = RecordDraft(
                space: "Gym", collection: "exercise", fields: ["name": .text("Own")])
            _ = try await agent.service.call(\.records.add, own)
            try folder.manifest(reference: 2)
            try folder.write(
                """
                code,name,group,tips
                sq,Deep squat,legs,knees out|slow
                be,Bench press,upper,
                ro,Row,back,
                de,Deadlift,back,
                """, to: "exercises.csv")
            let level = try await apply(folder, agent)
            #expect(counts(level) == [.added: 1, .updated: 2, .kept: 1, .conflicting: 1])
            #expect(try await text(agent, "Deep squat", "name") == "Deep squat")
            #expect(try await text(agent, "Deep squat", "group") == "quads")
            #expect(try await text(agent, "Bench press", "group") == "mine")
            #expect(
                try await names(agent).sorted()
                    == ["Bench press", "Deadlift", "Deep squat", "Own", "Row"])

            // A value equal to the set's follows it again, and so does one replaced by the set's.
            let taken = try await apply(folder, agent) { $0.theirs = true }
            #expect(counts(taken)[.updated] == 2)
            #expect(try await text(agent, "Bench press", "group") == "upper")
            try folder.manifest(reference: 3)
            try folder.write(
                """
                code,name,group,tips
                sq,Deep squat,thighs,slow
                be,Bench press,pecs,
                ro,Row,back,
                de,Deadlift,back,
                """, to: "exercises.csv")
            #expect(counts(try await apply(folder, agent)) == [.updated: 2])
            #expect(try await text(agent, "Deep squat", "group") == "thighs")
            #expect(try await text(agent, "Bench press", "group") == "pecs")
        }
    }

    @Test("a row that left the set is deleted, unless it is needed or somebody changed it")
    func retired() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            let session = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Gym", collection: "session",
                    fields: [
                        "day": .text("Monday"),
                        "exercise": .reference(RecordReference(id: "Squat")),
                    ]))
            try await set(agent, "Row", ["group": .text("mine")])
            try folder.manifest(reference: 2)
            try folder.write("code,name\nde,Deadlift\n", to: "exercises.csv")
            let level = try await apply(folder, agent)
            #expect(counts(level) == [.added: 1, .removed: 1, .retired: 1, .theirs: 1])
            #expect(try await names(agent).sorted() == ["Deadlift", "Row"])

            // Once nothing refers to it any more, the next version deletes it.
            _ = try await agent.service.call(
                \.records.delete, id: session.id,
                RecordScope(space: "Gym", collection: "session"))
            try folder.manifest(reference: 3)
            #expect(counts(try await apply(folder, agent)) == [.removed: 1])
            #expect(try await names(agent).sorted() == ["Deadlift", "Row"])
        }
    }

    @Test("a row that somebody deleted stays deleted, unless it is requested again")
    func deleted() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            _ = try await agent.service.call(
                \.records.delete, id: "Row", RecordScope(space: "Gym", collection: "exercise"))
            try folder.manifest(reference: 2)
            #expect(counts(try await apply(folder, agent)) == [.deleted: 1])
            #expect(try await names(agent).sorted() == ["Bench", "Squat"])
            let back = try await apply(folder, agent) { $0.missing = true }
            #expect(counts(back)[.added] == 1)
            #expect(try await names(agent).sorted() == ["Bench", "Row", "Squat"])
        }
    }

    @Test("samples are replaced, except those that somebody changed")
    func samples() async throws {
        try await withGym { agent, folder in
            try folder.manifest(reference: 1, samples: 1)
            try folder.write("id,day,exercise\na,First,sq\nb,Second,be\n", to: "sessions.csv")
            var draft = DataSetDraft(path: folder.path, space: "Gym")
            draft.preview = false
            let report = try await agent.service.call(\.schemas.applySet, draft)
            #expect(report.levels.map(\.level) == [.reference, .samples])
            var changes = RecordChanges(space: "Gym", collection: "session")
            changes.fields = ["day": .text("Mine")]
            _ = try await agent.service.call(\.records.change, id: "First", changes)
            try folder.manifest(reference: 1, samples: 2)
            try folder.write("id,day,exercise\nc,Third,ro\n", to: "sessions.csv")
            let second = try await agent.service.call(\.schemas.applySet, draft).levels
            #expect(second.first?.outcome == .same)
            #expect(
                second.last.map(counts) == [.added: 1, .removed: 1, .theirs: 1])
        }
    }

    @Test("an applied version cannot come with other rows")
    func immutable() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            try folder.write("code,name\nsq,Other\n", to: "exercises.csv")
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: """
                        Version 1 of “exercises”, reference, was applied with other rows.
                        """,
                    hint: """
                        A version that was given away does not change: raise the number in dataset.yaml.
                        """)
            ) {
                try await apply(folder, agent)
            }
            #expect(try await names(agent).count == 3)
        }
    }

    @Test("a version is applied again if this device mistakes a lower one for the applied one")
    func again() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            let draft = DataSetVersionDraft(
                space: "Gym", name: nil, level: .reference, version: 0)
            let view = try await agent.service.call(\.schemas.takeVersion, draft)
            #expect(view.version == 1 && view.takenFor == 0)
            let level = try await apply(folder, agent)
            #expect(level.outcome == .update && level.from == 0 && level.counts.isEmpty)
            #expect(try await apply(folder, agent).outcome == .same)
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "That is no version from 0 to 1.",
                    hint: "Only an earlier version can be set: applying raises it again.")
            ) {
                try await agent.service.call(
                    \.schemas.takeVersion,
                    DataSetVersionDraft(space: "Gym", name: nil, level: .reference, version: 2))
            }
        }
    }

    @Test("undoing reverts a version with its mark")
    func undone() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            try folder.manifest(reference: 2)
            try folder.write("code,name,group\nsq,Squat,thighs\n", to: "exercises.csv")
            _ = try await apply(folder, agent)
            #expect(try await names(agent) == ["Squat"])
            _ = try await agent.service.call(\.changes.undo, UndoDraft())
            #expect(try await names(agent).sorted() == ["Bench", "Row", "Squat"])
            #expect(try await text(agent, "Squat", "group") == "legs")
            let applied = try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
            #expect(applied.map(\.version) == [1])
            let again = counts(try await apply(folder, agent))
            #expect(again == [.updated: 1, .removed: 2])
            #expect(try await text(agent, "Squat", "group") == "thighs")
            #expect(try await names(agent) == ["Squat"])
        }
    }

    @Test("a first version is applied again after it was undone")
    func undoneWhole() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            _ = try await agent.service.call(\.changes.undo, UndoDraft())
            #expect(try await names(agent).isEmpty)
            #expect(
                try await agent.service.call(\.schemas.appliedSets, DataSetFilter()).isEmpty)
            #expect(counts(try await apply(folder, agent)) == [.added: 3])
            #expect(try await names(agent).sorted() == ["Bench", "Row", "Squat"])
            #expect(
                try await agent.service.call(\.schemas.appliedSets, DataSetFilter()).map(\.version)
                    == [1])
        }
    }

    @Test("every mistake is reported with file and line, and nothing is changed")
    func mistakes() async throws {
        try await withGym { agent, folder in
            try folder.manifest(reference: 1, samples: 1)
            try folder.write(
                "code,name,wrong\nsq,Squat,x\nsq,Again,\n,Keyless,\nbe,,\n", to: "exercises.csv")
            let source = DataSetSource(path: folder.path, space: "Gym")
            let found = try await agent.service.call(\.schemas.checkSet, source).mistakes
            #expect(found.contains { $0.file == "exercises.csv" && $0.line == 1 })
            #expect(found.contains { $0.file == "sessions.csv" && $0.line == nil })
            try folder.write("code,name\nsq,Squat\nsq,Again\n,Keyless\nbe,\n", to: "exercises.csv")
            try folder.write("id,day,exercise\na,Day,no\n", to: "sessions.csv")
            let rows = try await agent.service.call(\.schemas.checkSet, source).mistakes
            #expect(rows.filter { $0.file == "exercises.csv" }.compactMap(\.line) == [3, 4, 5])
            #expect(rows.filter { $0.file == "sessions.csv" }.compactMap(\.line) == [2])
            await #expect(throws: APIError.self) { try await apply(folder, agent) }
            #expect(try await list(agent).isEmpty)
            try folder.write("dataset: 1\nname: x\nschema: gym\nrefrence: 1\n", to: "dataset.yaml")
            let words = try await agent.service.call(\.schemas.checkSet, source).mistakes
            #expect(words.first?.line == 4)
        }
    }

    @Test("A file without its line of columns is one mistake")
    func withoutColumns() async throws {
        try await withGym { agent, folder in
            // given
            try folder.manifest(reference: 1)
            try folder.write("sq,Squat\nbe,Bench\n", to: "exercises.csv")
            // when
            let found = try await agent.service.call(
                \.schemas.checkSet, DataSetSource(path: folder.path, space: "Gym")
            ).mistakes
            // then
            #expect(found.filter { $0.file == "exercises.csv" }.map(\.line) == [1])
            #expect(found.contains { $0.reason.contains("must name the columns") })
        }
    }

    @Test("two devices that apply one version apart have the same records")
    func apart() async throws {
        try await OfflineDevice.pair { ann, ben in
            let made = try await SpaceService(ann.node).createSpace(
                SpaceDraft(name: "Gym", document: Self.schema))
            _ = try await MemberService(ann.node).grant(
                "Gym", GrantDraft(person: "Ben", role: .admin))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                let folder = try Folder(in: agent)
                try folder.manifest(reference: 1)
                try folder.write(Self.first, to: "exercises.csv")
                _ = try await apply(folder, agent)
            }
            // Ben applies the next version, while Ann's is still the earlier one.
            let folder = try Folder(in: ben)
            try folder.manifest(reference: 2)
            try folder.write(
                "code,name,group\nsq,Squat,thighs\nbe,Bench,chest\n", to: "exercises.csv")
            _ = try await apply(folder, ben)
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            #expect(try await names(ann) == names(ben))
            let digests = try [ann, ben].map { agent in
                try agent.node.store.records.digest(
                    of: space, under: agent.node.requireSchema(of: space))
            }
            #expect(digests.first == digests.last)
            let marks = try await ben.service.call(\.schemas.appliedSets, DataSetFilter())
            #expect(marks.map(\.version) == [2])
            // After two versions met, the higher one is applied once more, and all is well.
            if marks.first?.contested == true { _ = try await apply(folder, ben) }
            try ann.receive(space, from: ben)
            #expect(try await names(ann).sorted() == ["Bench", "Squat"])
            #expect(
                try await ann.service.call(\.schemas.appliedSets, DataSetFilter()).first?.contested
                    == false)
        }
    }

    @Test(
        "a record from before the set becomes the row with its name, if it is the only one"
    )
    func takesOver() async throws {
        try await withGym { agent, folder in
            func add(_ collection: String, _ fields: [String: FieldValue]) async throws {
                _ = try await agent.service.call(
                    \.records.add,
                    RecordDraft(space: "Gym", collection: collection, fields: fields))
            }
            try await add("exercise", ["name": .text("squat"), "group": .text("quads")])
            for _ in 0..<2 { try await add("exercise", ["name": .text("Row")]) }
            try await add(
                "session",
                ["day": .text("1"), "exercise": .reference(RecordReference(id: "squat"))])
            let report = try await apply(folder, agent)
            #expect(counts(report) == [.adopted: 1, .added: 2, .similar: 1])
            #expect(try await names(agent).sorted() == ["Bench", "Row", "Row", "Row", "squat"])
            let session = try await agent.service.call(
                \.records.list, RecordFilter(space: "Gym", collection: "session")
            ).records
            #expect(session.count == 1)
            // Its other values stay; further values of the set follow the set.
            #expect(try await text(agent, "squat", "group") == "quads")
            try folder.manifest(reference: 2)
            try folder.write("code,name,group,tips\nsq,Squat,thighs,low\n", to: "exercises.csv")
            _ = try await apply(folder, agent)
            #expect(try await text(agent, "squat", "group") == "quads")
            _ = try await agent.service.call(\.changes.undo, UndoDraft())
            _ = try await agent.service.call(\.changes.undo, UndoDraft())
            #expect(try await names(agent).sorted() == ["Row", "Row", "squat"])
        }
    }

    @Test("a row with a new key is a new row: a row written by a set is never adopted")
    func keysStay() async throws {
        try await withGym { agent, folder in
            _ = try await apply(folder, agent)
            try folder.manifest(reference: 2)
            try folder.write(
                "code,name,group,tips\nsquat,Squat,thighs,\nbe,Bench,chest,\nro,Row,back,\n",
                to: "exercises.csv")
            #expect(counts(try await apply(folder, agent)) == [.added: 1, .removed: 1])
            #expect(try await text(agent, "Squat", "group") == "thighs")
            // After an undo and a second application, nothing is there twice.
            _ = try await agent.service.call(\.changes.undo, UndoDraft())
            #expect(try await text(agent, "Squat", "group") == "legs")
            _ = try await apply(folder, agent)
            #expect(try await names(agent).sorted() == ["Bench", "Row", "Squat"])
        }
    }

    @Test("a set that a newer program applied is not applied again, and status tells it")
    func newerMark() async throws {
        try await withGym { agent, folder in
            // given
            _ = try await apply(folder, agent)
            let applied = try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
            let space = try #require(applied.first.flatMap { SpaceID(hexadecimal: $0.space.id) })
            let mark = Schema.applied("reference", of: "exercises", in: space)
            let unread = Write(field: Schema.AppliedSet.content, value: .json(#"{"releases":[3]}"#))
            try await agent.node.write(
                ChangeSet(operations: [RecordOperation(mark, [unread])]), to: space)
            try folder.manifest(reference: 2)
            try folder.write("code,name\nsq,Deep squat\n", to: "exercises.csv")
            // when, then
            for preview in [true, false] {
                let error = await #expect(throws: APIError.self) {
                    _ = try await apply(folder, agent) { $0.preview = preview }
                }
                #expect(error?.sentence.contains("A newer peersync applied “exerc") == true)
            }
            await #expect(throws: APIError.self) {
                _ = try await agent.service.call(
                    \.schemas.takeVersion,
                    DataSetVersionDraft(space: "Gym", name: nil, level: .reference, version: 0))
            }
            #expect(try await names(agent).sorted() == ["Bench", "Row", "Squat"])
            let told = try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
            #expect(told.map(\.newer) == [true] && told.map(\.level) == [.reference])
        }
    }
}
