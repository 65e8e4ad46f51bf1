internal import NIOCore
internal import NIOHTTP1

/// Cuts the body of an HTTP answer into its lines, each with the answer's status, without the line
/// break. A body that does not end with one is a line to its end.
final class ResponseLines: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = (HTTPResponseStatus, ByteBuffer)

    private let limit: Int
    private var status = HTTPResponseStatus.ok
    private var rest = ByteBuffer()

    /// `limit` is in bytes of one line.
    init(limit: Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): status = head.status
        case .body(var bytes):
            rest.writeBuffer(&bytes)
            while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                let length = end - rest.readableBytesView.startIndex
                guard let line = rest.readSlice(length: length) else { break }
                rest.moveReaderIndex(forwardBy: 1)
                context.fireChannelRead(wrapInboundOut((status, line)))
            }
            rest.discardReadBytes()
            if rest.readableBytes > limit {
                context.fireErrorCaught(NIOHTTPObjectAggregatorError.frameTooLong)
                context.close(promise: nil)
            }
        case .end:
            if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut((status, rest))) }
            rest.clear()
        }
    }
}
