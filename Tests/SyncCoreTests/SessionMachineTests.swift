import SyncCore
import Testing

@Suite("What one session keeps in mind")
struct SessionMachineTests {
    /// Later than anything that is waited for.
    private static let farOff: UInt64 = 1 << 40

    private let crete = SpaceID(sha256([1]))
    private let diary = SpaceID(sha256([2]))
    private let log = TestDevice(1, person: 1).log

    // MARK: Silence

    @Test("A peer that was asked and says nothing is gone, and one that answers is not")
    func silence() {
        var watch = SilenceWatch(now: Instant(1_000), hasDialed: true)
        #expect(!watch.isOver(at: Instant(Self.farOff)))
        watch.asked(at: Instant(2_000))
        // Asking once more gives no more time.
        watch.asked(at: Instant(3_000))
        let end = 2_000 + Limits.answerMilliseconds
        #expect(watch.nextDeadline(or: .max) == end)
        #expect(!watch.isOver(at: Instant(end - 1)) && watch.isOver(at: Instant(end)))
        #expect(watch.waiting(at: Instant(2_500)) == 500)
        watch.heard(at: Instant(end))
        #expect(
            !watch.isOver(at: Instant(Self.farOff)) && watch.waiting(at: Instant(Self.farOff)) == 0)
    }

    @Test("The side that dialled asks after a while, the other one after twice that")
    func keepAlive() {
        let pause = Limits.keepAliveMilliseconds
        let dialer = SilenceWatch(now: Instant(0), hasDialed: true)
        let listener = SilenceWatch(now: Instant(0), hasDialed: false)
        #expect(dialer.nextDeadline(or: .max) == pause)
        #expect(listener.nextDeadline(or: .max) == 2 * pause)
        #expect(dialer.isToAsk(at: Instant(pause), or: .max))
        #expect(!listener.isToAsk(at: Instant(pause), or: .max))
        #expect(listener.isToAsk(at: Instant(pause), or: pause))
    }

    @Test("The side that dialled compares in time whatever comes, the other one when nothing comes")
    func compares() {
        // given
        let pause = Limits.keepAliveMilliseconds
        var dialer = SilenceWatch(now: Instant(0), hasDialed: true)
        var listener = SilenceWatch(now: Instant(0), hasDialed: false)
        // when something comes just before
        dialer.heard(at: Instant(pause - 1))
        listener.heard(at: Instant(2 * pause - 1))
        // then
        #expect(dialer.isToAsk(at: Instant(pause), or: .max))
        #expect(!listener.isToAsk(at: Instant(2 * pause), or: .max))
        // when it has asked
        dialer.asked(at: Instant(pause))
        dialer.heard(at: Instant(pause + 1))
        // then
        #expect(dialer.nextDeadline(or: .max) == 2 * pause)
    }

    @Test("Commits that nothing answers make it ask at once, and no look from outside does")
    func sent() {
        var watch = SilenceWatch(now: Instant(0), hasDialed: false)
        #expect(watch.isQuiet(at: Instant(Limits.quietMilliseconds)))
        watch.sent(at: Instant(100))
        #expect(!watch.isQuiet(at: Instant(Limits.quietMilliseconds)))
        #expect(watch.isToAsk(at: Instant(100 + Limits.answerMilliseconds), or: .max))
        watch.asked(at: Instant(100 + Limits.answerMilliseconds))
        #expect(!watch.isToAsk(at: Instant(Self.farOff), or: .max))
    }

    // MARK: Offers

    @Test("An offer is passed on once, changed again, and after a while again")
    func offers() {
        let offer = Offer(title: "Crete", from: "Anna", flags: .read, bytes: 1, schema: "journal")
        let other = Offer(
            title: "Crete 2019", from: "Anna", flags: .read, bytes: 1, schema: "journal")
        var offers = PassedOffers(since: 0)
        let first = [offer, offer, other, other, nil].map {
            offers.news($0, of: crete, at: Instant(1))?.title
        }
        #expect(first == ["Crete", nil, "Crete 2019", nil, nil])
        let later = offers.news(other, of: crete, at: Instant(Limits.pullIntervalMilliseconds))
        #expect(later == other)
        offers.forget(crete)
        let anew = offers.news(other, of: crete, at: Instant(Limits.pullIntervalMilliseconds))
        #expect(anew == other)
    }

    @Test("One peer offers no more spaces than a device may")
    func manyOffers() {
        let offer = Offer(title: "Crete", from: "Anna", flags: .read, bytes: 1, schema: "journal")
        var offers = PassedOffers(since: 0)
        let passed = (0..<UInt64(Limits.offersPerDevice + 5)).count {
            offers.news(offer, of: SpaceID(sha256(bigEndian($0))), at: Instant(1)) != nil
        }
        #expect(passed == Limits.offersPerDevice)
    }

    // MARK: Announcements

    @Test("Changes are announced together, and no more often than the pause allows")
    func announcements() {
        let pause = Limits.announceIntervalMilliseconds
        var announcements = Announcements()
        #expect(!announcements.isDue(at: Instant(Self.farOff)))
        announcements.add([crete])
        announcements.add([diary, crete])
        #expect(announcements.isDue(at: Instant(pause)))
        let first = announcements.drain(at: Instant(pause))
        #expect(first == [crete, diary].sorted())
        announcements.add([crete])
        #expect(!announcements.isDue(at: Instant(2 * pause - 1)))
        #expect(announcements.nextDeadline == 2 * pause)
    }

    // MARK: Syncs

    @Test("A command waits for every session, and for the one that takes the place of another")
    func syncs() {
        var syncs = AwaitedSyncs()
        let (old, new, third) = (SessionID(1), SessionID(2), SessionID(3))
        let request = SyncRequestID(7)
        syncs.begin(request, with: [old, third])
        syncs.wait(for: new, insteadOf: old)
        let waits = syncs.finish { $0 != new }
        #expect(waits.isEmpty && !syncs.isEmpty)
        let done = syncs.finish { $0 == new || $0 == third }
        #expect(done == [request] && syncs.isEmpty)
    }

    // MARK: Late commits

    @Test("A peer that should bring a commit gets its time; no timer runs for one that came")
    func late() {
        var late = LateChecks()
        late.add(log, through: 3, due: 100)
        late.add(log, through: 5, due: 90)
        #expect(late.next == 100 && late.due(of: log, after: 99) == 100)
        late.settle(Watermark([LogPosition(log: log, head: LogHead(sequence: 3, commit: .zero))]))
        #expect(late.next == 100)
        let early = late.drain(at: 99)
        let due = late.drain(at: 100)
        #expect(early.isEmpty && due == [log: 5] && late.isEmpty)
    }
}
