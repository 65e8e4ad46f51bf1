internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS
import SyncCore
import Synchronization
import Wire

/// One connection of the hostile peer: sends any bytes, stores the received messages, and notices
/// the end.
final class Line: Sendable {
    private struct State {
        var decoder = FrameDecoder()
        var messages: [PeerMessage] = []
        /// The bytes of the same messages.
        var payloads: [[UInt8]] = []
        var bytes = 0
        var hasHandshake = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let channel = Mutex<(any Channel)?>(nil)

    /// Connects and waits until the handshake is done or has failed. With `reads` false nothing is
    /// ever read afterwards.
    static func open(
        _ place: Place, _ mask: Mask, protocols: [String] = ["peersync/1"], reads: Bool = true
    ) async throws -> Line {
        let line = Line()
        let context = try mask.context(protocols: protocols)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(5))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try NIOSSLClientHandler(context: context, serverHostname: nil)
                    try channel.pipeline.syncOperations.addHandlers([tls, LineHandler(line)])
                }
            }
            .connect(host: place.host, port: Int(place.port)).get()
        line.channel.withLock { $0 = channel }
        _ = await line.holds(within: 5) { $0.hasHandshake || $0.isClosed }
        if !reads { try await channel.setOption(.autoRead, value: false).get() }
        return line
    }

    // MARK: Reports of the channel

    fileprivate func shook() {
        state.withLock { $0.hasHandshake = true }
    }

    fileprivate func received(_ bytes: [UInt8]) {
        state.withLock { state in
            state.bytes += bytes.count
            var taken = 0
            while taken < bytes.count {
                let rest = Array(bytes[taken...])
                guard let step = try? unsafe state.decoder.consume(rest.span.bytes) else { return }
                taken += step.taken
                guard let frame = step.frame else { return }
                guard case .message(let payload) = frame else { continue }
                if state.payloads.count >= 1000 { state.payloads.removeFirst(500) }
                state.payloads.append(payload)
                guard let message = try? MessageCodec().decode(payload)
                else { continue }
                // A flood gets as many answers: only the last ones are kept.
                if state.messages.count >= 1000 { state.messages.removeFirst(500) }
                state.messages.append(message)
            }
        }
    }

    fileprivate func ended() {
        state.withLock { $0.isClosed = true }
    }

    // MARK: Actions of the peer

    var hasHandshake: Bool { state.withLock { $0.hasHandshake } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    var messages: [PeerMessage] { state.withLock { $0.messages } }
    var payloads: [[UInt8]] { state.withLock { $0.payloads } }
    var receivedBytes: Int { state.withLock { $0.bytes } }

    /// Sends, and returns when the kernel has accepted the bytes or the connection is gone.
    func send(_ bytes: [UInt8]) async {
        guard let channel = channel.withLock({ $0 }) else { return }
        // These tests expect that the peer closes connections.
        try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    func send(_ message: PeerMessage) async {
        await send(RawBytes.frame(MessageCodec().encode(message)))
    }

    func close() async {
        try? await channel.withLock({ $0 })?.close().get()
    }

    /// Whether the other side closes the connection within some seconds.
    func isClosed(within seconds: Double) async -> Bool {
        await holds(within: seconds) { $0.isClosed }
    }

    /// The first message that `pick` accepts, among those that arrive within some seconds.
    func message<Picked>(
        within seconds: Double, _ pick: (PeerMessage) -> Picked?
    ) async -> Picked? {
        _ = await holds(within: seconds) { $0.isClosed || $0.messages.contains { pick($0) != nil } }
        return messages.lazy.compactMap(pick).first
    }

    /// Whether the other side answers a ping within some seconds.
    func answers(_ token: UInt64, within seconds: Double) async -> Bool {
        await send(.ping(token: token))
        return await message(within: seconds) { message in
            if case .pong(token: token) = message { true } else { nil }
        } ?? false
    }

    private func holds(within seconds: Double, _ condition: (State) -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if state.withLock({ condition($0) }) { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return state.withLock { condition($0) }
    }
}

/// Where the agent listens.
struct Place {
    let host: String
    let port: UInt16
}

private final class LineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let line: Line

    init(_ line: Line) {
        self.line = line
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { line.shook() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        line.received(Array(unwrapInboundIn(data).readableBytesView))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        line.ended()
    }
}
