import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Authority: whose values win")
struct AuthorityTests {
    private static let schema = """
        schema: 1
        name: wiki
        version: 1
        collections:
          item:
            fields:
              title: { type: text, required: true }
              body: { type: text, strategy: mergeText }
              tags: { type: set, of: { type: text } }
        """

    private let scope = RecordScope(space: "Wiki", collection: "item")

    /// Ann founds a space with one item and grants it to Ben, with authority on request.
    private func shared(
        _ grant: GrantDraft,
        _ body: (_ ann: OfflineDevice, _ ben: OfflineDevice, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await OfflineDevice.pair { ann, ben in
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Wiki", document: Self.schema))
            let fields: [String: FieldValue] = [
                "title": .text("Mushrooms"), "body": .text("by Ann"),
                "tags": .set([.text("a")]),
            ]
            _ = try await ann.service.call(
                \.records.add, RecordDraft(space: "Wiki", collection: "item", fields: fields))
            _ = try await ann.service.call(\.trips.sharing.grant, id: "Wiki", grant)
            let space = try #require(
                bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    private func set(
        _ agent: OfflineDevice, _ change: (inout RecordChanges) -> Void
    ) async throws -> RecordView {
        var changes = RecordChanges(space: "Wiki", collection: "item")
        change(&changes)
        return try await agent.service.call(\.records.change, id: "Mushrooms", changes)
    }

    @Test("a value with authority stays shown; a newer one without it is kept and reported")
    func wins() async throws {
        try await shared(GrantDraft(person: "Ben", authority: true)) { ann, ben, space in
            let member = try #require(
                try await ben.service.call(\.trips.sharing.members, id: "Wiki").first { $0.me })
            #expect(member.authority && member.role == .contributor)
            _ = try await set(ben) {
                $0.fields["body"] = .text("by Ben")
                $0.remove["tags"] = [.text("a")]
            }
            try ann.receive(space, from: ben)
            // Ann has seen it and writes later: it still does not win.
            let changed = try await set(ann) {
                $0.fields["body"] = .text("by Ann, later")
                $0.add["tags"] = [.text("a"), .text("b")]
            }
            #expect(changed.fields["body"] == .text("by Ben"))
            #expect(changed.fields["tags"] == .set([.text("b")]))
            #expect(changed.conflicts.isEmpty)
            #expect(changed.overruled.map(\.field) == ["body", "tags"])
            #expect(changed.overruled.map(\.value) == [.text("by Ann, later"), .text("a")])
            #expect(changed.overruled.map(\.author.name) == ["Ann", "Ann"])
            #expect(changed.overruled.map(\.by.name) == ["Ben", "Ben"])
            try ben.receive(space, from: ann)
            let shown = try await ben.service.call(\.records.show, id: "Mushrooms", scope)
            #expect(shown.fields == changed.fields && shown.overruled == changed.overruled)
            #expect(try await ben.service.call(\.conflicts.list, ScopeFilter()).isEmpty)
            // Ben's next value replaces the one kept behind it.
            let next = try await set(ben) { $0.fields["body"] = .text("by Ben, later") }
            #expect(next.overruled.map(\.field) == ["tags"])
        }
    }

    @Test("writing the shown value again with authority gives it authority")
    func confirmed() async throws {
        try await shared(GrantDraft(person: "Ben", authority: true)) { ann, ben, space in
            _ = try await set(ben) { $0.fields["body"] = .text("by Ann") }
            try ann.receive(space, from: ben)
            let changed = try await set(ann) { $0.fields["body"] = .text("by Ann, later") }
            #expect(changed.fields["body"] == .text("by Ann"))
            #expect(changed.overruled.map(\.value) == [.text("by Ann, later")])
        }
    }

    @Test("without authority the newer value wins, whichever person wrote the other")
    func without() async throws {
        try await shared(GrantDraft(person: "Ben")) { ann, ben, space in
            _ = try await set(ben) { $0.fields["body"] = .text("by Ben") }
            try ann.receive(space, from: ben)
            let changed = try await set(ann) { $0.fields["body"] = .text("by Ann, later") }
            #expect(changed.fields["body"] == .text("by Ann, later"))
            #expect(changed.overruled.isEmpty)
        }
    }

    @Test("the founder can grant authority to themselves and keeps all rights")
    func founder() async throws {
        try await shared(GrantDraft(person: "Ben", role: .admin)) { ann, ben, space in
            // An admin has no authority to grant.
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: "You may not say whose values win in “Wiki”.",
                    hint: """
                        Its founder can, and an admin with authority: peersync space members \
                        Wiki
                        """)
            ) {
                try await ben.service.call(
                    \.trips.sharing.grant, id: "Wiki", GrantDraft(person: "Ben", authority: true))
            }
            let own = try await ann.service.call(
                \.trips.sharing.grant, id: "Wiki", GrantDraft(person: "Ann", authority: true))
            #expect(own.authority && own.role == .admin && own.founder)
            _ = try await set(ann) { $0.fields["body"] = .text("official") }
            try ben.receive(space, from: ann)
            let changed = try await set(ben) { $0.fields["body"] = .text("by Ben") }
            #expect(changed.fields["body"] == .text("official"))
            #expect(changed.overruled.map(\.author.name) == ["Ben"])
            #expect(
                try await ben.service.call(\.trips.sharing.members, id: "Wiki").map(\.authority)
                    == [
                        true, false,
                    ])
        }
    }

    @Test("authority comes with a writing role, and stays when the role is raised")
    func roles() async throws {
        try await shared(GrantDraft(person: "Ben", role: .editor)) { ann, ben, space in
            await #expect(
                throws: APIError(
                    code: .badInput,
                    sentence: "Authority is about writing, and a viewer writes nothing.",
                    hint: "Give Ann another role: --role contributor --authority")
            ) {
                try await ann.service.call(
                    \.trips.sharing.grant, id: "Wiki",
                    GrantDraft(person: "Ann", role: .viewer, authority: true))
            }
            // Without a role in the request, the present one stays.
            let given = try await ann.service.call(
                \.trips.sharing.grant, id: "Wiki", GrantDraft(person: "Ben", authority: true))
            #expect(given.role == .editor && given.authority)
            let raised = try await ann.service.call(
                \.trips.sharing.grant, id: "Wiki", GrantDraft(person: "Ben", role: .admin))
            #expect(raised.role == .admin && raised.authority)
            try ben.receive(space, from: ann)
            _ = try await set(ben) { $0.fields["body"] = .text("by Ben") }
            // Ben has authority and can pass it on.
            let passed = try await ben.service.call(
                \.trips.sharing.grant, id: "Wiki", GrantDraft(person: "Ann", authority: true))
            #expect(passed.authority)
            try ann.receive(space, from: ben)
            let changed = try await set(ann) { $0.fields["body"] = .text("by Ann, later") }
            #expect(changed.fields["body"] == .text("by Ann, later"))
        }
    }

    @Test("a record restored with authority cannot be deleted without it, and the error says so")
    func deletion() async throws {
        try await shared(GrantDraft(person: "Ben", role: .editor, authority: true)) {
            ann, ben, space in
            _ = try await ben.service.call(\.records.delete, id: "Mushrooms", scope)
            try ann.receive(space, from: ben)
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: "Somebody with authority said whether this is deleted.",
                    hint: "Only who writes with authority can change that.")
            ) {
                try await ann.service.call(\.records.restore, id: "Mushrooms", scope)
            }
            _ = try await ben.service.call(\.records.restore, id: "Mushrooms", scope)
            try ann.receive(space, from: ben)
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: "Somebody with authority said whether this is deleted.",
                    hint: "Only who writes with authority can change that.")
            ) {
                try await ann.service.call(\.records.delete, id: "Mushrooms", scope)
            }
            #expect(
                try await ann.service.call(\.records.show, id: "Mushrooms", scope).standing
                    == .shown)
        }
    }
}
