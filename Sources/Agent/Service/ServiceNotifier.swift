internal import Glibc

/// Tells the service manager how the agent is doing: the protocol of sd_notify(3), one datagram for each
/// message.
package struct ServiceNotifier: Sendable {
    /// The manager restarts the agent when it hears no `WATCHDOG=1` for this long; nil when it does not
    /// watch this process.
    package let watchdog: Duration?
    /// The socket's address as the kernel takes it.
    private let address: [UInt8]

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
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &target.sun_path) { path in
            unsafe path.copyBytes(from: address)
        }
        let length = Self.pathOffset + address.count
        let sent = unsafe withUnsafePointer(to: &target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                unsafe sendto(
                    descriptor, message, message.count,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT), target,
                    socklen_t(length))
            }
        }
        return sent == message.count
    }

    /// Where the path begins in `sockaddr_un`.
    private static let pathOffset = MemoryLayout<sa_family_t>.size
    private static let longestPath = MemoryLayout<sockaddr_un>.size - pathOffset

    /// An absolute path ends with a zero byte; an abstract name, written with `@`, begins with one and has
    /// none at its end (unix(7)).
    private static func address(of socket: String) -> [UInt8]? {
        var bytes = Array(socket.utf8)
        switch bytes.first {
        case UInt8(ascii: "/"): bytes.append(0)
        case UInt8(ascii: "@") where bytes.count > 1: bytes[0] = 0
        default: return nil
        }
        return bytes.count <= longestPath ? bytes : nil
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
