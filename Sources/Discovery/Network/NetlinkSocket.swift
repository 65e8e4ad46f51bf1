internal import CNetlink
internal import Glibc

/// The kernel's notices about interfaces and addresses (rtnetlink(7)).
enum NetlinkSocket {
    /// A non-blocking socket that becomes readable when an interface or an address changes; nil,
    /// with errno set, if the system does not allow one.
    static func open() -> Int32? {
        let type = Int32(SOCK_RAW.rawValue) | O_CLOEXEC | O_NONBLOCK
        let file = socket(AF_NETLINK, type, NETLINK_ROUTE)
        guard file >= 0 else { return nil }
        var address = sockaddr_nl()
        address.nl_family = __kernel_sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(file, pointer, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard code == 0 else {
            _ = close(file)
            return nil
        }
        return file
    }
}
