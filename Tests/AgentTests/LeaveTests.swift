import Agent
import Device
import LocalAPI
import Node
import Records
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

    @Test("a hint about a space that is no trip names the command for spaces")
    func hintsOfSpaces() async throws {
        try await TestAgent.with { agent in
            // given
            let document = """
                schema: 1
                name: groceries
                version: 1
                collections:
                  product:
                    fields:
                      name: { type: text, required: true }
                """
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document))
            let me = try #require(
                try await agent.service.call(\.trips.sharing.members, id: "Home").first)
            // when, then
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "Nobody else has “Home”; it would be lost when you leave.",
                    hint: """
                        Give it to someone first, or delete it: peersync space delete Home
                        """)
            ) {
                try await agent.service.call(\.trips.sharing.leave, id: "Home")
            }
            await #expect(
                throws: APIError(
                    code: .conflict, sentence: "This would be your own device.",
                    hint: "To give it up yourself: peersync space leave Home")
            ) {
                try await agent.service.call(
                    \.trips.sharing.revoke, id: "Home", RevokeDraft(who: me.person.name))
            }
        }
    }
}
