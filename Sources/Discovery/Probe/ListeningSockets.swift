internal import Glibc
internal import SyncCore

/// The TCP ports with a listening socket, from the kernel's list (proc(5), /proc/net/tcp): reading
/// it disturbs no program, while connecting would.
package struct ListeningSockets {
    /// Ports that other machines can reach, and ports bound to loopback.
    package private(set) var open: Set<UInt16> = []
    package private(set) var loopbackOnly: Set<UInt16> = []
    /// The owner of each port: the user who listens there and the inode of the first socket found.
    package private(set) var owners: [UInt16: Owner] = [:]

    package struct Owner: Hashable, Sendable {
        package let user: UInt32
        package let inode: UInt64
    }

    /// Whether a program listens on the port, on any address.
    package func isTaken(_ port: UInt16) -> Bool {
        open.contains(port) || loopbackOnly.contains(port)
    }

    /// Nil if the list cannot be read.
    package static func current() -> ListeningSockets? {
        guard let text = read("/proc/net/tcp") else { return nil }
        // Missing if IPv6 is off.
        return ListeningSockets(parsing: text + (read("/proc/net/tcp6") ?? ""))
    }

    package init(parsing text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 3, words[3] == "0A" else { continue }
            let parts = words[1].split(separator: ":")
            guard parts.count == 2, let port = UInt16(parts[1], radix: 16) else { continue }
            if owners[port] == nil, words.count > 9, let user = UInt32(words[7]),
                let inode = UInt64(words[9])
            {
                owners[port] = Owner(user: user, inode: inode)
            }
            if Self.isLoopback(parts[0]) {
                loopbackOnly.insert(port)
            } else {
                open.insert(port)
            }
        }
        loopbackOnly.subtract(open)
    }

    /// Addresses are 32-bit words in the machine's byte order, here little-endian.
    private static func isLoopback(_ address: Substring) -> Bool {
        switch address.count {
        case 8: address.hasSuffix("7F")
        case 32:
            address == "00000000000000000000000001000000"
                || (address.hasPrefix("0000000000000000FFFF0000") && address.hasSuffix("7F"))
        default: false
        }
    }

    private static func read(_ path: String) -> String? {
        let file = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < Limits.socketListBytes {
            let count = unsafe Glibc.read(file, &buffer, buffer.count)
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
