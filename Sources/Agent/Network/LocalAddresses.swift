import Discovery

/// The address under which others on the network reach this computer.
enum LocalAddresses {
    /// An IPv4 address where there is one, as people can type it; else an IPv6 address that is not
    /// link-local, whose scope would mean nothing elsewhere.
    static func first() -> String? {
        let all = NetworkAddress.current().map(\.address)
        return all.first { !$0.contains(":") }
            ?? all.first { $0.contains(":") && !$0.contains("%") }
    }
}
