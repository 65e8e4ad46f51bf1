import Device
import Foundation
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Full resets for one person")
struct DataSetResetHereTests {
    private static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
              note: { type: text }
          plan:
            fields:
              name: { type: text, required: true }
              exercise: { type: reference, to: exercise, on_delete: detach }
          session:
            fields:
              day: { type: text, required: true }
              exercise: { type: reference, to: exercise, on_delete: restrict }
              photo: { type: blob }
              mood: { type: text, local: true }
        """

    /// A gym with three exercises of a set, an own one that a session uses, an unused own one, and
    /// a plan.
    private func withGym(
        encrypted: Bool = false, _ body: (OfflineDevice) async throws -> Void
    ) async throws {
        try await OfflineDevice.with { agent in
            try await makeGym(agent, encrypted)
            try await body(agent)
        }
    }

    private func makeGym(_ agent: OfflineDevice, _ encrypted: Bool = false) async throws {
        _ = try await agent.service.call(
            \.spaces.create,
            SpaceDraft(name: "Gym", document: Self.schema, encrypted: encrypted))
        try offer(agent, ["sq,Squat", "be,Bench", "ro,Row"], reset: 1)
        _ = try await apply(agent, "Gym")
        for name in ["Mine", "Used"] { try await add(agent, "exercise", ["name": .text(name)]) }
        try await add(
            agent, "plan", ["name": .text("Monday"), "exercise": Self.reference("Squat")])
        let photo = try agent.file("photo.bin", "a photo")
        try await add(
            agent, "session",
            [
                "day": .text("1"), "exercise": Self.reference("Used"), "mood": .text("good"),
                "photo": .blob(BlobReference(id: nil, bytes: nil, here: nil, path: photo)),
            ])
        try await add(agent, "session", ["day": .text("2"), "exercise": Self.reference("Row")])
        try offer(agent, ["sq,Squat", "be,Bench", "ro,Row"], reset: 2)
    }

    private static func reference(_ name: String) -> FieldValue {
        .reference(RecordReference(id: name))
    }

    private func offer(
        _ agent: OfflineDevice, _ rows: [String], reference: Int = 1, reset: Int
    ) throws {
        let folder = agent.folder + "/set"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let manifest = """
            dataset: 1
            name: exercises
            schema: gym
            reference:
              version: \(reference)
              collections:
                exercise: { file: exercises.csv, key: code }
            reset:
              version: \(reset)
              keeps: session
            """
        let files = [
            ("dataset.yaml", manifest),
            ("exercises.csv", (["code,name"] + rows).joined(separator: "\n") + "\n"),
        ]
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
    }

    private func apply(_ agent: OfflineDevice, _ space: String) async throws -> DataSetReport {
        try await agent.service.call(
            \.schemas.applySet, DataSetDraft(path: agent.folder + "/set", space: space))
    }

    private func reset(
        _ agent: OfflineDevice, _ change: (inout DataSetResetDraft) -> Void = { _ in }
    ) async throws -> DataSetResetReport {
        var draft = DataSetResetDraft(path: agent.folder + "/set", space: "Gym")
        (draft.here, draft.name) = (true, "New gym")
        (draft.confirmed, draft.withoutBackup) = ("Gym", true)
        change(&draft)
        return try await agent.service.call(\.schemas.resetSet, draft)
    }

    private func add(
        _ agent: OfflineDevice, _ collection: String, _ fields: [String: FieldValue]
    ) async throws {
        _ = try await agent.service.call(
            \.records.add, RecordDraft(space: "Gym", collection: collection, fields: fields))
    }

    private func list(
        _ agent: OfflineDevice, _ collection: String, _ space: String = "New gym"
    ) async throws -> [RecordView] {
        try await agent.service.call(
            \.records.list, RecordFilter(space: space, collection: collection)
        ).records
    }

    private func names(_ agent: OfflineDevice, _ space: String = "New gym") async throws -> [String]
    {
        try await list(agent, "exercise", space).map(\.name).sorted()
    }

    /// The author of a session in the old space.
    private func author(_ agent: OfflineDevice) async throws -> String? {
        try await agent.service.call(
            \.records.show, id: "1", RecordScope(space: "New gym", collection: "session")
        ).origin?.author
    }

    private func spaces(_ agent: OfflineDevice) async throws -> [String] {
        try await agent.service.call(\.spaces.list).map(\.name).sorted()
    }

    private func digest(_ agent: OfflineDevice) async throws -> String {
        try await agent.service.call(\.trips.digest, id: "Gym").digest
    }

    private func id(_ reference: Reference?) throws -> SpaceID {
        let digits = try #require(reference?.id)
        return try #require(bytes(hexadecimal: digits[...]).flatMap { SpaceID(bytes: $0) })
    }

    /// The exercises of sessions by their day.
    private func exercises(_ agent: OfflineDevice) async throws -> [String: String?] {
        Dictionary(
            try await list(agent, "session").map { session in
                guard case .reference(let exercise) = session.fields["exercise"] else {
                    return (session.name, nil)
                }
                return (session.name, exercise.name)
            }
        ) { first, _ in first }
    }

    // MARK: Making the new space

    @Test(
        "History and its records continue in a new space with the rows, and the old one is unchanged"
    )
    func resets() async throws {
        try await withGym { ann in
            // Given
            let before = try await digest(ann)
            let preview = try await reset(ann) { $0.preview = true }
            #expect(!preview.done && preview.newSpace?.space == nil && preview.deleted.isEmpty)
            #expect(
                preview.newSpace?.left == [
                    .init(collection: "exercise", count: 1), .init(collection: "plan", count: 1),
                ])
            #expect(try await spaces(ann) == ["Gym"])

            // When
            let report = try await reset(ann)

            // Then
            #expect(report.newSpace?.space?.name == "New gym")
            #expect(report.kept == [.init(collection: "session", count: 2)])
            #expect(report.needed == [.init(collection: "exercise", count: 2)])
            #expect(try await spaces(ann) == ["Gym", "New gym"])
            #expect(try await digest(ann) == before)
            #expect(try await names(ann) == ["Bench", "Row", "Squat", "Used"])
            #expect(try await list(ann, "plan").isEmpty)
            #expect(try await exercises(ann) == ["1": "Used", "2": "Row"])
            #expect(try await list(ann, "session").compactMap(\.fields["mood"]) == [.text("good")])
            #expect(try await author(ann) == "Ann")
            let applied = try await apply(ann, "New gym")
            #expect(applied.reset == nil && !applied.isChange)
            #expect(try await apply(ann, "Gym").reset?.to == 2)
        }
    }

    @Test("A person with read access to the old space continues in a new one of their own")
    func readers() async throws {
        try await OfflineDevice.pair { ann, ben in
            // Given
            try await makeGym(ann)
            let gym = try await ann.service.call(
                \.trips.sharing.grant, id: "Gym", GrantDraft(person: "Ben", role: .viewer))
            #expect(gym.role == .viewer)
            let space = try id(
                try await ann.service.call(\.spaces.list).first.map {
                    Reference(id: $0.id, shortID: $0.shortID, name: $0.name)
                })
            try ben.receive(space, from: ann)
            try offer(ben, ["sq,Squat", "be,Bench", "ro,Row"], reset: 2)

            // When, Then
            await #expect(
                throws: APIError(
                    code: .notHere,
                    sentence: """
                        History in “Gym” has \
                        \(Sentence.count(1, "file that cannot be read", "files that cannot be read")) on this device. \
                        Nothing was changed.
                        """,
                    hint: "Fetch what devices in reach have: peersync sync")
            ) {
                try await reset(ben)
            }
            #expect(try await spaces(ben) == ["Gym"])
            try ben.receiveFiles(of: space, from: ann)
            _ = try await reset(ben)
            #expect(try await exercises(ben) == ["1": "Used", "2": "Row"])
            #expect(try await author(ben) == "Ann")
        }
    }

    @Test("A row that left the set is retired in the new space, and leaves with its dependents")
    func retires() async throws {
        try await withGym { ann in
            // Given
            try offer(ann, ["sq,Squat"], reference: 2, reset: 2)
            _ = try await reset(ann)
            #expect(try await names(ann) == ["Squat", "Used"])
            #expect(try await exercises(ann) == ["1": "Used", "2": "Row"])

            // When
            _ = try await ann.service.call(
                \.records.delete, id: "2", RecordScope(space: "New gym", collection: "session"))
            try offer(ann, ["sq,Squats"], reference: 3, reset: 2)
            _ = try await apply(ann, "New gym")

            // Then
            #expect(try await names(ann) == ["Squats", "Used"])
        }
    }

    @Test(
        "An exercise that somebody deleted while a session came to need it continues with the session"
    )
    func needsDeleted() async throws {
        try await OfflineDevice.pair { ann, ben in
            // given: apart, Ben deletes what Ann trains with
            try await makeGym(ann)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Gym", GrantDraft(person: "Ben", role: .editor))
            let space = try id(
                try await ann.service.call(\.spaces.list).first.map {
                    Reference(id: $0.id, shortID: $0.shortID, name: $0.name)
                })
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(
                \.records.delete, id: "Mine", RecordScope(space: "Gym", collection: "exercise"))
            try await add(
                ann, "session", ["day": .text("3"), "exercise": Self.reference("Mine")])
            try ann.receive(space, from: ben)
            #expect(try await names(ann, "Gym") == ["Bench", "Mine", "Row", "Squat", "Used"])

            // when
            let report = try await reset(ann)

            // then
            #expect(report.needed == [.init(collection: "exercise", count: 3)])
            #expect(try await names(ann) == ["Bench", "Mine", "Row", "Squat", "Used"])
            #expect(try await exercises(ann) == ["1": "Used", "2": "Row", "3": "Mine"])
        }
    }

    @Test("Files are copied, and encrypted for the new space's key if both are encrypted")
    func files() async throws {
        for encrypted in [false, true] {
            try await withGym(encrypted: encrypted) { ann in
                // Given
                let old = try await list(ann, "session", "Gym").compactMap(\.fields["photo"])

                // When
                let report = try await reset(ann)

                // Then
                let new = try await list(ann, "session").compactMap(\.fields["photo"])
                #expect((new == old) == !encrypted)
                let space = try id(report.newSpace?.space)
                #expect(ann.node.membership(of: space)?.isEncrypted == encrypted)
                #expect(try ann.node.store.files.missing(of: space).isEmpty)
                let path = ann.folder + "/out"
                _ = try await ann.service.call(
                    \.records.export, id: "1",
                    RecordExport(
                        space: "New gym", collection: "session", field: "photo", path: path))
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "a photo")
            }
        }
    }

    // MARK: Interruptions

    @Test("An interrupted reset continues in the space that it began")
    func goesOn() async throws {
        try await withGym { ann in
            // Given: everything but the last step, without a session, a row, and the name.
            let space = try id(try await reset(ann).newSpace?.space)
            _ = try await ann.service.call(
                \.records.delete, id: "1", RecordScope(space: "New gym", collection: "session"))
            _ = try await ann.service.call(
                \.records.delete, id: "Bench", RecordScope(space: "New gym", collection: "exercise")
            )
            _ = try await ann.service.call(
                \.trips.rename, id: "New gym",
                TripRename(name: "New gym (being made)"))
            let mark = Schema.applied("reset", of: "exercises", in: space)
            let unsaid = RecordOperation(
                collection: mark.collection, record: mark.record,
                writes: [Write(field: Schema.AppliedSet.content, value: .null)])
            try await ann.node.write(ChangeSet(operations: [unsaid]), to: space)

            // When
            let report = try await reset(ann)

            // Then
            #expect(try id(report.newSpace?.space) == space)
            #expect(try await spaces(ann) == ["Gym", "New gym"])
            #expect(try await names(ann) == ["Bench", "Row", "Squat", "Used"])
            #expect(try await exercises(ann) == ["1": "Used", "2": "Row"])
            #expect(try await !apply(ann, "New gym").isChange)
        }
    }

    @Test("A reset that stops at a damaged file is finished by the same command")
    func stops() async throws {
        try await withGym(encrypted: true) { ann in
            // Given
            let large = try ann.file("large.bin", String(repeating: "photo\n", count: 50_000))
            try await add(
                ann, "session",
                [
                    "day": .text("3"),
                    "photo": .blob(BlobReference(id: nil, bytes: nil, here: nil, path: large)),
                ])
            let home = ann.folder + "/home"
            let sessions = try await list(ann, "session", "Gym")
            let photos = sessions.first { $0.name == "3" }?.fields["photo"]
            guard case .blob(let photo) = photos else {
                Issue.record("no photo")
                return
            }
            let blob = try #require(photo.id)
            let names = try #require(FileManager.default.enumerator(atPath: home))
                .compactMap { $0 as? String }
            let path = "\(home)/\(try #require(names.first { $0.hasSuffix(blob) }))"
            let sound = try Data(contentsOf: URL(fileURLWithPath: path))
            var spoilt = sound
            spoilt[100_000] ^= 1
            try spoilt.write(to: URL(fileURLWithPath: path))

            // When
            await #expect(throws: APIError.self) { try await reset(ann) }
            #expect(
                try await spaces(ann) == ["Gym", "New gym (being made)"])
            #expect(try await self.names(ann, "New gym (being made)").isEmpty)
            // Applying the set there does not complete it.
            _ = try await apply(ann, "New gym (being made)")
            try sound.write(to: URL(fileURLWithPath: path))
            let id = try #require(bytes(hexadecimal: blob[...]).flatMap { BlobID(bytes: $0) })
            let list = try BlobHash.chunkList(of: Array(sound))
            let gym = try #require(
                try ann.node.store.files.spaces(naming: id).first)
            try ann.node.store.files.markPresent([(id, list)], in: gym, now: ann.node.clock.wall)
            _ = try await reset(ann)

            // Then
            #expect(try await spaces(ann) == ["Gym", "New gym"])
            #expect(try await self.list(ann, "session").count == 3)
        }
    }

    @Test("There is one new space; deleting it reverts the reset, and undo says so")
    func once() async throws {
        try await withGym { ann in
            // Given
            let new = try #require(try await reset(ann).newSpace?.space)

            // When, Then
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "You go on in \(Sentence.name(new.name)) (\(new.shortID)) already.",
                    hint:
                        "To begin again, delete that one first: peersync space delete \(new.shortID)"
                )
            ) { try await reset(ann) }
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence:
                        "The last thing you did was to make \(Sentence.name(new.name)) (\(new.shortID)).",
                    hint: "To take it back: peersync space delete \(new.shortID)")
            ) {
                try await ann.service.call(\.changes.undo, UndoDraft())
            }
            #expect(try await names(ann).count == 4)
            _ = try await ann.service.call(\.trips.delete, id: new.id)
            #expect(try await spaces(ann) == ["Gym"])
            _ = try await reset(ann)
            #expect(try await names(ann).count == 4)
        }
    }

    @Test("A folder that is followed for the old space is followed for the new one")
    func follows() async throws {
        try await withGym { ann in
            _ = try await ann.service.call(
                \.schemas.followSet, DataSetFollowDraft(path: ann.folder + "/set", space: "Gym"))
            let new = try await reset(ann).newSpace?.space
            #expect(try FollowedSets(ann.node).list().map(\.space) == [new])
        }
    }
}
