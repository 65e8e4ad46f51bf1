internal import Glibc
internal import LocalAPI

/// Reports the agent's state to the service manager: the protocol of sd_notify(3), one datagram per
/// message.
package struct ServiceNotifier: Sendable {
    /// The manager restarts the agent after this time without `WATCHDOG=1`; nil if it does not
    /// watch this process.
    package let watchdog: Duration?
    private let address: UnixSocketAddress

    /// Nil if there is no service manager.
    package init?(environment: [String: String], process: Int32 = getpid()) {
        guard let socket = environment["NOTIFY_SOCKET"], let address = Self.address(of: socket)
        else { return nil }
        self.address = address
        watchdog = Self.watchdog(environment, process)
    }

    /// Sends one message of `NAME=value` lines. Returns false if it was not sent, also because the
    /// manager reads too slowly: the agent never waits for it.
    @discardableResult
    package func send(_ lines: String...) -> Bool {
        let message = Array(lines.joined(separator: "\n").utf8)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let sent = unsafe address.withPointer { address, length in
            unsafe sendto(
                descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), address,
                length)
        }
        return sent == message.count
    }

    /// NOTIFY_SOCKET is an absolute path, or an abstract name after `@`.
    private static func address(of socket: String) -> UnixSocketAddress? {
        switch socket.first {
        case "/": UnixSocketAddress(path: socket)
        case "@": UnixSocketAddress(abstractName: String(socket.dropFirst()))
        default: nil
        }
    }

    /// WATCHDOG_PID names the watched process: one that only inherited the variables is not
    /// watched.
    private static func watchdog(
        _ environment: [String: String], _ process: Int32
    ) -> Duration? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }),
            microseconds > 0
        else { return nil }
        if let watched = environment["WATCHDOG_PID"], watched != String(process) { return nil }
        return .microseconds(microseconds)
    }
}
