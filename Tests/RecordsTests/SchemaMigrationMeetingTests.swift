import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("A migration of a schema, and what another device wrote before it came there")
struct SchemaMigrationMeetingTests {
    private func document(_ version: Int, _ field: String) -> String {
        """
        schema: 1
        name: shelf
        version: \(version)
        collections:
          thing:
            fields:
              name: { type: text, required: true }
              size: { \(field) }
        """
    }

    private func show(_ agent: OfflineDevice) async throws -> RecordView {
        try await agent.service.call(
            \.records.show, id: "Box", RecordScope(space: "Home", collection: "thing"))
    }

    private func change(
        _ agent: OfflineDevice, _ change: (inout RecordChanges) -> Void
    ) async throws {
        var changes = RecordChanges(space: "Home", collection: "thing")
        change(&changes)
        _ = try await agent.service.call(\.records.change, id: "Box", changes)
    }

    private func migrate(_ agent: OfflineDevice, to field: String) async throws -> [Int] {
        var draft = SchemaMigrationDraft(document: document(2, field))
        draft.withoutBackup = true
        return try await agent.service.call(\.spaces.migrateSchema, id: "Home", draft)
            .converted.map(\.count)
    }

    /// Ann makes a box, and Ben is an admin with authority.
    private func withBox(
        _ field: String, _ size: FieldValue,
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await OfflineDevice.pair { ann, ben in
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document(1, field)))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            _ = try await ann.service.call(
                \.records.add,
                RecordDraft(
                    space: "Home", collection: "thing",
                    fields: ["name": .text("Box"), "size": size]))
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Home",
                GrantDraft(person: "Ben", role: .admin, authority: true))
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    /// Ben converts the size of the box while Ann changes it. Then she gets the result.
    private func meet(
        _ before: String, _ after: String, _ size: FieldValue,
        _ change: (inout RecordChanges) -> Void, _ body: (_ ann: OfflineDevice) async throws -> Void
    ) async throws {
        try await withBox(before, size) { ann, ben, space in
            try await self.change(ann, change)
            #expect(try await migrate(ben, to: after) == [1])
            try ann.receive(space, from: ben)
            try await body(ann)
        }
    }

    /// Decides for the value with this text in the only conflict.
    private func decide(_ text: String, in agent: OfflineDevice) async throws {
        let conflict = try #require(
            try await agent.service.call(\.conflicts.list, ScopeFilter()).first)
        let number = try #require(conflict.values.firstIndex { $0.text == text })
        _ = try await agent.service.call(
            \.conflicts.resolve, id: conflict.id, ConflictDecision(take: number + 1))
    }

    @Test("Another value stands beside the converted one, also of an admin with authority")
    func value() async throws {
        try await meet(
            "type: text", "type: integer", .text("12"), { $0.fields["size"] = .text("13") }
        ) { ann in
            // then
            #expect(try await show(ann).conflicts == ["size"])
            let conflict = try #require(
                try await ann.service.call(\.conflicts.list, ScopeFilter()).first)
            #expect(Set(conflict.values.map(\.text)) == ["12", "13"])
        }
    }

    @Test(
        "A value that is taken is converted where it has an equivalent, and stays otherwise",
        arguments: [("13", FieldValue.integer(13)), ("large", .text("large"))])
    func taken(text: String, value: FieldValue) async throws {
        try await meet(
            "type: text", "type: integer", .text("12"), { $0.fields["size"] = .text(text) }
        ) { ann in
            // when
            try await decide(text, in: ann)
            // then
            let box = try await show(ann)
            #expect(box.fields["size"] == value && box.conflicts.isEmpty)
        }
    }

    @Test("Another value of a field that became a set is in conflict, and taken into the set")
    func becomesSet() async throws {
        try await meet(
            "type: text", "type: set, of: { type: text }", .text("12"),
            { $0.fields["size"] = .text("13") }
        ) { ann in
            // given
            let box = try await show(ann)
            #expect(box.fields["size"] == .set([.text("12")]) && box.conflicts == ["size"])
            #expect(box.unknown["size"] == .text("13"))
            // when
            try await decide("13", in: ann)
            // then
            let now = try await show(ann)
            #expect(now.fields["size"] == .set([.text("12"), .text("13")]))
            #expect(now.conflicts.isEmpty && now.unknown.isEmpty)
        }
    }

    @Test("An element that was added to a set which became one value is shown beside it")
    func becomesValue() async throws {
        try await meet(
            "type: set, of: { type: text }", "type: text", .set([.text("a")]),
            { $0.add = ["size": [.text("b")]] }
        ) { ann in
            // then
            let box = try await show(ann)
            #expect(box.fields["size"] == .text("a") && box.unknown["size"] == .text("b"))
        }
    }

    @Test(
        "A device that has only a part of a migration shows the value, and never an empty field",
        arguments: [false, true])
    func inParts(becomesSet: Bool) async throws {
        // given
        let (one, several) = ("type: text", "type: set, of: { type: text }")
        let (value, set) = (FieldValue.text("12"), FieldValue.set([.text("12")]))
        let (old, new) = becomesSet ? (value, set) : (set, value)
        try await withBox(becomesSet ? one : several, old) { ann, ben, space in
            #expect(try await migrate(ben, to: becomesSet ? several : one) == [1])
            // when
            var shown: [FieldValue?] = []
            for _ in 0..<3 {
                try ann.receive(space, from: ben, limit: 1)
                let box = try await show(ann)
                shown.append(box.fields["size"])
                #expect(box.unknown.isEmpty && box.conflicts.isEmpty)
            }
            // then
            #expect(shown == [old, new, new])
            #expect(ann.node.watermark(of: space) == ben.node.watermark(of: space))
        }
    }

    @Test("An admin who repeats a migration that came in part ends the old value, too")
    func repeated() async throws {
        try await withBox("type: text", .text("12")) { ann, ben, space in
            // given
            let after = "type: set, of: { type: text }"
            #expect(try await migrate(ben, to: after) == [1])
            try ann.receive(space, from: ben, limit: 1)
            // when
            let converted = try await migrate(ann, to: after)
            // then
            #expect(converted.isEmpty)
            #expect(try await show(ann).fields["size"] == .set([.text("12")]))
            try await change(ann) { $0.remove = ["size": [.text("12")]] }
            for isWhole in [false, true] {
                if isWhole { try ann.receive(space, from: ben) }
                let box = try await show(ann)
                #expect(box.unknown.isEmpty && box.conflicts.isEmpty)
            }
        }
    }

    @Test(
        "A migration that stopped after its pin is finished by any admin, with the same file",
        arguments: [false, true])
    func finished(becomesSet: Bool) async throws {
        try await stopped(becomesSet: becomesSet) { ann, _, after in
            // when
            let ended = try await migrate(ann, to: after)
            // then
            #expect(ended == [1])
            try await isFinished(ann, becomesSet: becomesSet)
            await #expect(throws: APIError.self) { try await migrate(ann, to: after) }
        }
    }

    @Test(
        "A migration that stopped after its pin is finished when the agent starts again",
        arguments: [false, true])
    func finishedAtStart(becomesSet: Bool) async throws {
        try await stopped(becomesSet: becomesSet) { ann, space, _ in
            // given the note that the device makes before the pin
            let schema = try #require(
                try await ann.service.call(\.schemas.list).first { $0.name == "shelf" })
            try ann.node.store.settings.set(
                SchemaChangeService.unfinishedSetting,
                to: #"[{"schema":"\#(schema.id)","space":"\#(space)"}]"#)
            // when
            let reports = try await SchemaChangeService(ann.node).finishAll()
            // then
            #expect(reports.map(\.to) == [2])
            try await isFinished(ann, becomesSet: becomesSet)
            #expect(try await SchemaChangeService(ann.node).finishAll().isEmpty)
        }
    }

    @Test("A migration that is whole leaves nothing to finish")
    func whole() async throws {
        try await withBox("type: text", .text("12")) { _, ben, _ in
            // when
            let converted = try await migrate(ben, to: "type: set, of: { type: text }")
            // then
            let left = try ben.node.store.settings.value(of: SchemaChangeService.unfinishedSetting)
            #expect(converted == [1] && left == nil)
            let reports = try await SchemaChangeService(ben.node).finishAll()
            #expect(reports.isEmpty)
        }
    }

    /// Ann has the values that Ben converted, and the pin, but not the end of the old value.
    private func stopped(
        becomesSet: Bool,
        _ body: (_ ann: OfflineDevice, _ space: SpaceID, _ after: String) async throws -> Void
    ) async throws {
        let (one, several) = ("type: text", "type: set, of: { type: text }")
        let (value, set) = (FieldValue.text("12"), FieldValue.set([.text("12")]))
        try await withBox(becomesSet ? one : several, becomesSet ? value : set) { ann, ben, space in
            let after = becomesSet ? several : one
            #expect(try await migrate(ben, to: after) == [1])
            try ann.receive(space, from: ben, limit: 2)
            #expect(try await show(ann).fields["size"] == (becomesSet ? set : value))
            try await body(ann, space, after)
        }
    }

    /// The old value does not come back with another one in the field.
    private func isFinished(_ agent: OfflineDevice, becomesSet: Bool) async throws {
        try await change(agent) {
            if becomesSet {
                $0.remove = ["size": [.text("12")]]
            } else {
                $0.fields["size"] = .text("13")
            }
        }
        let box = try await show(agent)
        #expect(box.unknown.isEmpty && box.conflicts.isEmpty)
    }
}
