import Glibc

/// Limits of work are measured in processor time, which does not depend on other running tests.
package enum ProcessorTime {
    /// Seconds that the calling thread computed, without waiting.
    package static func seconds(of work: () throws -> Void) rethrows -> Double {
        let start = now()
        try work()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
