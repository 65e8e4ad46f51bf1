import Device
import LocalAPI
import Networking
import Node
import Records
import Status
import Store
import SyncCore
import TestDevices
import Testing

@Suite("What is written down a moment later")
struct DeferredWriteTests {
    @Test("acks of a device that receives all the time wait to be written down")
    func acks() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            func ack() throws -> UnverifiedAck {
                let done = try #require(
                    ben.node.work.perform(
                        .acknowledge(space, ben.node.watermark(of: space))))
                guard case .ackSigned(let ack)? = done.events.first else {
                    throw StoreError.spaceUnknown(space)
                }
                return ack
            }
            func store(_ ack: UnverifiedAck) -> Bool {
                let done = ann.node.work.statements.store(
                    together: [.verifyAck(ack, from: SessionID(1))])
                return done.events.contains {
                    if case .ackStored(let stored, _) = $0 { stored == ack } else { false }
                }
            }
            #expect(store(try ack()))
            // when
            let acks = [try ack(), try ack()]
            for ack in acks { #expect(store(ack)) }
            #expect(!store(acks[0]))
            // then
            #expect(ann.node.store.statements.waitingCount == 1)
            let kept = try ann.node.store.statements.acks(of: space).map(\.unverified)
            #expect(kept.contains(acks[1]))
        }
    }

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
