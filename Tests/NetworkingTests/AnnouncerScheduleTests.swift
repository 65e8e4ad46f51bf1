import Discovery
import Identity
import Networking
import SyncCore
import Testing

@Suite("Calling those who announce a nameplate")
struct AnnouncerScheduleTests {
    private typealias Instant = ContinuousClock.Instant

    private let start = ContinuousClock.now
    // The order is random, and nothing here follows from it.
    private var random = SystemRandomNumberGenerator()

    private func address(_ number: Int) -> HostPort {
        HostPort(host: "10.0.0.\(number)", port: 7)
    }

    /// Announcers with one address each.
    private func announcers(_ numbers: ClosedRange<Int>, isDeaf: Bool = false) -> Announcers {
        Announcers(
            instances: numbers.map { number in
                DiscoveredInstance(
                    name: "n\(number)", addresses: [address(number)], protocolVersion: 1,
                    nameplate: "7")
            }, isDeaf: isDeaf)
    }

    private func after(_ milliseconds: Int) -> Instant { start + .milliseconds(milliseconds) }

    /// Everybody who is called until nobody is due at this time.
    private mutating func calls(_ trials: inout AnnouncerSchedule, at now: Instant) -> [[HostPort]]
    {
        var called: [[HostPort]] = []
        while let addresses = trials.next(at: now, random: &random) { called.append(addresses) }
        return called
    }

    @Test("Each announcer is called once, however often it is heard, and one address once")
    mutating func once() {
        var trials = AnnouncerSchedule(address: nil, now: start)
        var called: [[HostPort]] = []
        for round in 0..<20 {
            trials.heard(announcers(1...5), at: after(round))
            for addresses in calls(&trials, at: after(round)) {
                called.append(addresses)
                trials.ended(at: after(round), .opening)
            }
        }
        #expect(called.count == 5)
        #expect(Set(called.joined()) == Set((1...5).map(address)))
        // Another name at an address that was called is nobody new; a new address is.
        let moved = DiscoveredInstance(
            name: "other", addresses: [address(3), address(9)], protocolVersion: 1, nameplate: "7")
        trials.heard(Announcers(instances: [moved], isDeaf: false), at: after(30))
        #expect(calls(&trials, at: after(30)) == [[address(9)]])
    }

    @Test("The first has a second to itself; while it keeps silent the others do not wait for it")
    mutating func turns() {
        var trials = AnnouncerSchedule(address: nil, now: start)
        trials.heard(announcers(1...4), at: start)
        #expect(calls(&trials, at: start).count == 1)
        #expect(calls(&trials, at: after(999)).isEmpty)
        #expect(trials.wake == after(Limits.announcerMilliseconds))
        #expect(calls(&trials, at: after(1_000)).count == 1)
        #expect(calls(&trials, at: after(1_249)).isEmpty)
        #expect(calls(&trials, at: after(1_250)).count == 1)
        // One that ends at once lets the next one be called at once.
        for _ in 0..<3 { trials.ended(at: after(1_300), .opening) }
        #expect(calls(&trials, at: after(1_300)).count == 1)
    }

    @Test("It ends when nobody is heard in time, soon after a wrong guess, or without Avahi")
    mutating func ends() {
        let quiet = AnnouncerSchedule(address: nil, now: start)
        #expect(!quiet.isOver(at: after(19_999)))
        #expect(quiet.isOver(at: after(Limits.findHostSeconds * 1_000)))

        var guessed = AnnouncerSchedule(address: nil, now: start)
        guessed.heard(announcers(1...1), at: start)
        #expect(calls(&guessed, at: start).count == 1)
        #expect(!guessed.isOver(at: after(60_000)), "while somebody is called it goes on")
        guessed.ended(at: after(300), .guessed)
        #expect(!guessed.isOver(at: after(1_700)))
        #expect(guessed.isOver(at: after(1_800)))
        // Somebody who is heard meanwhile is called.
        guessed.heard(announcers(1...2), at: after(1_700))
        #expect(calls(&guessed, at: after(1_700)) == [[address(2)]])

        var deaf = AnnouncerSchedule(address: nil, now: start)
        deaf.heard(announcers(1...1, isDeaf: true), at: start)
        _ = calls(&deaf, at: start)
        deaf.ended(at: start, .opening)
        #expect(deaf.isOver(at: after(Limits.deafSeconds * 1_000)))
        deaf.heard(announcers(1...1), at: after(100))
        #expect(!deaf.isOver(at: after(Limits.deafSeconds * 1_000)))
    }

    @Test("An address that was given is the only one, and nothing is waited for")
    mutating func fixed() {
        var trials = AnnouncerSchedule(address: address(1), now: start)
        #expect(calls(&trials, at: start) == [[address(1)]])
        trials.ended(at: after(10), .opening)
        #expect(trials.isOver(at: after(10)))
    }

    @Test("However many announce the nameplate, few may test a guess")
    mutating func bounded() {
        var trials = AnnouncerSchedule(address: nil, now: start)
        trials.heard(announcers(1...200), at: start)
        var called = 0
        while !trials.isOver(at: start) {
            for _ in calls(&trials, at: start) {
                called += 1
                trials.ended(at: start, .guessed)
            }
        }
        #expect(called == Limits.announcersCalled)
    }
}
