import Networking
import Testing

@Suite("Waking up")
struct SleepWatchTests {
    @Test("A jump of the boot clock over the other one is a sleep, told once")
    func jump() {
        var watch = SleepWatch(.init(boot: 500_000, awake: 400_000))
        #expect(watch.slept(.init(boot: 505_000, awake: 405_000)) == nil)
        #expect(watch.slept(.init(boot: 3_615_000, awake: 415_000)) == 3_100_000)
        #expect(watch.slept(.init(boot: 3_620_000, awake: 420_000)) == nil)
    }

    @Test("A computer that is only slow has not slept")
    func slow() {
        var watch = SleepWatch(.init(boot: 1_000, awake: 1_000))
        #expect(watch.slept(.init(boot: 901_000, awake: 901_000)) == nil)
        #expect(watch.slept(.init(boot: 902_900, awake: 901_500)) == nil)
    }
}
