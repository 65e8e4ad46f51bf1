internal import NIOCore
internal import SyncCore

/// Sits between the socket and TLS: counts the bytes before the handshake is done, checks that the
/// peer reads what is sent, and can close without a goodbye.
final class SocketHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let stallTime: TimeAmount
    private var context: ChannelHandlerContext?
    private var stallCheck: Scheduled<Void>?
    /// Encrypted bytes so far: received during the handshake, and sent in total.
    private var handshakeBytes = 0
    private var isHandshaking = true
    private var handedToSocket = 0

    init(stallTime: TimeAmount) { self.stallTime = stallTime }

    func handshakeDone() {
        isHandshaking = false
    }

    /// Closes the socket without TLS's goodbye, which a stranger could leave unanswered.
    func hangUp() {
        context?.close(promise: nil)
    }

    /// The encrypted bytes that the kernel has accepted so far.
    var sentBytes: Int {
        let options = context?.channel.syncOptions
        // A channel that cannot report its buffered bytes counts as having none.
        let heldBack = (try? options?.getOption(.bufferedWritableBytes)) ?? 0
        return handedToSocket - heldBack
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stallCheck?.cancel()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isHandshaking {
            handshakeBytes += unwrapInboundIn(data).readableBytes
            guard handshakeBytes <= Limits.unauthenticatedBytes else {
                return context.fireErrorCaught(TransportError.tooManyBytes)
            }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        handedToSocket += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stallCheck?.cancel()
        stallCheck = nil
        if !context.channel.isWritable { watchForStall(context) }
        context.fireChannelWritabilityChanged()
    }

    private func watchForStall(_ context: ChannelHandlerContext) {
        let before = sentBytes
        stallCheck = context.eventLoop.assumeIsolated().scheduleTask(in: stallTime) {
            guard let context = self.context else { return }
            if self.sentBytes > before {
                self.watchForStall(context)
            } else {
                context.fireErrorCaught(TransportError.stalled)
            }
        }
    }
}
