import Glibc

/// A TCP connection to a loopback port, without TLS, as an attacker may open it.
final class PlainSocket: Sendable {
    private let descriptor: Int32

    struct Failure: Error {
        let errno: Int32
    }

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let number = errno
            Glibc.close(descriptor)
            throw Failure(errno: number)
        }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// If the peer has closed, this fails: some tests provoke that.
    func send(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Whether the other side closes within some seconds; bytes sent before are dropped.
    func isClosedByPeer() async -> Bool {
        await eventually {
            var buffer: [UInt8] = Array(repeating: 0, count: 4096)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            return count == 0 || count < 0 && errno != EAGAIN
        }
    }
}

/// Accepts connections in the kernel's queue and never sends a byte.
final class SilentListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard status else { throw PlainSocket.Failure(errno: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        Glibc.close(descriptor)
    }
}

/// An address like `fe80::1%eth0` of this machine, if an active interface has one.
func linkLocalAddress() -> String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return nil }
    defer { unsafe freeifaddrs(list) }
    var next = unsafe list
    while let entry = unsafe next {
        unsafe next = entry.pointee.ifa_next
        guard let address = unsafe entry.pointee.ifa_addr,
            unsafe address.pointee.sa_family == sa_family_t(AF_INET6),
            unsafe entry.pointee.ifa_flags & UInt32(IFF_UP) != 0
        else { continue }
        var text: [CChar] = Array(repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            address, socklen_t(MemoryLayout<sockaddr_in6>.size), &text, socklen_t(text.count), nil,
            0, NI_NUMERICHOST)
        let host = String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if status == 0, host.hasPrefix("fe80:") { return host }
    }
    return nil
}
