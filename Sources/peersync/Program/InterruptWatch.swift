internal import Dispatch
internal import Glibc
internal import Synchronization

/// Calls once when Ctrl-C or a request to end arrives; a second one ends the process at once.
struct InterruptWatch {
    private let sources: [any DispatchSourceSignal]
    private let heard: FirstSignal

    init(_ interrupted: @escaping @Sendable () -> Void) {
        let heard = FirstSignal()
        self.heard = heard
        sources = [SIGINT, SIGTERM].map { number in
            // The source sees the signal only if its default action is off.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if heard.note(number) { interrupted() } else { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    /// The exit code of a program that a signal ended; nil if none arrived.
    var exitCode: Int32? { heard.number.map { 128 + $0 } }

    func stop() {
        for source in sources { source.cancel() }
    }

    private final class FirstSignal: Sendable {
        private let first = Mutex<Int32?>(nil)

        var number: Int32? { first.withLock { $0 } }

        /// Whether it is the first one.
        func note(_ number: Int32) -> Bool {
            first.withLock { first in
                guard first == nil else { return false }
                first = number
                return true
            }
        }
    }
}
