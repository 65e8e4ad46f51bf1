import Agent
import Device
import Foundation
import LocalAPI
import Node
import Records
import Store
import SyncCore
import Synchronization
import TestDevices
import TestKit
import Testing

@Suite("Versions of a data set that were applied separately")
struct DataSetSettlingTests {
    static let schema = """
        schema: 1
        name: gym
        version: 1
        collections:
          exercise:
            fields:
              name: { type: text, required: true }
              group: { type: text }
              tips: { type: set, of: { type: text } }
          day:
            fields:
              name: { type: text, required: true }
        """

    /// Rows by version. Each of them adds, changes and loses some, also compared with the one before the last.
    private static let rows = [
        1: ["sq,Squat,legs,deep", "be,Bench,chest,", "ro,Row,back,slow"],
        2: ["sq,Squat,thighs,deep|wide", "be,Bench,chest,", "lu,Lunge,legs,"],
        3: [
            "sq,Squat,legs,deep", "be,Bench press,chest,flat", "ro,Row,back,slow",
            "de,Deadlift,back,",
        ],
        4: ["sq,Front squat,quads,", "lu,Lunge,legs,long", "ro,Row,back,slow"],
    ]

    /// What is shown of a version: its rows, sorted.
    static func shown(_ version: Int) -> [String] {
        (rows[version] ?? []).map {
            $0.split(separator: ",", maxSplits: 1).last.map(String.init) ?? ""
        }.sorted()
    }

    func apply(_ version: Int, on agent: TestAgent) async throws {
        let manifest = """
            dataset: 1
            name: exercises
            schema: gym
            reference:
              version: \(version)
              collections:
                exercise: { file: exercises.csv, key: code }
            """
        let lines = ["code,name,group,tips"] + (Self.rows[version] ?? [])
        try await apply(
            ["dataset.yaml": manifest, "exercises.csv": lines.joined(separator: "\n") + "\n"],
            on: agent)
    }

    /// Applies a set of these files.
    func apply(_ files: [String: String], on agent: TestAgent) async throws {
        let folder = agent.folder + "/set"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        _ = try await agent.service.call(
            \.schemas.applySet, DataSetDraft(path: folder, space: "Gym"))
    }

    /// What the agent does after others changed what was applied; the number of levels that it wrote.
    @discardableResult
    func settle(_ agent: TestAgent, _ space: SpaceID) async throws -> Int {
        let results = Mutex<[Result<DataSetReport, APIError>]>([])
        try await DataSetSettling(agent.node).settle(in: space) { result in
            results.withLock { $0.append(result) }
        }
        return try results.withLock { $0 }.reduce(0) { try $0 + $1.get().levels.count }
    }

    func shown(_ agent: TestAgent) async throws -> [String] {
        try await agent.service.call(
            \.records.list, RecordFilter(space: "Gym", collection: "exercise")
        ).records.map { record in
            func text(_ field: String) -> String {
                switch record.fields[field] {
                case .text(let text): text
                case .set(let elements):
                    elements.compactMap { element -> String? in
                        if case .text(let text) = element { text } else { nil }
                    }
                    .sorted().joined(separator: "|")
                default: ""
                }
            }
            return ["name", "group", "tips"].map(text).joined(separator: ",")
        }.sorted()
    }

    func marks(_ agent: TestAgent) async throws -> [AppliedSetView] {
        try await agent.service.call(\.schemas.appliedSets, DataSetFilter())
    }

    private func digests(_ agents: [TestAgent], _ space: SpaceID) throws -> Set<Bytes32> {
        Set(
            try agents.map {
                try $0.node.store.records.digest(of: space, under: $0.node.requireSchema(of: space))
            })
    }

    /// Everybody receives everything.
    func exchange(_ agents: [TestAgent], _ space: SpaceID) throws {
        for _ in 0..<2 {
            for (agent, other) in zip(agents, agents.dropFirst()) {
                try agent.receive(space, from: other)
                try other.receive(space, from: agent)
            }
        }
    }

