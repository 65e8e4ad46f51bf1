import Node
import SyncCore
import Testing

@Suite("What is known of other devices")
struct PeerTableTests {
    private let ben = DeviceID(sha256([2]))
    private let now = Milliseconds(1_000_000)

    private func hello(_ versions: ClosedRange<UInt32>, wall: UInt64 = 1_000_000) -> Hello {
        Hello(
            versions: versions, card: UnverifiedCard(links: [], encoded: []), agentVersion: "2.0",
            features: [], wallClock: Milliseconds(wall), purpose: .session, listeningPort: 0)
    }

    @Test("a device that refused is called again after its hello, or once a person acts")
    func refusal() {
        var peers = PeerTable()
        peers.refused(ben, .notTrusted)
        #expect(peers.refusing == [ben])
        peers.greeted(ben, by: hello(1...1), at: now)
        #expect(peers.refusing.isEmpty)
        peers.refused(ben, .version)
        peers.forgetRefusals()
        #expect(peers.refusing.isEmpty && peers[ben].refusal == nil)
    }

    @Test("a device that switched sync off is known for it until it says hello again")
    func syncOff() {
        var peers = PeerTable()
        peers.ended(ben, .shutdown)
        #expect(!peers[ben].isSyncOff)
        peers.ended(ben, .syncOff)
        // It is called all the same: it may be switched on again without a word.
        #expect(peers[ben].isSyncOff && peers.refusing.isEmpty)
        peers.greeted(ben, by: hello(1...1), at: now)
        #expect(!peers[ben].isSyncOff)
    }

    @Test("the versions in a hello tell which device is newer, whatever could not be read before")
    func versions() {
        var peers = PeerTable()
        peers.misunderstood(ben, isNewer: false)
        #expect(peers[ben].version?.isNewer == false)
        let next = Limits.protocolVersion + 1
        peers.greeted(ben, by: hello(next...next), at: now)
        peers.misunderstood(ben, isNewer: false)
        #expect(peers[ben].version?.isNewer == true && peers[ben].version?.text == "2.0")
    }

    @Test("a misdeed is told for an hour, each on its own")
    func misdeeds() {
        var peers = PeerTable()
        peers.note(.sentBrokenData, of: ben, at: 5)
        let end = 5 + Limits.misbehaviourToldMilliseconds
        #expect(peers[ben].did(.sentBrokenData, at: end - 1))
        #expect(!peers[ben].did(.sentBrokenData, at: end))
        #expect(!peers[ben].did(.wroteBeyondRights, at: 6))
    }

    @Test("a sync is written down at first, and then every ten minutes")
    func synced() {
        var peers = PeerTable()
        let later = Milliseconds(now.value + Limits.syncedNoteMilliseconds)
        let isFirstKept = peers.synced(ben, at: now, hasExchanged: false)
        let isSecondKept = peers.synced(ben, at: later, hasExchanged: false)
        #expect(isFirstKept && !isSecondKept && peers[ben].synced == later)
        let isThirdKept = peers.synced(ben, at: Milliseconds(later.value + 1), hasExchanged: false)
        #expect(isThirdKept)
    }

    @Test("a sync that exchanged something is written down soon, twice in a minute at most")
    func exchanged() {
        // given
        var peers = PeerTable()
        _ = peers.synced(ben, at: now, hasExchanged: true)
        // when
        let soon = Milliseconds(now.value + Limits.exchangeNoteMilliseconds)
        let isSoonKept = peers.synced(ben, at: soon, hasExchanged: true)
        let isNextKept = peers.synced(
            ben, at: Milliseconds(soon.value + 1), hasExchanged: false)
        let isIdleKept = peers.synced(
            ben, at: Milliseconds(soon.value + 60_000), hasExchanged: false)
        // then
        #expect(!isSoonKept && isNextKept && !isIdleKept)
    }

    @Test("a sync is written down at once when the clock was set back, and the last one at the end")
    func syncsToKeep() {
        var peers = PeerTable()
        let later = Milliseconds(now.value + 1)
        _ = peers.synced(ben, at: now, hasExchanged: false)
        let isLaterKept = peers.synced(ben, at: later, hasExchanged: false)
        let (due, more) = (peers.syncsToKeep(), peers.syncsToKeep())
        #expect(!isLaterKept && due == [ben: later] && more.isEmpty)
        let isEarlierKept = peers.synced(ben, at: Milliseconds(now.value - 1), hasExchanged: false)
        #expect(isEarlierKept)
    }

    @Test("a hello tells the other clock, and a full disk counts until the next session")
    func said() {
        var peers = PeerTable()
        peers.greeted(ben, by: hello(1...1, wall: 999_000), at: now)
        #expect(peers[ben].clockSkewMilliseconds == -1000)
        peers.said(ben, Condition(isDiskFull: true))
        #expect(peers[ben].isDiskFull)
        peers.opened(ben, at: 0)
        #expect(!peers[ben].isDiskFull)
        let (isNews, isStillNews) = (
            peers.noteOwnDisk(isFull: true), peers.noteOwnDisk(isFull: true)
        )
        #expect(isNews && !isStillNews)
    }

    @Test("a device is silent as the last look found it, until a session begins")
    func silences() {
        // given
        var peers = PeerTable()
        let cleo = DeviceID(sha256([3]))
        peers.noteSilences([ben: 4_000, cleo: 10])
        #expect([peers[ben].silence, peers[cleo].silence] == [4_000, 10])
        #expect(peers.silent(for: 10) == [ben, cleo] && peers.silent(for: 11) == [ben])
        // when
        peers.opened(ben, at: 0)
        // then
        #expect([peers[ben].silence, peers[cleo].silence] == [0, 10])
        peers.noteSilences([cleo: 0])
        #expect(peers[cleo].silence == 0)
    }

    @Test("two that take turns are told while they do; one that comes back now and then is not")
    func twins() {
        var peers = PeerTable()
        for second in 0..<4 { peers.displaced(ben, .there, at: UInt64(second) * 20_000) }
        #expect(!peers[ben].runsTwice(.there, at: 60_000))
        peers.displaced(ben, .there, at: 80_000)
        #expect(peers[ben].runsTwice(.there, at: 81_000))
        #expect(!peers[ben].runsTwice(.here, at: 81_000))
        #expect(!peers[ben].runsTwice(.there, at: 80_000 + Limits.turnMilliseconds))
        // The copy is gone since, and the device comes back once.
        let later = 80_000 + Limits.turnMilliseconds
        peers.displaced(ben, .there, at: later)
        #expect(!peers[ben].runsTwice(.there, at: later))
        // Once an hour is no copy.
        for hour in 1..<10 { peers.displaced(ben, .there, at: UInt64(hour) * 3_600_000) }
        #expect(!peers[ben].runsTwice(.there, at: 9 * 3_600_000))
    }

    @Test("Two that call each other at once after every outage do not seem to run twice")
    func bothCall() {
        // given
        var (peers, copies) = (PeerTable(), PeerTable())
        for round: UInt64 in 0..<6 {
            // when: both calls get through, and one of the two sessions ends
            peers.opened(ben, at: round * 20_000)
            peers.opened(ben, at: round * 20_000 + 300)
            peers.displaced(ben, .there, at: round * 20_000 + 301)
            // or: a copy calls while the session with the other one goes on
            copies.opened(ben, at: round * 20_000)
            copies.displaced(ben, .there, at: round * 20_000 + 1)
        }
        // then
        #expect(!peers[ben].runsTwice(.there, at: 101_000))
        #expect(copies[ben].runsTwice(.there, at: 101_000))
    }
}
