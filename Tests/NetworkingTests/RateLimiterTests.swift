import Networking
import SyncCore
import Testing

@Suite("What a peer may cost")
struct PeerWorkTests {
    private let peer = DeviceID(sha256([1]))
    private let start = ContinuousClock.now
    private let allowed = Duration.milliseconds(Limits.peerWorkMilliseconds)

    @Test("A peer over its work budget waits until a share of one processor has made up for it")
    func waiting() {
        // given
        let work = RateLimiter()
        work.charge(peer, allowed, at: start)
        #expect(!work.mustWait(peer, at: start))
        // when
        work.charge(peer, .seconds(1), at: start)
        // then
        #expect(work.mustWait(peer, at: start))
        let due = start + .seconds(1) * Limits.peerWorkDivisor
        #expect(work.mustWait(peer, at: due - .milliseconds(10)))
        #expect(!work.mustWait(peer, at: due))
        // and others never waited
        #expect(!work.mustWait(DeviceID(.zero), at: start))
    }

    @Test("A flood costs no more than that share, however long it lasts")
    func flood() {
        let work = RateLimiter()
        var spent = Duration.zero
        // ten minutes of messages that take 1 ms each, whenever one is taken
        for step in 0..<600_000 {
            let now = start + .milliseconds(step)
            guard !work.mustWait(peer, at: now) else { continue }
            work.charge(peer, .milliseconds(1), at: now)
            spent += .milliseconds(1)
        }
        #expect(spent <= .seconds(600) / Limits.peerWorkDivisor + allowed + .milliseconds(1))
        #expect(spent >= .seconds(600) / Limits.peerWorkDivisor)
    }

    @Test("What brought something new is let off, and nothing else")
    func useful() {
        let work = RateLimiter()
        work.charge(peer, allowed, at: start)
        work.charge(peer, .seconds(10), onTrial: true, at: start)
        #expect(work.mustWait(peer, at: start))
        work.refund(peer)
        #expect(!work.mustWait(peer, at: start))
        work.charge(peer, .milliseconds(1), at: start)
        #expect(work.mustWait(peer, at: start))
    }
}
