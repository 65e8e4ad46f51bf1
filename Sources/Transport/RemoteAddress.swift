internal import Glibc
internal import NIOCore

/// The peer's address, in a form that can be dialled.
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

    /// A socket that serves both families reports IPv4 peers as `::ffff:192.0.2.1`; this type
    /// stores plain IPv4, so that all limits see one address.
    init?(_ address: SocketAddress) {
        guard let number = address.port, let port = UInt16(exactly: number),
            var host = RemoteAddress.numericHost(address)
        else { return nil }
        let mapped = "::ffff:"
        if host.hasPrefix(mapped), host.contains(".") { host.removeFirst(mapped.count) }
        self.init(host: host, port: port)
    }

    /// The numeric address, with its scope where it has one. NIO's own text omits the scope.
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
