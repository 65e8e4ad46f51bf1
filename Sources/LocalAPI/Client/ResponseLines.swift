internal import NIOCore
internal import NIOHTTP1

/// Cuts the body of an HTTP answer into its lines, each with the answer's head, without the line
/// break. A body that does not end with one is a line to its end.
final class ResponseLines: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = (HTTPResponseHead, ByteBuffer)

    private let limit: Int
    private var head = HTTPResponseHead(version: .http1_1, status: .ok)
    private var rest = ByteBuffer()

    /// `limit` is in bytes of one line.
    init(limit: Int) { self.limit = limit }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(var bytes):
            rest.writeBuffer(&bytes)
            while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
                let length = end - rest.readableBytesView.startIndex
                guard let line = rest.readSlice(length: length) else { break }
                rest.moveReaderIndex(forwardBy: 1)
                context.fireChannelRead(wrapInboundOut((head, line)))
            }
            rest.discardReadBytes()
            if rest.readableBytes > limit {
                context.fireErrorCaught(NIOHTTPObjectAggregatorError.frameTooLong)
                context.close(promise: nil)
            }
        case .end:
            if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut((head, rest))) }
            rest.clear()
        }
    }
}
