import Agent
import Device
import LocalAPI
import Records
import SyncCore
import TestDevices
import Testing

@Suite("Conflicts, and deciding them")
struct ConflictServiceTests {
    /// The id of no commit.
    private let nothingSeen = String(repeating: "0", count: 16)

    /// Both change the memory while apart, and then receive the other's change.
    private func apart(
        _ role: LocalAPI.Role = .editor, ann first: @escaping (inout MemoryChanges) -> Void,
        ben second: @escaping (inout MemoryChanges) -> Void,
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.shared(role) { ann, ben, space in
            try ben.receive(space, from: ann)
            for (agent, change) in [(ann, first), (ben, second)] {
                var changes = MemoryChanges()
                change(&changes)
                _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            }
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    private func open(_ agent: TestAgent) async throws -> [ConflictView] {
        try await agent.service.call(\.conflicts.list, ScopeFilter())
    }

    @Test("a conflict is equal on both devices, and shows author, time and rule")
    func view() async throws {
        try await apart(ann: { $0.title = "Dom" }, ben: { $0.title = "Cathedral" }) { ann, ben, _ in
            let conflicts = try await open(ann)
            let other = try await open(ben)
            #expect(conflicts.map(\.id) == other.map(\.id))
            let conflict = try #require(conflicts.first)
            #expect(conflicts.count == 1)
            #expect(conflict.trip?.name == "Arezzo" && conflict.record.name == "Cathedral")
            #expect(conflict.field == "title" && conflict.rule == .longest)
            #expect(conflict.shown == "Cathedral")
            #expect(Set(conflict.values.map(\.text)) == ["Dom", "Cathedral"])
            #expect(Set(conflict.values.map(\.author.name)) == ["Ann", "Ben"])
            #expect(conflict.values.filter(\.isShown).map(\.text) == ["Cathedral"])
            #expect(
                try await ann.service.call(\.conflicts.list, ScopeFilter(trip: "Arezzo"))
                    == conflicts)
            #expect(
                try await ann.service.call(\.agent.status).problems.contains {
                    $0.kind == .conflicts && $0.count == 1
                })
        }
    }

