import Glibc
import Testing
import peersync

/// What a command does when its terminal is closed: integration test 39-stopping.
struct InterruptWatchTests {
    @Test("With nohup a command goes on without its terminal")
    func ignored() {
        // given
        _ = signal(SIGHUP, SIG_IGN)
        defer { for number in [SIGINT, SIGTERM, SIGHUP] { _ = signal(number, SIG_DFL) } }
        // when
        let watch = InterruptWatch {}
        // then
        #expect(watch.signals == [SIGINT, SIGTERM])
        watch.stop()
    }
}
