import Device
import Networking
import Status
import Store
import SyncCore
import Testing

@Suite("What is written down a moment later")
struct DeferredWriteTests {
    @Test("the results of several syncs wait to be written down")
    func runs() async throws {
        try await TestAgent.with { agent in
            // given
            let (store, recorder) = (agent.node.store, SyncRunRecorder(agent.node))
            let device = DeviceID(sha256([7]))
            var moved = OpenConnections.Moved()
            func look(isDiffering: Bool) {
                var (peer, exchange) = (Exchange.Peer(), Exchange())
                peer.isCompared = true
                peer.changesToSend = isDiffering ? 1 : 0
                exchange.peers[device] = peer
                let now = Instant(monotonic: 0, wall: Milliseconds(1_000))
                recorder.record(exchange, [device: moved], noticed: now, now: now)
            }
            // when
            for _ in 0..<3 {
                look(isDiffering: true)
                moved.commitsSent += 1
                look(isDiffering: false)
            }
            try await Task.sleep(for: .milliseconds(200))
            // then
            #expect(try store.syncRuns.latest(atMost: 10).isEmpty)
            await recorder.close()
            #expect(try store.syncRuns.latest(atMost: 10).map(\.commitsSent) == [1, 1, 1])
        }
    }
}
