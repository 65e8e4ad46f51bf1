import Networking
import SyncCore
import Testing
import Wire

@Suite("What waits for a peer")
struct OutboxTests {
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
}
