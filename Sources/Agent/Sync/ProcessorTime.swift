internal import CPlatform
internal import Glibc

/// Processor time of this process, in the program and in the kernel.
enum ProcessorTime {
    static var milliseconds: Int64 {
        var time = timespec()
        guard unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
