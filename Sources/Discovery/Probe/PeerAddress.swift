// A release build sees <poll.h> through Avahi's headers, which include it.
internal import CAvahi
internal import Glibc
package import SyncCore

/// The result of trying a remembered address: whether a program answers there.
package struct PeerAddress {
    package enum Answer: Equatable {
        case connected
        case refused
        case silent
        case nameUnknown
        case unreachable
    }

    package let place: HostPort
    package let answer: Answer
    /// No router lies in between: multicast and connections take the same way.
    package let isOnOurNetwork: Bool

    package init(place: HostPort, answer: Answer, isOnOurNetwork: Bool) {
        (self.place, self.answer, self.isOnOurNetwork) = (place, answer, isOnOurNetwork)
    }

    /// Connects once and closes the connection. Blocks for up to `Limits.probeSeconds`, and for a
    /// name as long as the system's resolver takes.
    package init(trying place: HostPort, from own: [NetworkAddress]) {
        self.place = place
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(place.host, String(place.port), &hints, &list) == 0,
            let first = unsafe list
        else {
            answer = .nameUnknown
            isOnOurNetwork = false
            return
        }
        defer { unsafe freeaddrinfo(list) }
        let numeric = unsafe InterfaceList.numeric(first.pointee.ai_addr) ?? ""
        isOnOurNetwork = own.contains { $0.shares(networkWith: numeric) }
        answer = unsafe Self.connect(to: first.pointee)
    }

    private static func connect(to address: addrinfo) -> Answer {
        let file = unsafe socket(
            address.ai_family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard file >= 0 else { return .unreachable }
        defer { _ = close(file) }
        if unsafe Glibc.connect(file, address.ai_addr, address.ai_addrlen) == 0 {
            return .connected
        }
        guard errno == EINPROGRESS else { return answer(errno) }
        var wait = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&wait, 1, Int32(Limits.probeSeconds * 1000)) > 0 else { return .silent }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else {
            return .unreachable
        }
        return answer(code)
    }

    private static func answer(_ code: Int32) -> Answer {
        switch code {
        case 0: .connected
        case ECONNREFUSED: .refused
        // The kernel's errors for: no machine on this network has that address.
        case ETIMEDOUT, EHOSTUNREACH: .silent
        default: .unreachable
        }
    }
}

extension NetworkAddress {
    /// Whether a numeric address is in the same network as this one.
    package func shares(networkWith other: String) -> Bool {
        guard let own = Self.bytes(address), let others = Self.bytes(other),
            own.count == others.count
        else { return false }
        let scopes = [address, other].map { $0.split(separator: "%").dropFirst().first }
        guard scopes[0] == scopes[1] else { return false }
        return (0..<min(prefixBits, own.count * 8)).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return own[bit / 8] & mask == others[bit / 8] & mask
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let numeric = text.split(separator: "%").first.map(String.init) ?? ""
        var four = in_addr()
        if unsafe inet_pton(AF_INET, numeric, &four) == 1 {
            return unsafe withUnsafeBytes(of: four) { unsafe Array($0) }
        }
        var sixteen = in6_addr()
        guard unsafe inet_pton(AF_INET6, numeric, &sixteen) == 1 else { return nil }
        return unsafe withUnsafeBytes(of: sixteen) { unsafe Array($0) }
    }
}
