import Agent
import Device
import Foundation
import LocalAPI
import Records
import Store
import SyncCore
import Synchronization
import TestDevices
import Testing

@Suite("Full resets, and data sets that are followed")
struct DataSetResetTests {
    private static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
              note: { type: text }
              tips: { type: set, of: { type: text } }
          plan:
            fields:
              name: { type: text, required: true }
              exercise: { type: reference, to: exercise, on_delete: detach }
          session:
            fields:
              day: { type: text, required: true }
              exercise: { type: reference, to: exercise, on_delete: restrict }
        """

    private func write(_ text: String, to name: String, of agent: TestAgent) throws {
        let folder = agent.folder + "/set"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    private func manifest(_ agent: TestAgent, reference: Int = 1, reset: Int) throws {
        try write(
            """
            dataset: 1
            name: exercises
            schema: gym
            reference:
              version: \(reference)
              collections:
                exercise: { file: exercises.csv, key: code }
            reset:
              version: \(reset)
              text: "A new beginning"
              keeps: session
            """, to: "dataset.yaml", of: agent)
    }

    private static let rows = "code,name\nsq,Squat\nbe,Bench\nro,Row\n"

    private func withGym(_ body: (TestAgent) async throws -> Void) async throws {
        try await TestAgent.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            try manifest(agent, reset: 1)
            try write(Self.rows, to: "exercises.csv", of: agent)
            _ = try await apply(agent)
            try await body(agent)
        }
    }

    private func apply(_ agent: TestAgent) async throws -> DataSetReport {
        try await agent.service.call(
            \.schemas.applySet, DataSetDraft(path: agent.folder + "/set", space: "Gym"))
    }

    private func reset(
        _ agent: TestAgent, _ change: (inout DataSetResetDraft) -> Void = { _ in }
    ) async throws -> DataSetResetReport {
        var draft = DataSetResetDraft(path: agent.folder + "/set", space: "Gym")
        (draft.confirmed, draft.withoutBackup) = ("Gym", true)
        change(&draft)
        return try await agent.service.call(\.schemas.resetSet, draft)
    }

    private func add(
        _ agent: TestAgent, _ collection: String, _ fields: [String: FieldValue]
    ) async throws {
        _ = try await agent.service.call(
            \.records.add, RecordDraft(space: "Gym", collection: collection, fields: fields))
    }

    private func set(_ agent: TestAgent, _ record: String, _ text: String) async throws {
        var changes = RecordChanges(space: "Gym", collection: "exercise")
        changes.fields = ["note": .text(text)]
        _ = try await agent.service.call(\.records.change, id: record, changes)
    }

    private func list(_ agent: TestAgent, _ collection: String) async throws -> [RecordView] {
        try await agent.service.call(
            \.records.list, RecordFilter(space: "Gym", collection: collection)
        ).records
    }

    /// An own exercise, an edited one and a deleted one; a plan, and a session.
    private func train(_ agent: TestAgent) async throws {
        try await add(agent, "exercise", ["name": .text("Mine")])
        try await add(agent, "exercise", ["name": .text("Used")])
        try await set(agent, "Squat", "deep")
        _ = try await agent.service.call(
            \.records.delete, id: "Row", RecordScope(space: "Gym", collection: "exercise"))
        try await add(
            agent, "plan",
            ["name": .text("Monday"), "exercise": .reference(RecordReference(id: "Squat"))])
        try await add(
            agent, "session",
            ["day": .text("1"), "exercise": .reference(RecordReference(id: "Used"))])
    }

    @Test("A reset tells that it reads, and then that it saves")
    func progress() async throws {
        try await withGym { ann in
            // given
            try manifest(ann, reset: 2)
            let stages = Mutex<[ProgressView.Stage]>([])
            let sink = ProgressSink { view in stages.withLock { $0.append(view.stage) } }
            // when
            try await ProgressSink.$current.withValue(sink) { _ = try await reset(ann) }
            // then it read twice: everything is checked before a backup would be made
            #expect(stages.withLock { $0 } == [.reading, .reading, .saving])
        }
    }

    @Test("A reset keeps history and its records, loads the rows again, and is undone as one")
    func resets() async throws {
        try await withGym { ann in
            try await train(ann)
            try manifest(ann, reset: 2)
            let offered = try await apply(ann).reset
            #expect(offered?.from == 1 && offered?.to == 2 && offered?.text == "A new beginning")
            let before = try await names(ann)
            let preview = try await reset(ann) { $0.preview = true }
            #expect(!preview.done && preview.deleted.map(\.count).reduce(0, +) == 2)
            #expect(try await names(ann) == before)

            let report = try await reset(ann)
            #expect(report.kept == [.init(collection: "session", count: 1)])
            #expect(report.needed == [.init(collection: "exercise", count: 1)])
            #expect(report.loaded == [.init(collection: "exercise", count: 3)])
            #expect(try await names(ann) == ["Bench", "Row", "Squat", "Used"])
            #expect(try await list(ann, "plan").isEmpty)
            #expect(try await list(ann, "session").count == 1)
            let squat = try await ann.service.call(
                \.records.show, id: "Squat", RecordScope(space: "Gym", collection: "exercise"))
            #expect(squat.fields["note"] == nil || squat.fields["note"] == .null)
            #expect(try await apply(ann).reset == nil)

            _ = try await ann.service.call(\.changes.undo, UndoDraft())
            #expect(try await names(ann) == before)
            #expect(try await list(ann, "plan").count == 1)
            #expect(try await apply(ann).reset?.to == 2)
        }
    }

    private func names(_ agent: TestAgent) async throws -> [String] {
        try await list(agent, "exercise").map(\.name).sorted()
    }

    @Test("Without the space's name, a raised number or a reset, nothing happens")
    func refused() async throws {
        try await withGym { ann in
            try await train(ann)
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence:
                        "The space was reset to version 1 of “exercises” already.",
                    hint: "To do it again: peersync dataset set-version SPACE reset 0")
            ) {
                try await reset(ann)
            }
            try manifest(ann, reset: 2)
            let before = try await names(ann)
            for typed in [nil, "gymnasium", ""] {
                await #expect(
                    throws: APIError(
                        code: .badInput,
                        sentence: "That is not the name of the space. Nothing was changed.",
                        hint: "In a script: --confirm Gym")
                ) {
                    try await reset(ann) { $0.confirmed = typed }
                }
            }
            #expect(try await names(ann) == before)
        }
    }

    @Test("A reset makes a backup first, and does nothing if there is no place for one")
    func backsUp() async throws {
        try await withGym { ann in
            try await train(ann)
            try manifest(ann, reset: 2)
            let before = try await names(ann)
            await #expect(throws: APIError.self) {
                try await reset(ann) { $0.withoutBackup = false }
            }
            #expect(try await names(ann) == before)
        }
    }

    @Test("A row that a reset deleted because its set lost it returns with a later version")
    func rowsReturn() async throws {
        try await withGym { ann in
            try write("code,name\nsq,Squat\n", to: "exercises.csv", of: ann)
            try manifest(ann, reference: 2, reset: 2)
            _ = try await reset(ann)
            #expect(try await names(ann) == ["Squat"])
            try write(Self.rows, to: "exercises.csv", of: ann)
            try manifest(ann, reference: 3, reset: 2)
            _ = try await apply(ann)
            #expect(try await names(ann) == ["Bench", "Row", "Squat"])
        }
    }

    // MARK: Undoing

    private func reference(_ agent: TestAgent) async throws -> Int? {
        try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
            .first { $0.level == .reference }?.version
    }

    @Test("A raised version that changes no row is undone alone; what was done before stays")
    func raisedAlone() async throws {
        try await withGym { agent in
            // given
            try await add(agent, "exercise", ["name": .text("Mine")])
            try manifest(agent, reference: 2, reset: 1)
            _ = try await apply(agent)
            // when
            let undone = try await undo(agent)
            // then
            #expect(undone.records.map(\.record.name) == ["exercises"])
            #expect(try await reference(agent) == 1)
            #expect(try await list(agent, "exercise").count == 4)
            #expect(try await redo(agent).records.count == 1)
            #expect(try await reference(agent) == 2)
        }
    }

    @Test("A version that was applied again is undone with the rows that it confirmed")
    func appliedAgain() async throws {
        try await withGym { agent in
            // given
            _ = try await agent.service.call(
                \.schemas.takeVersion,
                DataSetVersionDraft(space: "Gym", name: nil, level: .reference, version: 0))
            _ = try await apply(agent)
            // when
            try await undo(agent)
            // then
            #expect(try await list(agent, "exercise").isEmpty)
            #expect(try await reference(agent) == nil)
        }
    }

    @Test("Of two resets made apart, undo reverts both with --over, and otherwise nothing")
    func resetApart() async throws {
        try await TestAgent.pair { ann, ben in
            // given
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            _ = try await MemberService(ann.node).grant(
                "Gym", GrantDraft(person: "Ben", role: .admin))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            for agent in [ann, ben] {
                try manifest(agent, reset: 1)
                try write(Self.rows, to: "exercises.csv", of: agent)
            }
            _ = try await apply(ann)
            try await add(ann, "plan", ["name": .text("Monday")])
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                try manifest(agent, reset: 2)
                _ = try await reset(agent)
            }
            try ann.receive(space, from: ben)
            // when
            let refused = await #expect(throws: APIError.self) { try await undo(ann) }
            let preview = try await undo(ann) { $0.preview = true }
            // then
            #expect(refused?.sentence == "Somebody else changed all of this too, and so it stays.")
            #expect(preview.recordCount == 0 && preview.keptCount > 0)
            #expect(preview.kept.allSatisfy { $0.reason == .changedToo && $0.by?.name == "Ben" })
            #expect(try await names(ann) == ["Bench", "Row", "Squat"])
            #expect(try await list(ann, "plan").isEmpty)

            // when
            try await undo(ann) { $0.over = true }
            // then
            #expect(try await list(ann, "plan").map(\.name) == ["Monday"])
            #expect(try await apply(ann).reset?.to == 2)
            try await redo(ann)
            #expect(try await list(ann, "plan").isEmpty)
        }
    }

    @Test("Of two resets made apart the higher one counts by itself, and deletes nothing again")
    func settled() async throws {
        try await TestAgent.pair { ann, ben in
            // given
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            _ = try await MemberService(ann.node).grant(
                "Gym", GrantDraft(person: "Ben", role: .admin))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            for agent in [ann, ben] { try write(Self.rows, to: "exercises.csv", of: agent) }
            try manifest(ann, reset: 1)
            _ = try await apply(ann)
            try ben.receive(space, from: ann)
            for (agent, version) in [(ann, 3), (ben, 2)] {
                try manifest(agent, reset: version)
                _ = try await reset(agent)
            }
            try await add(ben, "plan", ["name": .text("Monday")])
            try ann.receive(space, from: ben)
            // when
            try await DataSetSettling(ann.node).settle(in: space) { _ in }
            // then
            let marks = try await ann.service.call(\.schemas.appliedSets, DataSetFilter())
                .filter { $0.level == .reset }
            #expect(marks.map(\.version) == [3] && marks.map(\.contested) == [false])
            #expect(try await list(ann, "plan").map(\.name) == ["Monday"])
            #expect(try await names(ann) == ["Bench", "Row", "Squat"])
        }
    }

    // MARK: Following

    private func follow(_ agent: TestAgent, _ space: String?) async throws -> [FollowedSetView] {
        try await agent.service.call(
            \.schemas.followSet, DataSetFollowDraft(path: agent.folder + "/set", space: space))
    }

    @Test("Following a folder ends for one space, or for every space")
    func unfollows() async throws {
        try await withGym { ann in
            // given
            let path = ann.folder + "/set"
            let end = { (space: String?) in
                try await ann.service.call(
                    \.schemas.followSet, DataSetFollowDraft(path: path, space: space, ends: true))
            }
            for space in ["Club", "Pool"] {
                _ = try await ann.service.call(
                    \.spaces.create, SpaceDraft(name: space, document: Self.schema))
            }
            for space in ["Gym", "Club", "Pool"] { _ = try await follow(ann, space) }
            let listed = try await ann.service.call(\.agent.settings).first { $0.name == .dataSets }
            #expect(listed?.value.contains("\(path) (Club)") == true && listed?.origin == .set)
            // when
            let left = try await end("club")
            // then
            #expect(left.map(\.space.name).sorted() == ["Gym", "Pool"])
            let error = await #expect(throws: APIError.self) { try await end("Club") }
            #expect(error?.code == .notFound)
            #expect(try FollowedSets(ann.node).list().count == 2)
            #expect(try await end(nil).isEmpty)
        }
    }

    @Test("A followed folder is applied when the agent starts; a reset is only offered")
    func follows() async throws {
        try await withGym { ann in
            #expect(try await follow(ann, "Gym").count == 1)
            try write(Self.rows + "lu,Lunge\n", to: "exercises.csv", of: ann)
            try manifest(ann, reference: 2, reset: 2)
            try await FollowedSets(ann.node).applyAll { _ in }
            #expect(try await names(ann) == ["Bench", "Lunge", "Row", "Squat"])
            _ = try await ann.service.call(\.changes.undo, UndoDraft())
            try await FollowedSets(ann.node).applyAll { _ in }
            #expect(try await names(ann) == ["Bench", "Row", "Squat"])
            let back = try FollowedSets(ann.node).notices().first?.sentence.text
            #expect(back?.contains("taken back") == true)
            // Each reader gets it in their own language, not in the agent's.
            let german = try Language.$asked.withValue(.german) {
                try FollowedSets(ann.node).notices().first?.sentence.text
            }
            #expect(german?.contains("nicht angewendet") == true)
            #expect(german?.contains("taken back") == false)
            _ = try await apply(ann)
            try await FollowedSets(ann.node).applyAll { _ in }
            let told = try await ann.service.call(\.agent.status).problems
            #expect(told.contains { $0.kind == .dataSet && $0.sentence.contains("full reset") })

            _ = try await reset(ann)
            try await FollowedSets(ann.node).applyAll { _ in }
            #expect(try FollowedSets(ann.node).notices().isEmpty)
            try FileManager.default.removeItem(atPath: ann.folder + "/set/exercises.csv")
            try await FollowedSets(ann.node).applyAll { _ in }
            #expect(
                try FollowedSets(ann.node).notices().first?.sentence.text.contains("not applied")
                    == true)
            #expect(try await names(ann).count == 4)
            #expect(try await follow(ann, nil).isEmpty)
            await #expect(throws: APIError.self) { try await follow(ann, nil) }
        }
    }

    @Test("A set that a newer program applied stands by its name among the others")
    func newer() async throws {
        try await withGym { agent in
            // given
            let applied = try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
            let id = try #require(applied.first?.space.id)
            let space = try #require(bytes(hexadecimal: id).flatMap { SpaceID(bytes: $0) })
            let mark = RecordOperation(
                Schema.applied("reference", of: "bands", in: space),
                [
                    Write(field: Schema.AppliedSet.name, value: .text("bands")),
                    Write(field: Schema.AppliedSet.level, value: .text("reference")),
                    Write(field: Schema.AppliedSet.content, value: .json(#"{"releases":[3]}"#)),
                ])
            // when
            try await agent.node.write(ChangeSet(operations: [mark]), to: space)
            // then
            let told = try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
            #expect(told.first?.name == "bands" && told.first?.newer == true)
            #expect(told.dropFirst().map(\.name) == applied.map(\.name))
        }
    }
}
