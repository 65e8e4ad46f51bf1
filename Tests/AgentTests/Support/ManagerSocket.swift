import Foundation
import Glibc
import LocalAPI

/// A service manager's end of the socket: receives an agent's messages.
final class ManagerSocket: Sendable {
    struct Failure: Error {
        let errno: Int32
    }

    /// The name in the form of NOTIFY_SOCKET.
    let name: String
    private let descriptor: Int32

    /// A path, or a name in the abstract namespace.
    init(isAbstract: Bool = false) throws {
        let unique = "peersync-test-\(UUID().uuidString)"
        name =
            isAbstract ? "@" + unique : FileManager.default.temporaryDirectory.path + "/" + unique
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let address =
            isAbstract
            ? UnixSocketAddress(abstractName: unique) : UnixSocketAddress(path: name)
        let status = address.map { unsafe $0.withPointer { unsafe bind(descriptor, $0, $1) } }
        guard status == 0 else { throw Failure(errno: errno) }
    }

    deinit {
        Glibc.close(descriptor)
        if name.hasPrefix("/") { _ = unsafe unlink(name) }
    }

    /// The lines of the next message; nil when none waits.
    func message() -> [String]? {
        var buffer: [UInt8] = Array(repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        guard count >= 0 else { return nil }
        return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    /// Whether a message with this line arrives within this time; earlier ones are dropped.
    func hears(_ line: String, within limit: Duration) async -> Bool {
        for _ in 0..<Int(limit / .milliseconds(10)) {
            while let message = message() {
                if message.contains(line) { return true }
            }
            // A cancelled test polls without a pause.
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
