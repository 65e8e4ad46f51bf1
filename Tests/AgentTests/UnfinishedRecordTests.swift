import Agent
import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Records that stay on their device until they are finished")
struct UnfinishedRecordTests {
    static func document(_ version: Int = 1, finishing: String = "finished_by: minutes")
        -> String
    {
        """
        schema: 1
        name: focus
        version: \(version)
        collections:
          project:
            fields:
              name: { type: text, required: true }
            derived:
              sessions: { rule: count, of: session }
              longest: { rule: maximum, of: session, field: minutes }
          session:
            \(finishing)
            fields:
              title: { type: text, required: true, search: true }
              project: { type: reference, to: project, on_delete: restrict }
              labels: { type: set, of: { type: text } }
              place: { type: order }
              minutes: { type: integer }
              here: { type: boolean, local: true }
              photo: { type: blob }
          remark:
            fields:
              session: { type: reference, to: session, on_delete: cascade, required: true }
        """
    }

    /// Ann's space of that schema with one project, which Ben has as well.
    func shared(
        _ role: LocalAPI.Role = .editor,
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.pair { ann, ben in
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Focus", document: Self.document()))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            try await add("project", ["name": .text("Thesis")], in: ann)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Focus", GrantDraft(person: "Ben", role: role))
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    func scope(_ collection: String) -> RecordScope {
        RecordScope(space: "Focus", collection: collection)
    }

    @discardableResult
    func add(
        _ collection: String, _ fields: [String: FieldValue], in agent: TestAgent,
        at place: RecordPlace? = nil
    ) async throws -> RecordView {
        try await agent.service.call(
            \.records.add,
            RecordDraft(space: "Focus", collection: collection, fields: fields, place: place))
    }

    @discardableResult
    func set(
        _ record: String, _ fields: [String: FieldValue], in agent: TestAgent,
        _ more: (inout RecordChanges) -> Void = { _ in }
    ) async throws -> RecordView {
        var changes = RecordChanges(space: "Focus", collection: "session")
        changes.fields = fields
        more(&changes)
        return try await agent.service.call(\.records.change, id: record, changes)
    }

    func list(
        _ collection: String, in agent: TestAgent,
        _ change: (inout RecordFilter) -> Void = { _ in }
    ) async throws -> [RecordView] {
        var filter = RecordFilter(space: "Focus", collection: collection)
        change(&filter)
        return try await agent.service.call(\.records.list, filter).records
    }

    func show(_ record: String, in agent: TestAgent) async throws -> RecordView {
        try await agent.service.call(\.records.show, id: record, scope("session"))
    }

    private func digest(_ agent: TestAgent) async throws -> String {
        try await agent.service.call(\.trips.digest, id: "Focus").digest
    }

    func unfinished(_ agent: TestAgent, _ space: SpaceID) throws -> Int {
        try agent.node.store.unfinished.all(in: space).count
    }

    let thesis = FieldValue.reference(RecordReference(id: "Thesis"))

    @Test("a running record is on its device alone; finished, it is on the others, whole")
    func whole() async throws {
        try await shared { ann, ben, space in
            // given a session that was added and changed
            let before = ann.node.watermark(of: space)
            let added = try await add(
                "session",
                [
                    "title": .text("Chapter"), "project": thesis,
                    "labels": .set([.text("a"), .text("b")]), "here": .boolean(true),
                ], in: ann)
            #expect(added.status == .unfinished)
            #expect(added.schema?.finishedBy == "minutes")
            try await set("Chapter", ["title": .text("Chapter 3")], in: ann) {
                $0.add = ["labels": [.text("c")]]
                $0.remove = ["labels": [.text("a")]]
            }
            // then no other device knows anything of it, nor counts it
            #expect(ann.node.watermark(of: space) == before)
            #expect(try await digest(ann) == digest(ben))
            #expect(try await list("session", in: ann).map(\.name) == ["Chapter 3"])
            let project = try await ann.service.call(
                \.records.show, id: "Thesis", scope("project"))
            #expect(project.derived["sessions"] == .integer(0))
            #expect(project.derived["longest"] == nil)

            // when it is finished
            let finished = try await set("Chapter 3", ["minutes": .integer(50)], in: ann)

            // then it is a record like all others, in one commit
            #expect(finished.id == added.id && finished.status != .unfinished)
            #expect(finished.fields["here"] == .boolean(true))
            #expect(try unfinished(ann, space) == 0)
            #expect(ann.node.watermark(of: space).count(beyond: before) == 1)
            try ben.receive(space, from: ann)
            let there = try await show("Chapter 3", in: ben)
            #expect(there.fields["minutes"] == .integer(50))
            #expect(there.fields["labels"] == .set([.text("b"), .text("c")]))
            #expect(there.fields["project"] == finished.fields["project"])
            #expect(there.fields["place"] == added.fields["place"])
            #expect(there.fields["here"] == nil)
            #expect(there.conflicts.isEmpty)
            #expect(try await digest(ann) == digest(ben))
            // And it stays one: without the value that finished it, others still have it.
            let cleared = try await set("Chapter 3", ["minutes": .null], in: ann)
            #expect(cleared.status != .unfinished)
            try ben.receive(space, from: ann)
            #expect(try await show("Chapter 3", in: ben).fields["minutes"] == nil)
        }
    }

    @Test("a record added finished is sent at once; in a file each line is judged alone")
    func batch() async throws {
        try await shared { ann, ben, space in
            // given
            let before = ann.node.watermark(of: space)
            try await add(
                "session", ["title": .text("Short"), "minutes": .integer(0)], in: ann)
            #expect(ann.node.watermark(of: space).count(beyond: before) == 1)

            // when
            let records: [[String: FieldValue]] = [
                ["title": .text("one"), "minutes": .integer(1)],
                ["title": .text("two"), "here": .boolean(true)],
                ["title": .text("three"), "minutes": .integer(3)],
            ]
            let report = try await ann.service.call(
                \.records.addBatch,
                RecordBatchDraft(
                    space: "Focus", collection: "session",
                    records: records.map { .init(fields: $0) }))

            // then
            #expect(report.ids.count == 3 && report.commits == 1 && report.unfinished == 1)
            let listed = try await list("session", in: ann)
            #expect(listed.map(\.name) == ["Short", "one", "two", "three"])
            #expect(listed[2].status == .unfinished)
            #expect(listed[2].fields["here"] == .boolean(true))
            try ben.receive(space, from: ann)
            #expect(try await list("session", in: ben).map(\.name) == ["Short", "one", "three"])
        }
    }

    @Test("it is found, listed, searched, ordered and explained like others, with its own status")
    func asked() async throws {
        try await shared { ann, _, _ in
            // given
            try await add("session", ["title": .text("Old"), "minutes": .integer(1)], in: ann)
            let running = try await add(
                "session", ["title": .text("Caf\u{E9} notes"), "project": thesis], in: ann,
                at: RecordPlace(first: true))
            try await add(
                "session", ["title": .text("Later")], in: ann,
                at: RecordPlace(after: "Caf\u{E9} notes"))

            // then
            #expect(
                try await list("session", in: ann).map(\.name) == [
                    "Caf\u{E9} notes", "Later", "Old",
                ])
            for typed in [
                "caf\u{E9} notes", "caf\u{E9} n", running.id, String(running.id.prefix(8)),
            ] {
                #expect(try await show(typed, in: ann).id == running.id, "\(typed)")
            }
            #expect(try await list("session", in: ann) { $0.text = "cafe" }.count == 1)
            #expect(try await list("session", in: ann) { $0.deleted = true }.isEmpty)
            let byProject = try await list("session", in: ann) {
                $0.fields = ["project": thesis]
            }
            #expect(byProject.map(\.id) == [running.id])
            let hits = try await ann.service.call(
                \.records.search, SearchQuery(words: "NOTES caf")
            ).hits
            #expect(hits.map(\.id) == [running.id])
            let why = try await ann.service.call(\.agent.why, id: running.id, WhyScope())
            #expect(why.status == .unfinished && !why.everywhere)
            #expect(why.verdict.contains("until minutes is set"))
            #expect(why.devices.map(\.state) == [.complete])
            let standing = try await ann.service.call(
                \.spaces.standing, id: "Focus", StandingScope(collection: "session"))
            #expect(standing.collections.first?.statuses["unfinished"] == 2)
            let refused = await #expect(throws: APIError.self) {
                try await ann.service.call(\.records.history, id: running.id, WhyScope())
            }
            #expect(refused?.sentence.contains("history begins once it is finished") == true)
            let here = try ann.node.sync.onlyHere().first { $0.space.name == "Focus" }
            #expect(here?.unfinished == 2)
        }
    }

    @Test("references that others could not follow, and missing files, are refused in one sentence")
    func refusals() async throws {
        try await shared { ann, ben, space in
            // given
            try await add("session", ["title": .text("Walk"), "project": thesis], in: ann)
            let walk = FieldValue.reference(RecordReference(id: "Walk"))
            let photo = FieldValue.blob(
                BlobReference(
                    id: nil, bytes: nil, here: nil, path: try ann.file("a.bin", "a picture")))

            // then
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: """
                        “Walk” is unfinished and only on this device: nothing can refer to it yet.
                        """,
                    hint: "Finish it first.")
            ) {
                try await add("remark", ["session": walk], in: ann)
            }
            await #expect(
                throws: APIError(
                    code: .badInput,
                    sentence: "photo is a file, and an unfinished record has none.",
                    hint: "Set minutes in the same command, or add the file after that.")
            ) {
                try await set("Walk", ["photo": photo], in: ann)
            }
            await #expect(throws: RecordErrors.missingFields(["title"], of: "session")) {
                try await add("session", ["project": thesis], in: ann)
            }
            await #expect(throws: RecordErrors.recordInUse("Thesis", by: 1, of: "session")) {
                try await ann.service.call(\.records.delete, id: "Thesis", scope("project"))
            }
            // And a file is added together with the finishing value.
            let finished = try await set("Walk", ["photo": photo, "minutes": .integer(9)], in: ann)
            #expect(finished.fields["photo"] != nil)
            try ben.receive(space, from: ann)
            #expect(try await show("Walk", in: ben).fields["photo"] != nil)
        }
    }

    @Test("a member who may only read adds none, and a deleted one is gone for good")
    func deleted() async throws {
        try await shared(.viewer) { ann, ben, space in
            await #expect(throws: APIError.self) {
                try await add("session", ["title": .text("Mine")], in: ben)
            }
            #expect(try unfinished(ben, space) == 0)
            let before = ann.node.watermark(of: space)
            try await add("session", ["title": .text("Walk"), "here": .boolean(true)], in: ann)
            let gone = try await ann.service.call(\.records.delete, id: "Walk", scope("session"))
            #expect(gone.status == .unfinished)
            #expect(try await list("session", in: ann).isEmpty)
            #expect(try ann.node.store.records.localValues(of: space, in: "session").isEmpty)
            await #expect(
                throws: APIError(
                    code: .notFound,
                    sentence: "There is no deleted session called “Walk”.",
                    hint: "See what was deleted: peersync record list SPACE session --deleted")
            ) {
                try await ann.service.call(\.records.restore, id: "Walk", scope("session"))
            }
            #expect(ann.node.watermark(of: space) == before)
        }
    }

    @Test("finishing it below a deleted record would hide it, and so needs a confirmation")
    func ownerIsGone() async throws {
        let document = Self.document().replacing("on_delete: restrict", with: "on_delete: cascade")
        try await TestAgent.with { agent in
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Focus", document: document))
            for name in ["Thesis", "Garden"] {
                try await add("project", ["name": .text(name)], in: agent)
            }
            try await add("session", ["title": .text("Walk"), "project": thesis], in: agent)
            _ = try await agent.service.call(\.records.delete, id: "Thesis", scope("project"))
            #expect(try await list("session", in: agent).map(\.status) == [.unfinished])
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: """
                        It belongs to “Thesis” of project, which is deleted: finished, it \
                        would be hidden.
                        """,
                    hint: "Name another one, or bring that back: peersync record restore")
            ) {
                try await set("Walk", ["minutes": .integer(1)], in: agent)
            }
            let garden = FieldValue.reference(RecordReference(id: "Garden"))
            try await set("Walk", ["minutes": .integer(1), "project": garden], in: agent)
            #expect(try await list("session", in: agent).map(\.status) == [.localOnly])
        }
    }

    @Test("it is there again after the agent restarts")
    func restart() async throws {
        try await TestAgent.withFolder { folder in
            try await TestAgent.live(in: folder, as: "Ann") { agent in
                try IdentityStore.save(agent.node.identity, in: agent.node.store, agent.node.home)
                _ = try await agent.service.call(
                    \.spaces.create, SpaceDraft(name: "Focus", document: Self.document()))
                try await add("session", ["title": .text("Walk")], in: agent)
            }
            try await TestAgent.live(in: folder) { agent in
                #expect(try await show("Walk", in: agent).status == .unfinished)
                let finished = try await set("Walk", ["minutes": .integer(1)], in: agent)
                #expect(finished.status != .unfinished)
            }
        }
    }
}
