import Agent
import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Consistency of a space's records")
struct SpaceCheckTests {
    private static let schema = """
        schema: 1
        name: shelf
        version: 1
        collections:
          label:
            fields:
              name: { type: text, required: true }
          item:
            fields:
              name: { type: text, required: true }
              labels: { type: set, of: { type: reference, to: label, on_delete: detach } }
              place: { type: order }
          note:
            fields:
              item: { type: reference, to: item, on_delete: cascade, required: true }
              text: { type: text }
              scan: { type: blob }
          loan:
            fields:
              item: { type: reference, to: item, on_delete: restrict, required: true }
              to: { type: text }
        """

    private func shelf(
        _ body: (TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.with { agent in
            let made = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Shelf", document: Self.schema))
            let space = try #require(
                bytes(hexadecimal: made.id[...]).flatMap { SpaceID(bytes: $0) })
            try await body(agent, space)
        }
    }

    @discardableResult
    private func add(
        _ collection: String, _ fields: [String: FieldValue], in agent: TestAgent
    ) async throws -> RecordView {
        try await agent.service.call(
            \.records.add, RecordDraft(space: "Shelf", collection: collection, fields: fields))
    }

    private func link(_ name: String) -> FieldValue { .reference(RecordReference(id: name)) }

    /// Writes as another program may: without checks.
    private func write(
        _ collection: String, _ record: UInt8, _ writes: [Write], to space: SpaceID,
        in agent: TestAgent
    ) throws {
        let id = try #require(RecordID(bytes: [UInt8](repeating: record, count: 16)))
        try write(RecordOperation(collection: collection, record: id, writes: writes), space, agent)
    }

    private func write(
        _ operation: RecordOperation, _ space: SpaceID, _ agent: TestAgent
    ) throws {
        let done = try agent.node.work.append(to: space) { _ in
            CommitDraft(clear: ClearPart(), operations: [operation])
        }
        #expect(done.failures.isEmpty)
    }

    private func found(_ agent: TestAgent) async throws -> [String] {
        try await agent.service.call(\.spaces.check, id: "Shelf").findings.map { finding in
            [finding.kind.rawValue, finding.collection, finding.field ?? "", "\(finding.count)"]
                .joined(separator: " ")
        }
    }

    @Test("a consistent space is sound, and nothing is reported")
    func sound() async throws {
        try await shelf { agent, _ in
            try await add("label", ["name": .text("red")], in: agent)
            let item = try await add(
                "item", ["name": .text("Lamp"), "labels": .set([link("red")])], in: agent)
            try await add("note", ["item": link(item.id), "text": .text("dim")], in: agent)
            let check = try await agent.service.call(\.spaces.check, id: "Shelf")
            #expect(check.sound && check.findings.isEmpty)
            #expect(check.records == 3)
        }
    }