    /// Admins with the first version.
    func withAdmins(
        _ body: (_ agents: [TestAgent], _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.with("Ann") { ann in
            try await TestAgent.with("Ben") { ben in
                try await TestAgent.with("Cleo") { cleo in
                    let agents = [ann, ben, cleo]
                    for (index, agent) in agents.enumerated() {
                        for (other, known) in agents.enumerated() where other != index {
                            try agent.meet(known)
                        }
                    }
                    let made = try await SpaceService(ann.node).createSpace(
                        SpaceDraft(name: "Gym", document: Self.schema))
                    let space = try #require(
                        bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
                    for person in ["Ben", "Cleo"] {
                        _ = try await MemberService(ann.node).grant(
                            "Gym", GrantDraft(person: person, role: .admin))
                    }
                    try await apply(1, on: ann)
                    for agent in [ben, cleo] { try agent.receive(space, from: ann) }
                    try await body(agents, space)
                }
            }
        }
    }

    @Test("They end at the higher one by themselves, and undo returns to the other one")
    func settles() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            try exchange(agents, space)
            #expect(try await marks(ben).map(\.contested) == [true])
            // when
            #expect(try await settle(ben, space) == 0)
            #expect(try await settle(ann, space) == 1)
            #expect(try await settle(ann, space) == 0)
            try exchange(agents, space)
            // then
            #expect(try digests(agents, space).count == 1)
            #expect(try await shown(ben) == Self.shown(3))
            #expect(try await marks(ben).map(\.version) == [3])
            #expect(try await marks(ben).map(\.contested) == [false])

            // when
            try await undo(ann)
            #expect(try await settle(ann, space) == 0)
            try exchange(agents, space)
            #expect(try await settle(ben, space) == 0)
            // then
            #expect(try await shown(ben) == Self.shown(2))
            #expect(try await marks(ben).map(\.version) == [2])
        }
    }

    @Test("A version that was undone here does not return when another one arrives")
    func undone() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(3, on: ann)
            try await undo(ann)
            try await apply(2, on: ben)
            // when
            try exchange(agents, space)
            #expect(try await settle(ann, space) == 0)
            #expect(try await settle(ben, space) == 1)
            try exchange(agents, space)
            // then
            #expect(try digests(agents, space).count == 1)
            #expect(try await shown(ann) == Self.shown(2))
            #expect(try await marks(ann).map(\.version) == [2])
        }
    }

    @Test("Beside a person's value the other version's value is replaced, too")
    func besidePerson() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            var changes = RecordChanges(space: "Gym", collection: "exercise")
            changes.fields = ["group": .text("mine")]
            _ = try await ann.service.call(\.records.change, id: "Squat", changes)
            try exchange(agents, space)
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            try exchange(agents, space)
            // when
            try await settle(ann, space)
            try exchange(agents, space)
            // then
            let squat = try #require(
                try await ben.service.call(
                    \.records.list, RecordFilter(space: "Gym", collection: "exercise")
                ).records.first { $0.name == "Squat" })
            #expect(squat.fields["group"] == .text("mine"))
            let record = try #require(bytes(hexadecimal: squat.id).flatMap { RecordID(bytes: $0) })
            let state = try ben.node.store.records.record(
                RecordKey(collection: "exercise", record: record), of: space)
            let values = state?.fields["group"]?.writes.map(\.value) ?? []
            #expect(Set(values) == [.text("mine"), .text("legs")])
        }
    }

    @Test("The work of the engine tells when others changed what was applied")
    func told() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            _ = try await ben.service.call(
                \.records.add,
                RecordDraft(space: "Gym", collection: "exercise", fields: ["name": .text("Own")]))
            // when, then
            #expect(try ann.receiveAsWork(space, from: ben).appliedSetsChanged.isEmpty)
            try await apply(2, on: ben)
            let done = try ann.receiveAsWork(space, from: ben)
            #expect(done.appliedSetsChanged == [space])
            let other = SpaceID(.zero)
            var all = EngineWork.Done()
            all.appliedSetsChanged = [other]
            all.merge(done)
            #expect(all.appliedSetsChanged == [other, space])
        }
    }

    @Test(
        "In any order of versions and meetings three devices end at the highest one, and then write no more",
        arguments: UInt64(1)...12)
    func anyOrder(seed: UInt64) async throws {
        try await withAdmins { agents, space in
            // given
            var numbers = SeededGenerator(seed: seed)
            var highest = 1
            // when
            for _ in 0..<12 {
                let agent = agents[Int.random(in: 0...2, using: &numbers)]
                switch Int.random(in: 0...3, using: &numbers) {
                case 0:
                    let version = Int.random(in: 2...4, using: &numbers)
                    try await apply(version, on: agent)
                    highest = max(highest, version)
                case 1:
                    // Both settle before one hears the other.
                    let other = agents[Int.random(in: 0...2, using: &numbers)]
                    guard other.folder != agent.folder else { continue }
                    try agent.receive(space, from: other)
                    try other.receive(space, from: agent)
                    try await settle(agent, space)
                    try await settle(other, space)
                default:
                    let other = agents[Int.random(in: 0...2, using: &numbers)]
                    guard other.folder != agent.folder else { continue }
                    try agent.receive(space, from: other)
                    try await settle(agent, space)
                }
            }
            // then
            var rounds = 0
            var written = 1
            while written > 0, rounds < 10 {
                try exchange(agents, space)
                written = 0
                for agent in agents.shuffled(using: &numbers) {
                    written += try await settle(agent, space)
                }
                rounds += 1
            }
            #expect(rounds < 5)
            #expect(try digests(agents, space).count == 1)
            for agent in agents {
                #expect(try await marks(agent).map(\.version) == [highest])
                #expect(try await marks(agent).map(\.contested) == [false])
                let found = try await shown(agent)
                #expect(found == Self.shown(highest))
            }
        }
    }
}
