internal import Dispatch
internal import Glibc
internal import Synchronization

/// Calls once when Ctrl-C, a request to end or the end of the terminal arrives; a second signal ends the process
/// at once.
package struct InterruptWatch {
    /// The numbers of the signals that it hears.
    package let signals: [Int32]
    private let sources: [any DispatchSourceSignal]
    private let heard: FirstSignal

    package init(_ interrupted: @escaping @Sendable () -> Void) {
        let heard = FirstSignal()
        self.heard = heard
        signals = [SIGINT, SIGTERM, SIGHUP].filter { number in
            // A source sees a signal only if its default action is off.
            let before = signal(number, SIG_IGN)
            // With `nohup` a program goes on without its terminal.
            return number != SIGHUP || !Self.isIgnoring(before)
        }
        sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if heard.note(number) {
                    interrupted()
                } else if number != SIGHUP {
                    // The kernel and the shell may both say that a terminal is gone.
                    _exit(128 + number)
                }
            }
            source.resume()
            return source
        }
    }

    private static func isIgnoring(_ action: __sighandler_t?) -> Bool {
        // Actions are compared as addresses: SIG_IGN is none that can be called.
        unsafe unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The exit code of a program that a signal ended; nil if none arrived.
    package var exitCode: Int32? { heard.number.map { 128 + $0 } }

    package func stop() {
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
