internal import Glibc

/// Names of network interfaces, as in `eth0`.
enum InterfaceName {
    /// Nil if there is no such interface, or no longer one.
    static func of(index: Int32) -> String? {
        guard let index = UInt32(exactly: index) else { return nil }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard unsafe if_indextoname(index, &name) != nil else { return nil }
        return String(upToZero: name)
    }
}