    @Test("one decision ends it for both")
    func decide() async throws {
        try await apart(ann: { $0.title = "Dom" }, ben: { $0.title = "Cathedral" }) {
            ann, ben, space in
            let conflict = try await open(ben)[0]
            let number = try #require(conflict.values.firstIndex { $0.text == "Dom" }) + 1
            let resolved = try await ben.service.call(
                \.conflicts.resolve, id: conflict.shortID, ConflictDecision(take: number))
            #expect(resolved.conflict == conflict && resolved.shown == "Dom")
            try ann.receive(space, from: ben)
            for agent in [ann, ben] {
                #expect(try await open(agent).isEmpty)
                #expect(
                    try await agent.service.call(\.memories.list, MemoryFilter()).map(\.title) == [
                        "Dom"
                    ])
            }
        }
    }

    @Test("a later change makes another conflict, and the old one cannot be decided")
    func stale() async throws {
        try await apart(ann: { $0.title = "Dom" }, ben: { $0.title = "Cathedral" }) {
            ann, ben, space in
            let old = try await open(ann)[0]
            var changes = MemoryChanges()
            changes.title = "Duomo di San Donato"
            changes.seen = nothingSeen
            _ = try await ben.service.call(\.memories.edit, id: "Cathedral", changes)
            try ann.receive(space, from: ben)
            let error = await #expect(throws: APIError.self) {
                try await ann.service.call(
                    \.conflicts.resolve, id: old.id, ConflictDecision(take: 1))
            }
            #expect(error?.code == .notFound)
            #expect(try await open(ann).count == 1)
        }
    }

    @Test("edits of one text are merged as far as possible; keeping the result is a decision")
    func merge() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            var changes = MemoryChanges()
            changes.text = "It rained. We ate."
            _ = try await ann.service.call(\.memories.edit, id: "Duomo", changes)
            try ben.receive(space, from: ann)
            for (agent, text) in [(ann, "It snowed. We ate."), (ben, "It poured. We sang.")] {
                changes.text = text
                _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            }
            try ann.receive(space, from: ben)
            let conflict = try await open(ann)[0]
            #expect(conflict.rule == .mergeText)
            #expect(["It snowed. We sang.", "It poured. We sang."].contains(conflict.shown))
            let resolved = try await ann.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(merge: true))
            #expect(resolved.shown == conflict.shown)
            #expect(try await open(ann).isEmpty)
        }
    }

    @Test("another value can be written instead, if it fits the field")
    func value() async throws {
        let (near, far) = (
            Position(latitude: 1, longitude: 2, radius: 5), Position(latitude: 3, longitude: 4)
        )
        try await apart(ann: { $0.position = near }, ben: { $0.position = far }) { ann, _, _ in
            let conflict = try await open(ann)[0]
            #expect(conflict.rule == .mostAccurate && conflict.shown.hasPrefix("1.00000, 2.00000"))
            let beyond = Position(latitude: 91, longitude: 0)
            for wrong in [FieldValue.text("here"), .position(beyond), .integer(1)] {
                let error = await #expect(throws: APIError.self) {
                    try await ann.service.call(
                        \.conflicts.resolve, id: conflict.id, ConflictDecision(value: wrong))
                }
                #expect(error?.code == .badInput)
            }
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "These values cannot be put together.",
                    hint: "Take one with --take, or write another one with --value.")
            ) {
                try await ann.service.call(
                    \.conflicts.resolve, id: conflict.id, ConflictDecision(merge: true))
            }
            await #expect(throws: APIError.oneDecision) {
                try await ann.service.call(\.conflicts.resolve, id: conflict.id, ConflictDecision())
            }
            let resolved = try await ann.service.call(
                \.conflicts.resolve, id: conflict.id,
                ConflictDecision(value: .position(Position(latitude: 43.46, longitude: 11.88))))
            #expect(resolved.shown == "43.46000, 11.88000")
            #expect(try await open(ann).isEmpty)
        }
    }

    @Test("a member with read access sees conflicts and cannot decide them")
    func viewer() async throws {
        try await TestAgent.shared(.viewer) { ann, ben, space in
            // This stands for Ann's two devices: one writes without having seen the other's title.
            for title in ["Dom", "Cathedral"] {
                var changes = MemoryChanges()
                changes.title = title
                changes.seen = nothingSeen
                let memory = try await ann.service.call(\.memories.list, MemoryFilter())[0]
                _ = try await ann.service.call(\.memories.edit, id: memory.id, changes)
            }
            try ben.receive(space, from: ann)
            let conflict = try await open(ben)[0]
            let error = await #expect(throws: APIError.self) {
                try await ben.service.call(
                    \.conflicts.resolve, id: conflict.id, ConflictDecision(take: 1))
            }
            #expect(error?.code == .notAllowed)
            // So nothing waits for them, as it does for one who may.
            #expect(try ann.node.sync.facts(of: space).conflicts == 1)
            #expect(try ben.node.sync.facts(of: space).conflicts == 0)
        }
    }

    @Test(
        "A conflict about the trip's name waits only for members who may rename it",
        arguments: [LocalAPI.Role.contributor, .editor])
    func title(role: LocalAPI.Role) async throws {
        try await TestAgent.shared(role) { ann, ben, space in
            // given
            let key = try #require(ann.node.schema(of: space)).titleRecord(in: space)
            for name in ["Arezzo 2008", "Arezzo again"] {
                let write = Write(field: "name", value: .text(name), replaces: [])
                try await ann.node.write(
                    ChangeSet(operations: [RecordOperation(key, [write])]), to: space)
            }
            try ben.receive(space, from: ann)
            let conflict = try #require(try await open(ben).first)
            // when
            let facts = try ben.node.sync.facts(of: space)
            // then
            let mayDecide = role == .editor
            #expect(facts.conflicts == (mayDecide ? 1 : 0))
            #expect(try ann.node.sync.facts(of: space).conflicts == 1)
            do {
                _ = try await ben.service.call(
                    \.conflicts.resolve, id: conflict.id, ConflictDecision(take: 1))
                #expect(mayDecide)
            } catch let error as APIError {
                #expect(!mayDecide && error.code == .notAllowed)
            }
        }
    }

    @Test(
        "a memory deleted during an edit is restored with its files, or stays deleted",
        arguments: [1, 2])
    func deletion(number: Int) async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            var changes = MemoryChanges()
            changes.addPhotoPaths = [try ann.file("a.bin", "bytes")]
            _ = try await ann.service.call(\.memories.edit, id: "Duomo", changes)
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.memories.delete, id: "Duomo")
            changes = MemoryChanges()
            changes.text = "and more"
            _ = try await ann.service.call(\.memories.edit, id: "Duomo", changes)
            try ann.receive(space, from: ben)
            #expect(try await ann.service.call(\.memories.list, MemoryFilter()).isEmpty)
            let conflict = try await open(ann)[0]
            #expect(conflict.rule == .deletion && conflict.field == nil)
            #expect(conflict.values.map(\.field) == [nil, "text"])
            await #expect(
                throws: APIError(
                    code: .badInput,
                    sentence: "Whether something is deleted is decided with --take.",
                    hint: "--take 1 keeps it deleted; another number brings it back.")
            ) {
                try await ann.service.call(
                    \.conflicts.resolve, id: conflict.id, ConflictDecision(value: .text("x")))
            }
            _ = try await ann.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(take: number))
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                #expect(try await open(agent).isEmpty)
                let memories = try await agent.service.call(\.memories.list, MemoryFilter())
                #expect(memories.map(\.mediaCount) == (number == 1 ? [] : [1]))
            }
        }
    }

    @Test("A contributor is shown which choice is not theirs: keeping a memory of another deleted")
    func refused() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(\.memories.delete, id: "Duomo")
            var changes = MemoryChanges()
            changes.text = "and more"
            _ = try await ben.service.call(\.memories.edit, id: "Duomo", changes)
            // when
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            // then
            #expect(try await open(ben)[0].values.map(\.refused) == [true, nil])
            #expect(try await open(ann)[0].values.map(\.refused) == [nil, nil])
            await #expect(throws: APIError.self) {
                let id = try await open(ben)[0].id
                _ = try await ben.service.call(
                    \.conflicts.resolve, id: id, ConflictDecision(take: 1))
            }
        }
    }

    @Test("A conflict about a deletion names the tag that somebody added meanwhile")
    func tag() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(\.memories.delete, id: "Duomo")
            var changes = MemoryChanges()
            changes.addTags = ["food"]
            _ = try await ben.service.call(\.memories.edit, id: "Duomo", changes)
            // when
            try ann.receive(space, from: ben)
            // then
            let values = try await open(ann)[0].values
            #expect(values.map(\.field) == [nil, "tags"])
            #expect(values.last?.text == "food")
        }
    }
}
