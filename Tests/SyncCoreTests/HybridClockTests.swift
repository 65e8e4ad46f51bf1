import SyncCore
import Testing

@Suite struct HybridClockTests {
    @Test("A clock never gives the same or an earlier time, even when the wall clock goes back")
    func neverBack() {
        var clock = HybridClock()
        var last = HybridTime(raw: 0)
        for now: UInt64 in [1000, 1000, 999, 5, 0, 1001, 1000] {
            let time = clock.tick(now: Milliseconds(now))
            #expect(time > last)
            last = time
        }
    }

    @Test("After a received time the next own time is later than it")
    func laterThanReceived() {
        var clock = HybridClock()
        let received = HybridTime(milliseconds: 5000, counter: 9)
        clock.observe(received, now: Milliseconds(4000))
        #expect(clock.tick(now: Milliseconds(4000)) > received)
    }

    @Test("A full counter carries into the milliseconds")
    func counterCarries() {
        var clock = HybridClock(latest: HybridTime(milliseconds: 7, counter: .max))
        let time = clock.tick(now: Milliseconds(7))
        #expect(time.milliseconds == 8)
        #expect(time.counter == 0)
    }

    @Test("A time in 2099 moves the clock to one minute ahead and no further")
    func ceiling() {
        let now = Milliseconds(1_700_000_000_000)
        let future = HybridTime(milliseconds: 4_070_908_800_000, counter: 3)
        var clock = HybridClock()
        clock.observe(future, now: now)
        #expect(clock.latest.milliseconds == 1_700_000_060_000)
        let time = clock.tick(now: now)
        #expect(time.milliseconds <= 1_700_000_060_001)
        #expect(time < future)
    }

    @Test("The ceiling never moves a clock back that is already ahead of it")
    func ceilingKeeps() {
        let ahead = HybridTime(milliseconds: 2_000_000_000_000, counter: 0)
        var clock = HybridClock(latest: ahead)
        clock.observe(HybridTime(raw: UInt64.max), now: Milliseconds(1_700_000_000_000))
        #expect(clock.latest == ahead)
    }

    @Test("No wall clock makes the arithmetic overflow, and every time fits 63 bits")
    func extremes() {
        var clock = HybridClock()
        clock.observe(HybridTime(raw: UInt64.max), now: Milliseconds(UInt64.max))
        let time = clock.tick(now: Milliseconds(UInt64.max))
        #expect(time.raw < UInt64(1) << 63)
        #expect(Milliseconds(UInt64.max) == Milliseconds(1 << 46))
    }
}
