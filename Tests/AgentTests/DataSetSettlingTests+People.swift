import Agent
import Device
import LocalAPI
import Node
import Records
import SyncCore
import TestDevices
import Testing

/// What settling leaves to people, and what it does beside their work.
extension DataSetSettlingTests {
    @Test("Status shows the value of the set beside that of a person, in the list to decide from")
    func besideValue() async throws {
        try await withAdmins { agents, _ in
            // given
            let ann = agents[0]
            var changes = RecordChanges(space: "Gym", collection: "exercise")
            changes.fields = ["group": .text("mine")]
            _ = try await ann.service.call(\.records.change, id: "Squat", changes)
            // when
            try await apply(4, on: ann)
            // then
            let others = try await ann.service.call(\.schemas.appliedSets, DataSetFilter())
                .flatMap(\.others)
            #expect(others.map(\.fields) == [["group"]])
            #expect(others.map(\.ofSet) == [["group": "quads"]])
        }
    }

    @Test("A record that came late with the name of a row stays")
    func lateRecord() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben, cleo) = (agents[0], agents[1], agents[2])
            _ = try await cleo.service.call(
                \.records.add,
                RecordDraft(
                    space: "Gym", collection: "exercise",
                    fields: ["name": .text("Deadlift"), "group": .text("mine")]))
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            try exchange(agents, space)
            // when
            #expect(try await settle(ann, space) == 1)
            // then
            #expect(try await shown(ann) == (Self.shown(3) + ["Deadlift,mine,"]).sorted())
            #expect(try await marks(ann).flatMap(\.others).map(\.kind) == [.joined])
        }
    }

    @Test("A row of the other version stays if a person wrote to it, even the set's own value")
    func equalValue() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            let lunge = RecordKey(
                collection: "exercise",
                record: .derived(
                    space: space, collection: "exercise",
                    source: lengthPrefixed(Array("exercises".utf8)) + Array("lu".utf8)))
            let same = RecordOperation(lunge, [Write(field: "group", value: .text("legs"))])
            try await ben.node.write(ChangeSet(operations: [same]), to: space)
            try exchange(agents, space)
            // when
            #expect(try await settle(ann, space) == 1)
            // then
            #expect(try await shown(ann) == (Self.shown(3) + ["Lunge,legs,"]).sorted())
        }
    }

    @Test("A row that goes from one level to another stays")
    func otherLevel() async throws {
        try await withAdmins { agents, _ in
            // given
            let ann = agents[0]
            func files(
                _ version: Int, exercises: [String], are exercise: String, day: String
            ) -> [String: String] {
                let manifest = """
                    dataset: 1
                    name: exercises
                    schema: gym
                    \(exercise):
                      version: \(version)
                      collections:
                        exercise: { file: exercises.csv, key: code }
                    \(day):
                      version: \(version)
                      collections:
                        day: { file: days.csv, key: code }
                    """
                let lines = (["code,name"] + exercises).joined(separator: "\n") + "\n"
                return [
                    "dataset.yaml": manifest, "exercises.csv": lines,
                    "days.csv": "code,name\nmo,Monday\n",
                ]
            }
            func names(_ collection: String) async throws -> [String] {
                try await ann.service.call(
                    \.records.list, RecordFilter(space: "Gym", collection: collection)
                ).records.map(\.name).sorted()
            }
            let rows = ["sq,Squat", "be,Bench"]
            try await apply(
                files(5, exercises: rows, are: "reference", day: "samples"), on: ann)
            // when
            try await apply(
                files(6, exercises: rows, are: "samples", day: "reference"), on: ann)
            // then
            #expect(try await names("exercise") == ["Bench", "Squat"])
            #expect(try await names("day") == ["Monday"])
            // when
            try await apply(
                files(7, exercises: ["be,Bench"], are: "samples", day: "reference"), on: ann)
            // then
            #expect(try await names("exercise") == ["Bench"])
        }
    }

    @Test("An undo before it can be taken back after it")
    func redoes() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            _ = try await ann.service.call(
                \.records.add,
                RecordDraft(space: "Gym", collection: "exercise", fields: ["name": .text("Own")]))
            try await undo(ann)
            try exchange(agents, space)
            #expect(try await settle(ann, space) == 1)
            #expect(try await shown(ann) == Self.shown(3))
            // when
            try await redo(ann)
            // then
            #expect(try await shown(ann) == (Self.shown(3) + ["Own,,"]).sorted())
        }
    }

    @Test("A followed folder whose version waits to be settled is not called taken back")
    func followed() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(3, on: ann)
            _ = try await ann.service.call(
                \.schemas.followSet, DataSetFollowDraft(path: ann.folder + "/set", space: "Gym"))
            try await FollowedSets(ann.node).applyAll { _ in }
            try await apply(2, on: ben)
            try ann.receive(space, from: ben)
            // when
            try await FollowedSets(ann.node).applyAll { _ in }
            // then
            #expect(try await marks(ann).map(\.contested) == [true])
            let told = try FollowedSets(ann.node).notices().first?.sentence.text
            #expect(told?.contains("wait to be settled") == true)
        }
    }

    @Test("All spaces are looked at from time to time, however often another one changes")
    func rounds() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            let node = ann.node
            let queue = WorkQueue(node.clock)
            let everywhere = BackgroundWork.settleDataSets(DataSetScope(isEverywhere: true))
            let rounds = [
                WorkSchedule.Round(everywhere, every: 200, at: node.clock.now.monotonic)
            ]
            queue.open(
                [.settleDataSets], rounds,
                WorkQueue.Worker({ work in
                    guard case .settleDataSets(let scope) = work else { return }
                    try await DataSetFollower(node).run(scope)
                }) { Issue.record("\($0): \($1)") })
            while !queue.contents.running.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            let busy = Task {
                while !Task.isCancelled {
                    queue.add(.settleDataSets(DataSetScope(spaces: [SpaceID(.zero)])))
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            defer { busy.cancel() }
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            // when
            try ann.receive(space, from: ben)
            // then
            for _ in 0..<300 where try await marks(ann).contains(where: \.contested) {
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await marks(ann).map(\.contested) == [false])
            busy.cancel()
            await queue.close()()
            while !queue.contents.running.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        }
    }
}
