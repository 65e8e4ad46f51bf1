package import Glibc

/// The address of a unix socket, in the kernel's form: unix(7).
package struct UnixSocketAddress: Sendable {
    /// A path ends with a zero byte; an abstract name begins with one and has none at its end.
    private let bytes: [UInt8]

    private static let pathOffset = MemoryLayout<sa_family_t>.size
    private static let mostBytes = MemoryLayout<sockaddr_un>.size - pathOffset

    /// Nil when the path is longer than ``LocalLimits/socketPathBytes``.
    package init?(path: String) { self.init(bytes: Array(path.utf8) + [0]) }

    /// A name in the abstract namespace; nil when it is empty or too long.
    package init?(abstractName: String) {
        guard !abstractName.isEmpty else { return nil }
        self.init(bytes: [0] + Array(abstractName.utf8))
    }

    private init?(bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes else { return nil }
        self.bytes = bytes
    }

    /// Lends the address to one call of bind(2), connect(2) or sendto(2).
    package func withPointer<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(Self.pathOffset + bytes.count)
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}

/// The peer of a unix socket (SO_PEERCRED, unix(7)): the kernel's `struct ucred`, which the C library
/// module does not export.
struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
}
