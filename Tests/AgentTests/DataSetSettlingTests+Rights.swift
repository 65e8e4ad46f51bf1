import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

/// Contents that changed programs write, and whose right to apply counts.
extension DataSetSettlingTests {
    /// Writes a content beside all others.
    private func write(
        content: String, by agent: TestAgent, in space: SpaceID,
        _ precedence: Precedence = .user
    ) async throws {
        let mark = RecordOperation(
            Schema.applied("reference", of: "exercises", in: space),
            [
                Write(
                    field: Schema.AppliedSet.content, value: .json(content), replaces: [],
                    precedence: precedence.rawValue)
            ])
        try await agent.node.write(ChangeSet(operations: [mark]), to: space)
    }

    private func content(_ version: Int, rows: String = "{}", digest: String? = nil) -> String {
        let digest = digest ?? hexadecimal(sha256(Array(rows.utf8)).bytes)
        return #"{"digest":"\#(digest)","retired":{},"rows":\#(rows),"version":\#(version)}"#
    }

    private func row(_ key: String, in space: SpaceID) -> RecordKey {
        RecordKey(
            collection: "exercise",
            record: .derived(
                space: space, collection: "exercise",
                source: lengthPrefixed(Array("exercises".utf8)) + Array(key.utf8)))
    }

    /// Ann's space with the first version, in which Ben is a contributor.
    private func withContributor(
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.pair { ann, ben in
            let made = try await SpaceService(ann.node).createSpace(
                SpaceDraft(name: "Gym", document: Self.schema))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            _ = try await MemberService(ann.node).grant(
                "Gym", GrantDraft(person: "Ben", role: .contributor))
            try await apply(1, on: ann)
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    @Test("A member without the right to apply a set is told how to ask for it in a space")
    func refused() async throws {
        try await withContributor { _, ben, _ in
            // when
            let error = await #expect(throws: APIError.self) { try await apply(2, on: ben) }
            // then
            #expect(error?.hint == "Ask the admins for it: peersync space request Gym admin")
        }
    }

    @Test("Rows in a content by a member without the right are not deleted")
    func rowsWithoutRight() async throws {
        try await withContributor { ann, ben, space in
            // given
            try await apply(2, on: ann)
            let zed = RecordOperation(
                row("zz", in: space),
                [
                    Write(
                        field: "name", value: .text("Zed"),
                        precedence: Precedence.dataSet.rawValue)
                ])
            try await ben.node.write(ChangeSet(operations: [zed]), to: space)
            try await write(
                content: content(1, rows: #"{"exercise":{"zz":{"name":"Zed"}}}"#), by: ben,
                in: space)
            // when
            try ann.receive(space, from: ben)
            // then
            #expect(try await marks(ann).map(\.contested) == [false])
            #expect(try await settle(ann, space) == 0)
            try await apply(3, on: ann)
            #expect(try await shown(ann) == (Self.shown(3) + ["Zed,,"]).sorted())
        }
    }

    @Test(
        "A content by a member without the right keeps nobody from applying the set",
        arguments: 0..<3)
    func blockingWithoutRight(kind: Int) async throws {
        try await withContributor { ann, ben, space in
            // given
            try await apply(2, on: ann)
            let contents = [content(.max), content(2, digest: "ff"), #"{"format":2}"#]
            // when
            try await write(content: contents[kind], by: ben, in: space)
            try ann.receive(space, from: ben)
            // then
            #expect(try await marks(ann).map(\.version) == [2])
            #expect(try await marks(ann).map(\.contested) == [false])
            #expect(try await settle(ann, space) == 0)
            try await apply(2, on: ann)
            try await apply(3, on: ann)
            #expect(try await shown(ann) == Self.shown(3))
        }
    }

    @Test("A right that came later does not count for what was written before")
    func rightLater() async throws {
        try await withContributor { ann, ben, space in
            // given
            try await write(content: content(9), by: ben, in: space)
            // when
            _ = try await MemberService(ann.node).grant(
                "Gym", GrantDraft(person: "Ben", role: .admin))
            try exchange([ann, ben], space)
            // then
            #expect(try await marks(ann).map(\.version) == [1])
            try await apply(2, on: ben)
            try exchange([ann, ben], space)
            #expect(try await marks(ann).map(\.version) == [2])
            #expect(try await marks(ann).map(\.contested) == [false])
        }
    }

    @Test("A content by an admin whose digest is not that of its rows counts as a newer program's")
    func wrongDigest() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            // when
            try await write(content: content(1, digest: "ff"), by: ben, in: space)
            try ann.receive(space, from: ben)
            // then
            #expect(try await marks(ann).map(\.newer) == [true])
            await #expect(throws: APIError.self) { try await apply(2, on: ann) }
        }
    }

    @Test("A version with more authority is settled only by a device that has it, and only once")
    func authority() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            _ = try await MemberService(ann.node).grant(
                "Gym", GrantDraft(person: "Ben", role: .admin, authority: true))
            try exchange(agents, space)
            try await apply(3, on: ann)
            try await write(content: content(2), by: ben, in: space, .authority)
            try exchange(agents, space)
            #expect(try await marks(ann).map(\.contested) == [true])
            // when, then
            #expect(try await settle(ann, space) == 0)
            try await apply(3, on: ben)
            try exchange(agents, space)
            #expect(try await marks(ann).map(\.version) == [3])
            #expect(try await marks(ann).map(\.contested) == [false])
            for agent in agents { #expect(try await settle(agent, space) == 0) }
            #expect(try await shown(ann) == Self.shown(3))
        }
    }

    @Test("A device whose schema lacks a field of the higher version leaves it to others")
    func olderSchema() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(2, on: ann)
            let rows = #"{"exercise":{"sq":{"name":"Squat","weight":"5"}}}"#
            try await write(content: content(5, rows: rows), by: ben, in: space)
            // when
            try exchange(agents, space)
            // then
            #expect(try await marks(ben).map(\.contested) == [true])
            #expect(try await settle(ben, space) == 0)
        }
    }
}
