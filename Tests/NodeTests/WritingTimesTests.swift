import Node
import SyncCore
import Testing

@Suite("When a device writes what it writes by itself")
struct WritingTimesTests {
    private var times = WritingTimes<String>()
    private var now: UInt64 = 0

    /// Milliseconds until it was written, planned in two seconds.
    private mutating func write(_ duty: String) throws -> UInt64 {
        let start = now
        times.plan(duty, inSeconds: 2, at: now)
        now = try #require(times.next)
        #expect(times.consumeDue(at: now) == [duty])
        return now - start
    }

    private mutating func writeAtOnce() throws {
        for _ in 0..<Limits.writingsAtOnce {
            let waited = try write("keys")
            #expect(waited == 2000)
        }
    }

    @Test("a duty is due after its seconds, and taken once")
    mutating func dueOnce() {
        // when
        times.plan("keys", inSeconds: 2, at: 500)
        // then
        #expect(times.isPlanned("keys") && times.next == 2500)
        #expect(times.consumeDue(at: 2499).isEmpty)
        #expect(times.consumeDue(at: 2500) == ["keys"])
        #expect(!times.isPlanned("keys") && times.next == nil)
    }

    @Test("a duty that is written again and again waits longer each time, up to an hour")
    mutating func runaway() throws {
        // given
        try writeAtOnce()
        // when
        var waited: [UInt64] = []
        for _ in 0..<14 { waited.append(try write("keys")) }
        // then
        #expect(waited.prefix(3) == [3000, 4000, 6000])
        #expect(waited.last == Limits.writingPauseMilliseconds + 2000)
        let other = try write("leaves")
        #expect(other == 2000)
    }

    @Test("an urgent duty never waits longer")
    mutating func urgent() throws {
        // given
        try writeAtOnce()
        // when
        times.plan("keys", inSeconds: 2, at: now, isUrgent: true)
        // then
        #expect(times.next == now + 2000)
    }

    @Test("a time before the last writing is no rest")
    mutating func earlier() throws {
        // given
        try writeAtOnce()
        // when
        times.plan("keys", inSeconds: 2, at: now - 1)
        // then
        #expect(times.next == now - 1 + 3000)
    }

    @Test("writings while the disk was full are forgotten")
    mutating func forgotten() throws {
        // given
        try writeAtOnce()
        // when
        times.forgetWritten()
        // then
        let waited = try write("keys")
        #expect(waited == 2000)
    }

    @Test("after a rest it is written as soon as at first")
    mutating func rest() throws {
        // given
        try writeAtOnce()
        let slow = try write("keys")
        #expect(slow > 2000)
        // when
        now += 2 * Limits.writingPauseMilliseconds + 1
        // then
        let waited = try write("keys")
        #expect(waited == 2000)
    }

    @Test("a duty that is needed no more when it is due does not count")
    mutating func notNeeded() throws {
        // when
        for _ in 0...Limits.writingsAtOnce {
            times.plan("keys", inSeconds: 2, at: now)
            now += 2000
            #expect(times.consumeDue(at: now) { _ in false }.isEmpty)
        }
        // then
        let waited = try write("keys")
        #expect(waited == 2000)
    }
}
