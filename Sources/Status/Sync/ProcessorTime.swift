internal import CPlatform
internal import Glibc

/// Processor time of this process, in the program and in the kernel.
enum ProcessorTime {
    static var milliseconds: Int64 {
        peersync_clock_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) / 1_000_000
    }
}
