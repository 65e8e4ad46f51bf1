internal import Glibc

/// A connection to a unix socket. Sending and receiving block, and belong on a thread of their own;
/// other threads may end it meanwhile.
final class LocalSocket: Sendable {
    private let descriptor: Int32

    /// Nil when nobody listens at the path, the listener takes no connection for seconds, or the path is too long
    /// for a socket.
    init?(connectingTo path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        limitWait(seconds: LocalLimits.connectSeconds)
        defer { limitWait(seconds: 0) }
        let connected = UnixSocketAddress(path: path).map {
            unsafe $0.withPointer { unsafe connect(descriptor, $0, $1) }
        }
        guard connected == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// How long connecting and sending may wait, by unix(7): the queue of a stopped agent gets full. 0 is no limit.
    private func limitWait(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout.size(ofValue: limit))
        // Without the limit it only waits longer.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Sends all bytes, or as many as the other side accepts: it may answer before it has read all.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(
                    descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Waits for bytes; none when the other side has closed the connection.
    func receive() -> [UInt8] {
        while true {
            var received = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: LocalLimits.receiveBytes) {
                received = unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
                $1 = max(0, received)
            }
            if received < 0, errno == EINTR { continue }
            return bytes
        }
    }

    /// The process that listens at the other end, by unix(7).
    var listener: Int32? {
        var credentials = PeerCredentials()
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        let failed = unsafe getsockopt(
            descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return failed == 0 && credentials.process > 0 ? credentials.process : nil
    }

    /// Tells the other side that nothing more will be sent; receiving is still possible.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends both directions. Waiting for bytes ends, too.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
