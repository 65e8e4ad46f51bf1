internal import CPlatform
internal import Glibc

/// Processor time of the calling thread.
package enum ThreadTime {
    package static var now: Duration {
        .nanoseconds(peersync_clock_nanoseconds(CLOCK_THREAD_CPUTIME_ID))
    }

    /// The processor time that `body` took.
    package static func measure<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> (result: Result, cost: Duration) {
        let start = now
        let result = try body()
        return (result, now - start)
    }
}
