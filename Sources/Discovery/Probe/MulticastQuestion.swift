// A release build sees <poll.h> through Avahi's headers, which include it.
internal import CAvahi
internal import Glibc
internal import SyncCore

/// Our own multicast question (RFC 6762 section 6.7: a question from a port other than 5353 is
/// answered to its sender), so that Avahi's state does not matter. It asks for peersync and for any
/// service: a printer's answer proves as much.
package enum MulticastQuestion {
    private static let group = "224.0.0.251"
    private static let port: UInt16 = 5353

    /// The answers of other machines; nil if the question could not be sent. IPv4 only. Blocks for
    /// `Limits.probeSeconds`.
    package static func answers() -> [[UInt8]]? {
        let identifier = UInt16.random(in: 1...UInt16.max)
        var own: Set<String> = []
        var sockets: [pollfd] = []
        defer { for socket in sockets { _ = close(socket.fd) } }
        for entry in InterfaceList.entries() {
            guard let address = entry.address else { continue }
            own.insert(address)
            guard entry.isUp, entry.isConnected, entry.canMulticast, !entry.isLoopback,
                !address.contains(":"), sockets.count < Limits.probedPeers,
                let socket = ask(from: address, identifier)
            else { continue }
            sockets.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0))
        }
        guard !sockets.isEmpty else { return nil }
        var answers: [[UInt8]] = []
        let end = ContinuousClock.now + .seconds(Limits.probeSeconds)
        for _ in 0..<Limits.probeAnswers {
            let left = end - ContinuousClock.now
            guard left > .zero else { break }
            let milliseconds = Int32(left / .milliseconds(1))
            guard unsafe poll(&sockets, nfds_t(sockets.count), milliseconds) > 0 else { continue }
            for socket in sockets where socket.revents != 0 {
                guard let answer = receive(socket.fd, identifier), !own.contains(answer.sender)
                else { continue }
                answers.append(answer.bytes)
            }
        }
        return answers
    }

    /// Whether an answer names a service instance. Its name is one label, which DNS never compresses (RFC 1035
    /// section 4.1.4) but where the message has it already.
    package static func isNamed(_ instance: String, in answers: [[UInt8]]) -> Bool {
        let label = [UInt8(clamping: instance.utf8.count)] + instance.utf8
        return answers.contains { answer in
            answer.indices.contains { answer[$0...].starts(with: label) }
        }
    }

    /// A DNS message with two PTR questions.
    package static func message(_ identifier: UInt16) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(identifier >> 8), UInt8(identifier & 0xFF), 0, 0, 0, 2]
        bytes += [0, 0, 0, 0, 0, 0]
        for name in [["_peersync", "_tcp", "local"], ["_services", "_dns-sd", "_udp", "local"]] {
            for label in name { bytes += [UInt8(label.utf8.count)] + label.utf8 }
            bytes += [0, 0, 12, 0, 1]
        }
        return bytes
    }

    /// Whether a datagram is an answer to the question with this identifier.
    package static func isAnswer(_ bytes: ArraySlice<UInt8>, to identifier: UInt16) -> Bool {
        let header = Array(bytes.prefix(12))
        guard header.count == 12 else { return false }
        return UInt16(header[0]) << 8 | UInt16(header[1]) == identifier && header[2] & 0x80 != 0
    }

    /// The socket that receives the answers; nil if the system does not let us send.
    private static func ask(from address: String, _ identifier: UInt16) -> Int32? {
        let file = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard file >= 0 else { return nil }
        var interface = in_addr()
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = port.bigEndian
        // RFC 6762 section 11: such packets are never routed, which a value of 255 proves.
        var hops: UInt8 = 255
        let message = message(identifier)
        let isReady =
            unsafe inet_pton(AF_INET, address, &interface) == 1
            && inet_pton(AF_INET, group, &target.sin_addr) == 1
            && setsockopt(
                file, Int32(IPPROTO_IP), IP_MULTICAST_IF, &interface,
                socklen_t(MemoryLayout<in_addr>.size)) == 0
            && setsockopt(file, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops, 1) == 0
        let sent = unsafe withUnsafePointer(to: &target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe sendto(
                    file, message, message.count, 0, pointer,
                    socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard isReady, sent == message.count else {
            _ = close(file)
            return nil
        }
        return file
    }

    /// Nil for anything but an answer.
    private static func receive(
        _ file: Int32, _ identifier: UInt16
    ) -> (sender: String, bytes: [UInt8])? {
        var buffer = [UInt8](repeating: 0, count: 1500)
        var sender = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &sender) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                let count = unsafe recvfrom(file, &buffer, buffer.count, 0, pointer, &length)
                guard count > 0, isAnswer(buffer.prefix(count), to: identifier),
                    let sender = unsafe InterfaceList.numeric(pointer)
                else { return nil }
                return (sender, Array(buffer.prefix(count)))
            }
        }
    }
}
