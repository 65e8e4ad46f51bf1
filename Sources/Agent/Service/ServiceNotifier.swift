internal import Glibc
internal import LocalAPI

/// Tells the service manager how the agent is doing: the protocol of sd_notify(3), one datagram for each
/// message.
package struct ServiceNotifier: Sendable {
    /// The manager restarts the agent when it hears no `WATCHDOG=1` for this long; nil when it does not
    /// watch this process.
    package let watchdog: Duration?
    private let address: UnixSocketAddress

    /// Nil where no service manager listens.
    package init?(environment: [String: String], process: Int32 = getpid()) {
        guard let socket = environment["NOTIFY_SOCKET"], let address = Self.address(of: socket)
        else { return nil }
        self.address = address
        watchdog = Self.watchdog(environment, process)
    }

    /// Sends one message of `NAME=value` lines. False when it was not sent, also because the manager
    /// reads too slowly: the agent never waits for it.
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

    /// NOTIFY_SOCKET has an absolute path, or an abstract name behind `@`.
    private static func address(of socket: String) -> UnixSocketAddress? {
        switch socket.first {
        case "/": UnixSocketAddress(path: socket)
        case "@": UnixSocketAddress(abstractName: String(socket.dropFirst()))
        default: nil
        }
    }

    /// WATCHDOG_PID says whom it is for: a process that only inherited the variables is not watched.
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
