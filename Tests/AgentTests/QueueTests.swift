import Agent
import Device
import Networking
import SyncCore
import Testing
import Wire

@Suite("Queues of the agent")
struct QueueTests {
    @Test("What waits for a peer that does not read is bounded, and what was taken makes room")
    func outbox() async throws {
        let outbox = Outbox()
        let frame = Frame.message([UInt8](repeating: 7, count: 1 << 20))
        var taken = 0
        while outbox.put(frame) { taken += 1 }
        // Each frame counts for a little more than its bytes.
        #expect(taken == Limits.outboxBytes >> 20 - 1)
        outbox.took(frame)
        #expect(outbox.put(frame))
        #expect(!outbox.put(frame))
    }

    @Test("What was put in before the end still comes out")
    func outboxEnd() async {
        let outbox = Outbox()
        #expect(outbox.put(.message([1])))
        #expect(outbox.put(.message([2])))
        outbox.finish()
        var bodies: [[UInt8]] = []
        for await frame in outbox.frames {
            if case .message(let body) = frame { bodies.append(body) }
        }
        #expect(bodies == [[1], [2]])
    }

    @Test("A sync that waits is answered when the network goes away, and later ones at once")
    func closedRequests() async {
        // given a loop that never runs, so that nothing is ever done
        let loop = EngineLoop(
            engine: Engine(device: DeviceID(.zero), person: PersonID(.zero)), clock: AgentClock())
        let requests = SyncRequests()
        async let waiting = requests.run(on: loop)
        // when the network goes away
        try? await Task.sleep(for: .milliseconds(50))
        requests.close()
        // then
        #expect(await waiting == false)
        #expect(await requests.run(on: loop) == false)
    }

    @Test("An event handed in after the end does not wait for ever")
    func submitAfterEnd() async {
        let loop = EngineLoop(
            engine: Engine(device: DeviceID(.zero), person: PersonID(.zero)), clock: AgentClock())
        loop.finish()
        await loop.run(NoActions())
        await loop.submit(.tick)
    }
}

private struct NoActions: EngineActions {
    func perform(_: EngineAction) {}
}
