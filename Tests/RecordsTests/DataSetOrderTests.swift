import Foundation
import LocalAPI
import TestDevices
import Testing

/// The steps of a data set that need no work of their own, as what they would write follows from the records.
@Suite("The steps of applying a data set")
struct DataSetOrderTests {
    private static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
              group: { type: text }
            derived:
              sessions: { rule: count, of: session }
              last_kg: { rule: last, of: session, field: kg, by: at }
          session:
            fields:
              at: { type: time, required: true }
              kg: { type: integer }
              exercise: { type: reference, to: exercise, on_delete: restrict }
        """

    private func apply(_ rows: String, version: Int, to agent: OfflineDevice) async throws
        -> DataSetReport
    {
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
        return try await agent.service.call(
            \.schemas.applySet, DataSetDraft(path: folder, space: "Gym"))
    }

    private func train(_ exercise: String, at seconds: Int64, kg: Int64, _ agent: OfflineDevice)
        async throws
    {
        _ = try await agent.service.call(
            \.records.add,
            RecordDraft(
                space: "Gym", collection: "session",
                fields: [
                    "at": .time(Moment(milliseconds: 1_000 * seconds)), "kg": .integer(kg),
                    "exercise": .reference(RecordReference(id: exercise)),
                ]))
    }

    private func derived(_ name: String, _ agent: OfflineDevice) async throws -> [String:
        FieldValue]
    {
        try await agent.service.call(
            \.records.show, id: name, RecordScope(space: "Gym", collection: "exercise")
        ).derived
    }

    @Test("Derived values, also of what was used last, follow a record that becomes a row")
    func derivedFollow() async throws {
        try await OfflineDevice.with { agent in
            // given
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Gym", document: Self.schema))
            _ = try await agent.service.call(
                \.records.add,
                RecordDraft(
                    space: "Gym", collection: "exercise", fields: ["name": .text("squat")]))
            try await train("squat", at: 2, kg: 100, agent)
            try await train("squat", at: 1, kg: 90, agent)
            // when
            let report = try await apply(
                "code,name,group\nsq,Squat,legs\n", version: 1, to: agent)
            // then
            #expect(report.levels.first?.counts.map(\.kind) == [.adopted])
            #expect(
                try await derived("squat", agent) == [
                    "sessions": .integer(2), "last_kg": .integer(100),
                ])

            // when
            _ = try await apply("code,name,group\nsq,Deep squat,legs\n", version: 2, to: agent)
            try await train("squat", at: 3, kg: 110, agent)
            // then
            #expect(
                try await derived("squat", agent) == [
                    "sessions": .integer(3), "last_kg": .integer(110),
                ])
        }
    }
}
