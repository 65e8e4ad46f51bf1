import Status
import SyncCore
import Testing

@Suite("How long a sync on request waits while nothing moves")
struct SyncPatienceTests {
    private static let ben = DeviceID(sha256([2]))
    private static let cleo = DeviceID(sha256([3]))

    /// Ben lacks a change and Cleo nothing.
    private static func exchange(_ change: (inout Exchange) -> Void = { _ in }) -> Exchange {
        var exchange = Exchange()
        var peer = Exchange.Peer()
        peer.isCompared = true
        exchange.peers[cleo] = peer
        peer.changesToSend = 1
        exchange.peers[ben] = peer
        change(&exchange)
        return exchange
    }

    @Test("A device whose disk is full is waited for only for a moment")
    func full() {
        #expect(Self.exchange().stillSeconds(full: [Self.ben]) == Limits.syncFullSeconds)
        #expect(
            Self.exchange { $0.peers[Self.ben]?.toSend.count = 3 }
                .stillSeconds(full: [Self.ben, Self.cleo]) == Limits.syncFullSeconds)
    }

    @Test("Other devices that lack something are waited for, and so are changes still to arrive")
    func others() {
        #expect(Self.exchange().stillSeconds(full: []) == Limits.syncStillSeconds)
        #expect(Self.exchange().stillSeconds(full: [Self.cleo]) == Limits.syncStillSeconds)
        #expect(
            Self.exchange { $0.peers[Self.cleo]?.toSend.count = 1 }
                .stillSeconds(full: [Self.ben]) == Limits.syncStillSeconds)
        #expect(
            Self.exchange { $0.coming.count = 1 }
                .stillSeconds(full: [Self.ben]) == Limits.syncStillSeconds)
        #expect(
            Self.exchange { $0.peers[Self.cleo]?.changesToReceive = 1 }
                .stillSeconds(full: [Self.ben]) == Limits.syncStillSeconds)
        // One that has not said yet what it has may lack something, too.
        #expect(
            Self.exchange { $0.peers[Self.cleo]?.isCompared = false }
                .stillSeconds(full: [Self.ben]) == Limits.syncStillSeconds)
        #expect(Exchange().stillSeconds(full: [Self.ben]) == Limits.syncStillSeconds)
    }
}
