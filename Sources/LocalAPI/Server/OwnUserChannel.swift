internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix

/// HTTP/1.1 for connections of one user only: the kernel tells the user at the other end (SO_PEERCRED,
/// unix(7)); connections of others are closed before a request is read.
struct OwnUserChannel: ServerChildChannel {
    let http: HTTP1Channel
    let allowedUser: UInt32

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        if await isAllowed(value.channel) {
            await http.handle(value: value, logger: logger)
        } else {
            // A close that fails has nothing left to close.
            try? await value.executeThenClose { _, _ in }
        }
    }

    private func isAllowed(_ channel: any Channel) async -> Bool {
        guard let socket = channel as? any SocketOptionProvider else { return false }
        let credentials: EventLoopFuture<PeerCredentials> = socket.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel.socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        do {
            return try await credentials.get().user == allowedUser
        } catch {
            return false
        }
    }
}
