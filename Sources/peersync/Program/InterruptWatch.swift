internal import Dispatch
internal import Glibc
internal import Synchronization

/// Calls once when Ctrl-C or a request to end arrives; a second one ends the process at once.
struct InterruptWatch {
    private let sources: [any DispatchSourceSignal]

    init(_ interrupted: @escaping @Sendable () -> Void) {
        let counter = Counter()
        sources = [SIGINT, SIGTERM].map { number in
            // The source hears the signal only when its own action is off.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if counter.next() == 1 { interrupted() } else { _exit(1) }
            }
            source.resume()
            return source
        }
    }

    func stop() {
        for source in sources { source.cancel() }
    }

    /// Counts from 1.
    private final class Counter: Sendable {
        private let value = Mutex(0)

        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
    }
}
