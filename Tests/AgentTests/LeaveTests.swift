import Agent
import Device
import Node
import Store
import SyncCore
import Testing

@Suite struct LeaveTests {
    @Test("a space left without a note counts as left once the store is opened")
    func notedWhenOpened() async throws {
        try await TestAgent.with { agent in
            // given
            let (store, work) = (agent.node.store, agent.node.work)
            let space = try await agent.node.createSpace(
                .shared, following: nil, isEncrypted: false
            ) { _ in [] }
            _ = try work.members.leave(space)
            #expect(store.spaces.standing(of: space) == .left)
            // when only the commit became durable, as with an earlier program
            try store.spaces.setStanding(of: space, to: .active, now: agent.node.clock.wall)
            let done = try work.spaces.open(space, wantsFiles: true)
            // then
            #expect(store.spaces.standing(of: space) == .left)
            #expect(done.failures.isEmpty)
        }
    }
}
