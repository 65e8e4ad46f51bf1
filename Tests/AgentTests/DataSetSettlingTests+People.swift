import Agent
import Device
import LocalAPI
import Records
import SyncCore
import Testing

/// What settling leaves to people, and what it does beside their work.
extension DataSetSettlingTests {
    @Test("An undo before it can be taken back after it")
    func redoes() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            _ = try await ann.service.call(
                \.records.add,
                RecordDraft(space: "Gym", collection: "exercise", fields: ["name": .text("Own")]))
            try await undo(ann)
            try exchange(agents, space)
            #expect(try await settle(ann, space) == 1)
            #expect(try await shown(ann) == Self.shown(3))
            // when
            try await redo(ann)
            // then
            #expect(try await shown(ann) == (Self.shown(3) + ["Own,,"]).sorted())
        }
    }

    @Test("A followed folder whose version waits to be settled is not called taken back")
    func followed() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            try await apply(3, on: ann)
            _ = try await ann.service.call(
                \.schemas.followSet, DataSetFollowDraft(path: ann.folder + "/set", space: "Gym"))
            try await FollowedSets(ann.node).applyAll { _ in }
            try await apply(2, on: ben)
            try ann.take(space, from: ben)
            // when
            try await FollowedSets(ann.node).applyAll { _ in }
            // then
            #expect(try await marks(ann).map(\.contested) == [true])
            let told = try FollowedSets(ann.node).notices().first?.sentence.text
            #expect(told?.contains("wait to be settled") == true)
        }
    }

    @Test("All spaces are looked at from time to time, however often another one changes")
    func rounds() async throws {
        try await withAdmins { agents, space in
            // given
            let (ann, ben) = (agents[0], agents[1])
            let changed = Observable<Set<SpaceID>>([SpaceID(.zero)])
            let follower = DataSetFollower(ann.node, changed, every: .milliseconds(200))
            let following = Task { await follower.run() }
            defer { following.cancel() }
            while !changed.value.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            let busy = Task {
                while !Task.isCancelled {
                    changed.update { $0.formUnion([SpaceID(.zero)]) }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            defer { busy.cancel() }
            try await apply(3, on: ann)
            try await apply(2, on: ben)
            // when
            try ann.take(space, from: ben)
            // then
            for _ in 0..<300 where try await marks(ann).contains(where: \.contested) {
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await marks(ann).map(\.contested) == [false])
            following.cancel()
            await following.value
        }
    }
}
