internal import Glibc
internal import NIOCore

/// The other end of a connection, in the form in which it can be dialled.
package struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// An IPv4 address, or an IPv6 address with its scope where it needs one: `fe80::1%eth0`.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension RemoteAddress {
    static func isLoopback(_ host: String) -> Bool {
        host == "::1" || host.hasPrefix("127.")
    }

    /// A socket that serves both families reports IPv4 peers as `::ffff:192.0.2.1`; here they are
    /// plain IPv4, so that one address is one address to every limit.
    init?(_ address: SocketAddress) {
        guard let number = address.port, let port = UInt16(exactly: number),
            var host = RemoteAddress.numericHost(address)
        else { return nil }
        let mapped = "::ffff:"
        if host.hasPrefix(mapped), host.contains(".") { host.removeFirst(mapped.count) }
        self.init(host: host, port: port)
    }

    /// The address in numbers, with its scope where it has one. NIO's own text leaves that out.
    private static func numericHost(_ address: SocketAddress) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
            let status = unsafe address.withSockAddr { bytes, length in
                unsafe getnameinfo(
                    bytes, socklen_t(length), text.baseAddress, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST)
            }
            guard status == 0, let start = text.baseAddress else { return nil }
            return unsafe String(cString: start)
        }
    }
}
