internal import Glibc
internal import SyncCore

/// An address of this machine under which others may reach it.
package struct NetworkAddress: Hashable, Sendable {
    /// As in `eth0`.
    package let interface: String
    /// Numeric; an IPv6 link-local address with its scope, as in `fe80::1%eth0`.
    package let address: String
    /// The number of leading bits shared by all addresses of its network, which are reached without
    /// a router.
    package let prefixBits: Int

    package init(interface: String, address: String, prefixBits: Int) {
        (self.interface, self.address, self.prefixBits) = (interface, address, prefixBits)
    }

    /// The addresses of interfaces that are up and connected, loopback left out, in a fixed order.
    package static func current() -> [NetworkAddress] {
        var found: Set<NetworkAddress> = []
        for entry in InterfaceList.entries() {
            guard entry.isUp, entry.isConnected, !entry.isLoopback, let address = entry.address
            else { continue }
            found.insert(
                NetworkAddress(
                    interface: entry.name, address: address, prefixBits: entry.prefixBits))
        }
        return found.sorted { ($0.interface, $0.address) < ($1.interface, $1.address) }
    }
}

/// The kernel's interfaces with their addresses (getifaddrs(3)).
enum InterfaceList {
    /// One address of an interface, or an interface without an IP address.
    struct Entry {
        let name: String
        let isUp: Bool
        /// Plugged in, or joined to a wireless network.
        let isConnected: Bool
        let isLoopback: Bool
        let canMulticast: Bool
        let isPointToPoint: Bool
        let address: String?
        let prefixBits: Int
    }

    /// The first `Limits.networkAddresses` of them.
    static func entries() -> [Entry] {
        var entries: [Entry] = []
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return [] }
        defer { unsafe freeifaddrs(first) }
        var next = unsafe first
        while entries.count < Limits.networkAddresses, let entry = unsafe next {
            let flags = unsafe Int(entry.pointee.ifa_flags)
            entries.append(
                Entry(
                    name: unsafe String(cString: entry.pointee.ifa_name),
                    isUp: flags & Int(IFF_UP) != 0, isConnected: flags & Int(IFF_RUNNING) != 0,
                    isLoopback: flags & Int(IFF_LOOPBACK) != 0,
                    canMulticast: flags & Int(IFF_MULTICAST) != 0,
                    isPointToPoint: flags & Int(IFF_POINTOPOINT) != 0,
                    address: unsafe numeric(entry.pointee.ifa_addr),
                    prefixBits: unsafe prefixBits(entry.pointee.ifa_netmask)))
            unsafe next = entry.pointee.ifa_next
        }
        return entries
    }

    /// The numeric text of an IPv4 or IPv6 address, else nil.
    static func numeric(_ address: UnsafePointer<sockaddr>?) -> String? {
        guard let address = unsafe address, let length = unsafe length(address) else { return nil }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe getnameinfo(
            address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
        return code == 0 ? String(upToZero: host) : nil
    }

    private static func length(_ address: UnsafePointer<sockaddr>) -> socklen_t? {
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET: socklen_t(MemoryLayout<sockaddr_in>.size)
        case AF_INET6: socklen_t(MemoryLayout<sockaddr_in6>.size)
        default: nil
        }
    }

    private static func prefixBits(_ mask: UnsafePointer<sockaddr>?) -> Int {
        guard let mask = unsafe mask else { return 0 }
        let bytes: [UInt8]
        switch unsafe Int32(mask.pointee.sa_family) {
        case AF_INET:
            bytes = unsafe mask.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { mask in
                unsafe withUnsafeBytes(of: mask.pointee.sin_addr) { unsafe Array($0) }
            }
        case AF_INET6:
            bytes = unsafe mask.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { mask in
                unsafe withUnsafeBytes(of: mask.pointee.sin6_addr) { unsafe Array($0) }
            }
        default: return 0
        }
        return bytes.reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