    @Test("a reference without a target is reported according to its rule")
    func references() async throws {
        try await shelf { agent, space in
            try await add("label", ["name": .text("red")], in: agent)
            let lamp = try await add(
                "item", ["name": .text("Lamp"), "labels": .set([link("red")])], in: agent)
            try await add("note", ["item": link(lamp.id), "text": .text("dim")], in: agent)
            let chair = try await add("item", ["name": .text("Chair")], in: agent)
            try await add("loan", ["item": link(chair.id), "to": .text("Ben")], in: agent)
            _ = try await agent.service.call(
                \.records.delete, id: "red", RecordScope(space: "Shelf", collection: "label"))
            #expect(try await found(agent) == ["emptyReference item labels 1"])
            #expect(try await agent.service.call(\.spaces.check, id: "Shelf").sound)
            _ = try await agent.service.call(
                \.records.delete, id: "Lamp", RecordScope(space: "Shelf", collection: "item"))
            // The note was deleted with the lamp, as the author of that could see; a later one was
            // not.
            #expect(try await found(agent).isEmpty)
            let id = try #require(bytes(hexadecimal: lamp.id[...]).flatMap { RecordID(bytes: $0) })
            try write(
                "note", 2,
                [
                    Write(field: "item", value: .reference(id)),
                    Write(field: "text", value: .text("broken")),
                ], to: space, in: agent)
            #expect(try await found(agent) == ["orphan note item 1"])
            // A deletion concurrent with the loan, and a loan of a record that has not arrived.
            let chairID = try #require(
                bytes(hexadecimal: chair.id[...]).flatMap { RecordID(bytes: $0) })
            try write(
                RecordOperation(collection: "item", record: chairID, writes: [.deletion(true)]),
                space,
                agent)
            let unknown = try #require(RecordID(bytes: [UInt8](repeating: 9, count: 16)))
            try write(
                "loan", 1, [Write(field: "item", value: .reference(unknown))], to: space,
                in: agent)
            #expect(
                try await found(agent) == [
                    "heldRecord item  1", "orphan note item 1", "pendingReference loan item 1",
                ])
            #expect(try await !agent.service.call(\.spaces.check, id: "Shelf").sound)
            // `why` reports the same for a record that is deleted and still shown.
            let why = try await agent.service.call(\.agent.why, id: "Chair", WhyScope())
            #expect(
                why.verdict == """
                    It is deleted, and still shown because other records need it. To keep it: \
                    peersync record restore.
                    """)
        }
    }

    @Test("a record without a required value is incomplete; an unknown collection is only noted")
    func incomplete() async throws {
        try await shelf { agent, space in
            try write(
                "loan", 1, [Write(field: "to", value: .text("Ben"))], to: space, in: agent)
            try write(
                "robot", 2, [Write(field: "name", value: .text("R"))], to: space, in: agent)
            let check = try await agent.service.call(\.spaces.check, id: "Shelf")
            #expect(check.findings.map(\.kind) == [.incomplete, .unknownCollection])
            #expect(check.findings.first?.field == "item")
            #expect(check.findings.first?.severity == .warning)
            #expect(check.findings.first?.examples.count == 1)
            #expect(!check.sound)
            #expect(
                check.findings.first?.sentence
                    == "1 record of loan has nothing in “item”, which is required.")
            #expect(check.findings.first?.remedy?.hasSuffix("loan RECORD item=VALUE") == true)
        }
    }

    @Test("fields and records of the journal are called as everywhere else, in each language")
    func labels() async throws {
        try await TestAgent.with("Ann") { agent in
            // given
            let trip = try await agent.service.call(\.trips.create, TripDraft(name: "Crete"))
            let space = try #require(SpaceID(hexadecimal: trip.id))
            let unknown = try #require(RecordID(bytes: [UInt8](repeating: 9, count: 16)))
            try write(
                "memory", 1, [Write(field: "bucket_item", value: .reference(unknown))],
                to: space, in: agent)
            func sentence() async throws -> String? {
                try await agent.service.call(\.spaces.check, id: "Crete").findings.first?.sentence
            }
            // then
            #expect(
                try await sentence()
                    == "1 record of memory refers by “bucket item” to something that is not here yet."
            )
            let german = try await Language.$asked.withValue(.german) { try await sentence() }
            let words = "1 Eintrag der Art „Erinnerung“ bezieht sich mit „"
            #expect(german?.hasPrefix(words) == true, "\(german ?? "")")
            #expect(german?.contains("bucket") == false)
        }
    }

    @Test("records equal in every field are duplicates, and so is a file beside itself")
    func duplicates() async throws {
        try await shelf { agent, _ in
            let lamp = try await add("item", ["name": .text("Lamp")], in: agent)
            try await add("item", ["name": .text("Lamp")], in: agent)
            try await add("item", ["name": .text("lamp")], in: agent)
            #expect(try await found(agent) == ["duplicate item  1"])
            let scan = FieldValue.blob(
                BlobReference(
                    id: nil, bytes: nil, here: nil, path: try agent.file("scan.pdf", "a scan")))
            for text in ["front", "back"] {
                try await add(
                    "note", ["item": link(lamp.id), "text": .text(text), "scan": scan],
                    in: agent)
            }
            #expect(
                try await found(agent) == ["duplicate item  1", "duplicateFile note  1"])
        }
    }

    @Test("doctor has one line per space with findings, and none of them is damage by itself")
    func doctor() async throws {
        try await ExaminedAgent.with { examined in
            let healthy = try await examined.examine().findings.filter { $0.check == .relations }
            #expect(healthy.map(\.severity) == [.ok])
            let made = try await examined.agent.service.call(
                \.spaces.create, SpaceDraft(name: "Shelf", document: Self.schema))
            for _ in 0..<2 { try await add("item", ["name": .text("Lamp")], in: examined.agent) }
            let noted = try await examined.examine()
            #expect(
                noted.findings.filter { $0.check == .relations }.map(\.severity) == [.note])
            #expect(noted.sound)
            let space = try #require(
                bytes(hexadecimal: made.id[...]).flatMap { SpaceID(bytes: $0) })
            try write(
                "loan", 1, [Write(field: "to", value: .text("Ben"))], to: space,
                in: examined.agent)
            let open = try await examined.examine(masked: true)
                .findings.filter { $0.check == .relations }
            #expect(open.map(\.severity) == [.warning])
            #expect(!open.contains { $0.sentence.contains("Shelf") })
        }
    }
}
