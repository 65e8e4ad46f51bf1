import Agent
import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Deleted trips, and restoring them")
struct DeletedTripTests {
    private func add(_ title: String, photo: Bool = false, on agent: TestAgent) async throws {
        var draft = MemoryDraft(trip: "Arezzo")
        draft.title = title
        if photo { draft.photoPaths = [try agent.file(title + ".jpg", title)] }
        _ = try await agent.service.call(\.memories.add, draft)
    }

    private func titles(_ agent: TestAgent) async throws -> [String] {
        try await agent.service.call(\.memories.list, MemoryFilter()).map(\.title).sorted()
    }

    private func conflicts(_ agent: TestAgent) async throws -> [ConflictView] {
        try await agent.service.call(\.conflicts.list, ScopeFilter())
    }

    private func notices(_ agent: TestAgent) async throws -> String {
        try await agent.service.call(\.agent.status).problems.filter { $0.kind == .deletedSpace }
            .map { "\($0.sentence) \($0.remedy ?? "")" }.joined(separator: "\n")
    }

    /// Ann deletes the trip while Ben adds a memory with a photo; then both receive the other's
    /// change.
    private func apart(
        _ role: LocalAPI.Role = .contributor,
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.shared(role) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await add("Hut", photo: true, on: ben)
            _ = try await ann.service.call(\.trips.delete, id: "Arezzo")
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            try await body(ann, ben, space)
        }
    }

    @Test("changes unseen by a deletion are reported to both, as a notice and one conflict")
    func announced() async throws {
        try await apart { ann, ben, _ in
            let open = try await conflicts(ann)
            let other = try await conflicts(ben)
            #expect(open.map(\.id) == other.map(\.id))
            let conflict = try #require(open.first)
            #expect(open.count == 1 && conflict.rule == .spaceDeletion)
            #expect(conflict.record.name == "Arezzo" && conflict.field == nil)
            #expect(
                conflict.values.map(\.text) == [
                    "deleted", "added the memory \u{201C}Hut\u{201D} with 1 file",
                ])
            #expect(conflict.values.map(\.author.name) == ["Ann", "Ben"])
            for (agent, who) in [(ann, "You deleted"), (ben, "Ann deleted")] {
                let said = try await notices(agent)
                #expect(said.contains(who) && said.contains("Hut"))
                #expect(said.contains("peersync trip restore Arezzo"))
                #expect(try await agent.service.call(\.trips.list).isEmpty)
                #expect(try await titles(agent).isEmpty)
                for name in ["Hut", "Arezzo"] {
                    let error = await #expect(throws: APIError.self) {
                        try await agent.service.call(\.agent.why, id: name, WhyScope())
                    }
                    #expect(error?.sentence.hasPrefix(who) == true)
                }
            }
        }
    }

    @Test("any writer can restore a trip for all, with the changes made meanwhile")
    func restored() async throws {
        try await apart { ann, ben, space in
            let trip = try await ben.service.call(\.trips.restore, id: "Arezzo")
            #expect(trip.membership == .member && trip.memoryCount == 2)
            try ann.receive(space, from: ben)
            for agent in [ann, ben] {
                #expect(try await titles(agent) == ["Duomo", "Hut"])
                #expect(try await conflicts(agent).isEmpty)
                #expect(try await notices(agent) == "")
            }
            let error = await #expect(throws: APIError.self) {
                try await ann.service.call(\.trips.restore, id: "Arezzo")
            }
            #expect(error?.sentence.contains("not deleted") == true)
        }
    }

    @Test("the full name of a deleted trip does not match one whose name begins with it")
    func wholeName() async throws {
        try await TestAgent.with { ann in
            for name in ["Arezzo", "Arezzo 2"] {
                _ = try await ann.service.call(\.trips.create, TripDraft(name: name))
            }
            _ = try await ann.service.call(\.trips.delete, id: "Arezzo")
            await #expect(throws: APIError.self) { try await add("Hut", on: ann) }
            #expect(try await titles(ann).isEmpty)
            #expect(try await ann.service.call(\.trips.show, id: "Arezzo").deletion != nil)
            #expect(try await ann.service.call(\.trips.show, id: "Arezzo 2").deletion == nil)
            #expect(try await ann.service.call(\.trips.show, id: "Arez").name == "Arezzo 2")
        }
    }

    @Test("leaving a trip deleted confirms all its changes: nobody is asked any more")
    func leftDeleted() async throws {
        try await apart { ann, ben, space in
            let conflict = try #require(try await conflicts(ann).first)
            _ = try await ann.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(take: 1))
            try ben.receive(space, from: ann)
            for agent in [ann, ben] { #expect(try await conflicts(agent).isEmpty) }
            // It can still be restored.
            _ = try await ann.service.call(\.trips.restore, id: "Arezzo")
            #expect(try await titles(ann) == ["Duomo", "Hut"])
        }
    }

    @Test("deciding to restore it does the same as `trip restore`")
    func decided() async throws {
        try await apart { ann, ben, space in
            let conflict = try #require(try await conflicts(ben).first)
            let resolved = try await ben.service.call(
                \.conflicts.resolve, id: conflict.id, ConflictDecision(take: 2))
            #expect(resolved.shown == "not deleted")
            try ann.receive(space, from: ben)
            for agent in [ann, ben] { #expect(try await titles(agent) == ["Duomo", "Hut"]) }
        }
    }

    @Test("a deletion that saw everything is reported to the others until they have looked")
    func told() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(\.trips.delete, id: "Arezzo")
            #expect(try await notices(ann) == "")
            try ben.receive(space, from: ann)
            #expect(try await notices(ben).contains("Ann deleted the trip"))
            #expect(try await conflicts(ben).isEmpty)
            let deleted = try await ben.service.call(\.spaces.deleted)
            #expect(deleted.map(\.name) == ["Arezzo"] && deleted[0].deletion?.by.name == "Ann")
            #expect(try await ben.service.call(\.trips.show, id: "Arezzo") == deleted[0])
            // Commands on it say so, and nothing is written where nobody would see it.
            let error = await #expect(throws: APIError.self) { try await add("Late", on: ben) }
            #expect(error?.sentence == "Ann deleted the trip \u{201C}Arezzo\u{201D}.")
            let log = try await ben.service.call(\.changes.list, ChangeFilter())
            _ = try await ben.service.call(
                \.changes.look, ChangeLook(trip: nil, place: log.place))
            #expect(try await notices(ben) == "")
        }
    }

    @Test("changes written while the deletion arrives are reported, too")
    func racing() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(\.trips.delete, id: "Arezzo")
            try ben.receive(space, from: ann)
            // The command had read the trip before.
            let operation = RecordOperation(
                collection: "memory", record: ben.node.newRecordID(in: space),
                writes: [Write(field: "title", value: .text("Late"))])
            try await ben.node.write(ChangeSet(operations: [operation]), to: space)
            #expect(try await conflicts(ben).count == 1)
            #expect(try await notices(ben).contains("you added the memory \u{201C}Late\u{201D}"))
        }
    }

    @Test(
        "a deletion and a restoration at once are equal everywhere, and one decision ends it",
        arguments: [true, false])
    func atOnce(isDeletedLast: Bool) async throws {
        try await apart(.editor) { ann, ben, space in
            let conflict = try #require(try await conflicts(ann).first)
            let leave = {
                _ = try await ann.service.call(
                    \.conflicts.resolve, id: conflict.id, ConflictDecision(take: 1))
            }
            if !isDeletedLast { try await leave() }
            try await Task.sleep(for: .milliseconds(2))
            _ = try await ben.service.call(\.trips.restore, id: "Arezzo")
            try await Task.sleep(for: .milliseconds(2))
            if isDeletedLast { try await leave() }
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            let open = try await conflicts(ann)
            let other = try await conflicts(ben)
            #expect(open.count == 1 && open.map(\.id) == other.map(\.id))
            for agent in [ann, ben] {
                #expect(try await titles(agent).isEmpty == isDeletedLast)
            }
            _ = try await ben.service.call(
                \.conflicts.resolve, id: open[0].id, ConflictDecision(take: 2))
            try ann.receive(space, from: ben)
            for agent in [ann, ben] {
                #expect(try await titles(agent) == ["Duomo", "Hut"])
                #expect(try await conflicts(agent).isEmpty)
            }
        }
    }

    @Test(
        "a device that was away during all of it, and one whose person left, agree with the others")
    func away() async throws {
        try await TestAgent.with("Cleo") { cleo in
            try await apart(.editor) { ann, ben, space in
                try ann.meet(cleo)
                _ = try await ben.service.call(\.trips.restore, id: "Arezzo")
                try ann.receive(space, from: ben)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo", role: .editor))
                try cleo.receive(space, from: ann)
                try ben.receive(space, from: ann)
                _ = try await cleo.service.call(\.trips.delete, id: "Arezzo")
                try await add("After", on: ben)
                _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
                try cleo.receive(space, from: ben)
                try ann.receive(space, from: ben)
                try ann.receive(space, from: cleo)
                for agent in [ann, cleo] {
                    let open = try await conflicts(agent)
                    #expect(open.count == 1)
                    #expect(open.first?.values.last?.text.contains("After") == true)
                }
                // Ben has left: the trip does not concern him any more.
                #expect(try await notices(ben) == "")
                _ = try await ann.service.call(\.trips.restore, id: "Arezzo")
                try cleo.receive(space, from: ann)
                for agent in [ann, cleo] {
                    #expect(try await titles(agent) == ["After", "Duomo", "Hut"])
                }
            }
        }
    }

    @Test("a deletion by a person removed at the same time does not count: the trip is there")
    func removed() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.trips.delete, id: "Arezzo")
            let membership = try #require(ann.node.membership(of: space))
            let grant = try #require(membership.writingGrant(of: ben.node.identity.deviceID))
            let cut = ann.node.watermark(of: space)
            _ = try ann.node.work.append(to: space) { _ in
                CommitDraft(
                    clear: ClearPart(facts: [
                        .revocation(
                            Revocation(
                                grant: grant, remaining: [], cut: cut, scope: .person,
                                cascade: .none))
                    ]), operations: [])
            }
            try ann.receive(space, from: ben)
            #expect(try await titles(ann) == ["Duomo"])
            #expect(try await ann.service.call(\.spaces.deleted).isEmpty)
        }
    }

    @Test("two deletions at once hide what neither had seen, and one restoration reverts both")
    func twice() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                _ = try await agent.service.call(\.trips.delete, id: "Arezzo")
            }
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                #expect(try await conflicts(agent).isEmpty)
                #expect(try await agent.service.call(\.spaces.deleted).count == 1)
            }
            _ = try await ben.service.call(\.trips.restore, id: "Arezzo")
            try ann.receive(space, from: ben)
            for agent in [ann, ben] { #expect(try await titles(agent) == ["Duomo"]) }
        }
    }

    @Test("changes that do not count are not told of a deleted trip, and again once it is restored")
    func uncounted() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given what Ben wrote before he heard that he may only read
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            try await add("Late", on: ben)
            try ann.receive(space, from: ben)
            func told() async throws -> Bool {
                try await ann.service.call(\.agent.status).problems.contains { $0.kind == .orphans }
            }
            #expect(try await told())
            // when
            _ = try await ann.service.call(\.trips.delete, id: "Arezzo")
            // then no command could bring them back or leave them
            #expect(try await !told())
            _ = try await ann.service.call(\.trips.restore, id: "Arezzo")
            #expect(try await told())
        }
    }
}
