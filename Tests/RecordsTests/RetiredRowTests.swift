import Foundation
import LocalAPI
import Records
import TestDevices
import TestKit
import Testing

@Suite("Rows that left their data set")
struct RetiredRowTests {
    private static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
              group: { type: text }
          session:
            fields:
              day: { type: text, required: true }
              exercise: { type: reference, to: exercise, on_delete: restrict }
        """

    private func write(_ rows: String, version: Int, of agent: OfflineDevice) throws {
        let manifest = """
            dataset: 1
            name: exercises
            schema: gym
            reference:
              version: \(version)
              collections:
                exercise: { file: exercises.csv, key: code }
            reset:
              version: \(version)
              keeps: session
            """
        try write(["dataset.yaml": manifest, "exercises.csv": rows], of: agent)
    }

    private func write(_ files: [String: String], of agent: OfflineDevice) throws {
        let folder = agent.folder + "/set"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
    }

    private func apply(_ agent: OfflineDevice, to space: String = "Gym") async throws {
        _ = try await agent.service.call(
            \.schemas.applySet, DataSetDraft(path: agent.folder + "/set", space: space))
    }

    /// A space whose session refers to the row “Squat”, which the next version of the set lacks.
    private func withGym(_ body: (_ agent: OfflineDevice, _ session: String) async throws -> Void)
        async throws
    {
        try await OfflineDevice.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            try write("code,name,group\nsq,Squat,legs\nbe,Bench,chest\n", version: 1, of: agent)
            try await apply(agent)
            let session = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Gym", collection: "session",
                    fields: [
                        "day": .text("Monday"),
                        "exercise": .reference(RecordReference(id: "Squat")),
                    ]))
            try write("code,name,group\nbe,Bench,chest\n", version: 2, of: agent)
            try await body(agent, session.id)
        }
    }

    private func exercises(
        _ agent: OfflineDevice, retired: Bool = false
    ) async throws -> [RecordView] {
        var filter = RecordFilter(space: "Gym", collection: "exercise")
        filter.retired = retired
        return try await agent.service.call(\.records.list, filter).records
    }

    private func names(_ agent: OfflineDevice, retired: Bool = false) async throws -> [String] {
        try await exercises(agent, retired: retired).map(\.name).sorted()
    }

    private func delete(_ session: String, of agent: OfflineDevice) async throws {
        _ = try await agent.service.call(
            \.records.delete, id: session, RecordScope(space: "Gym", collection: "session"))
    }

    @Test("They are listed only on demand, found by name, and in archives")
    func listed() async throws {
        try await withGym { agent, session in
            // when
            try await apply(agent)
            // then
            #expect(try await names(agent) == ["Bench"])
            #expect(try await names(agent, retired: true) == ["Bench", "Squat"])
            let marked = try await exercises(agent, retired: true).filter {
                $0.standing == .retired
            }
            #expect(marked.map(\.name) == ["Squat"])
            let squat = try await agent.service.call(
                \.records.show, id: "Squat", RecordScope(space: "Gym", collection: "exercise"))
            #expect(squat.fields["group"] == .text("legs") && squat.standing == .retired)
            #expect(try RecordService(agent.node).archive("Gym").recordCount == 3)

            // when nothing refers to it any more
            try await delete(session, of: agent)
            // then
            #expect(try await names(agent) == ["Bench"])
            #expect(try await names(agent, retired: true) == ["Bench", "Squat"])
        }
    }

    @Test("A row that a person changes is theirs, and is listed until the change is undone")
    func changed() async throws {
        try await withGym { agent, _ in
            // given
            try await apply(agent)
            var changes = RecordChanges(space: "Gym", collection: "exercise")
            changes.fields = ["group": .text("mine")]
            // when
            _ = try await agent.service.call(\.records.change, id: "Squat", changes)
            // then
            #expect(try await names(agent) == ["Bench", "Squat"])
            try await undo(agent)
            #expect(try await names(agent) == ["Bench"])
        }
    }

    @Test("The status of a data set names them after a reset, also when nothing refers to them")
    func status() async throws {
        try await withGym { agent, session in
            // given
            var draft = DataSetResetDraft(path: agent.folder + "/set", space: "Gym")
            (draft.confirmed, draft.withoutBackup) = ("Gym", true)
            _ = try await agent.service.call(\.schemas.resetSet, draft)
            func others() async throws -> [DataSetReport.Row] {
                try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
                    .flatMap(\.others)
            }
            #expect(try await others().map(\.kind) == [.retired])
            #expect(try await names(agent) == ["Bench"])
            // when
            try await delete(session, of: agent)
            // then
            #expect(try await others().map(\.kind) == [.removed])
            #expect(try await others().map(\.record.name) == ["Squat"])
        }
    }

    @Test("A row that the set has again is listed again")
    func back() async throws {
        try await withGym { agent, _ in
            // given
            try await apply(agent)
            try write("code,name,group\nsq,Squat,legs\nbe,Bench,chest\n", version: 3, of: agent)
            // when
            try await apply(agent)
            // then
            #expect(try await names(agent) == ["Bench", "Squat"])
        }
    }

    /// A set for trips, with tags and things to do.
    private func writeLists(
        _ tags: String, _ items: String, version: Int, of agent: OfflineDevice
    ) throws {
        let manifest = """
            dataset: 1
            name: travel
            schema: journal
            reference:
              version: \(version)
              collections:
                tag: { file: tags.csv, key: code }
                bucket_item: { file: items.csv, key: code }
            """
        try write(
            ["dataset.yaml": manifest, "tags.csv": tags, "items.csv": items], of: agent)
    }

    @Test("Tags and items of the bucket list are listed only on demand, marked, and found by name")
    func lists() async throws {
        try await OfflineDevice.with { agent in
            // given
            _ = try await agent.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            try writeLists(
                "code,name\nwi,wine\nla,lake\n", "code,title\nto,Sleep in a tower\nsw,Swim\n",
                version: 1, of: agent)
            try await apply(agent, to: "Arezzo")
            var draft = MemoryDraft(trip: "Arezzo")
            (draft.title, draft.tags, draft.bucketItem) = ("Cellar", ["wine"], "Sleep in a tower")
            _ = try await agent.service.call(\.memories.add, draft)
            try writeLists(
                "code,name\nla,lake\n", "code,title\nsw,Swim\n", version: 2, of: agent)
            // when
            try await apply(agent, to: "Arezzo")
            // then
            let (few, all) = (ListFilter(trip: "Arezzo"), ListFilter(trip: "Arezzo", retired: true))
            let tags = try await agent.service.call(\.tags.list, few)
            #expect(tags.map(\.name) == ["lake"])
            let items = try await agent.service.call(\.bucket.list, few)
            #expect(items.map(\.title) == ["Swim"])
            let allTags = try await agent.service.call(\.tags.list, all)
            #expect(allTags.map(\.name) == ["lake", "wine"])
            #expect(allTags.map(\.retired) == [nil, true])
            let allItems = try await agent.service.call(\.bucket.list, all)
            #expect(allItems.map(\.title) == ["Sleep in a tower", "Swim"])
            #expect(allItems.map(\.retired) == [true, nil])
            let shown = try await agent.service.call(\.tags.show, id: "wine", ScopeFilter())
            #expect(shown.memoryCount == 1 && shown.retired == true)
            let memory = try await agent.service.call(\.memories.show, id: "Cellar")
            #expect(memory.tags.map(\.name) == ["wine"])

            // when a person changes it
            _ = try await agent.service.call(
                \.tags.edit, id: "wine", TagChanges(name: "wines", trip: "Arezzo"))
            // then it is theirs
            let now = try await agent.service.call(\.tags.list, few)
            #expect(now.map(\.name) == ["lake", "wines"])
        }
    }
}
