internal import Glibc
internal import Logging
internal import NIOCore
package import SyncCore
internal import Synchronization
package import Wire

/// One authenticated connection to a device.
///
/// Frames are sent in the order in which one task passes them, and arrive in the order in which
/// they were sent. Both directions wait rather than buffer: `send` for its share of the endpoint's
/// budget, the stream for its consumer.
package final class Connection: Sendable {
    /// The peer's Ed25519 public key: TLS has proved that it holds the private half.
    package let peerKey: Bytes32
    package let application: ApplicationProtocol
    package let remoteAddress: RemoteAddress
    /// Whether this side dialled.
    package let isDialed: Bool
    /// Unique among the connections of an endpoint.
    package let id: UInt64

    let inbound: InboundQueue
    private let admission: Admission
    private let channel: any Channel
    private let outbound: ByteBudget
    private let sharedOutbound: ByteBudget
    private let logger: Logger
    private let reader = Mutex<FrameReader?>(FrameReader())
    private let end = Mutex<InboundQueue.End?>(nil)

    init(
        peer: (key: Bytes32, application: ApplicationProtocol, address: RemoteAddress),
        isDialed: Bool, admission: Admission, channel: any Channel, endpoint: Endpoint
    ) {
        peerKey = peer.key
        application = peer.application
        remoteAddress = peer.address
        (self.isDialed, self.admission, self.channel) = (isDialed, admission, channel)
        id = endpoint.nextConnectionID()
        outbound = ByteBudget(limit: endpoint.limits.bufferedBytesPerConnection)
        sharedOutbound = endpoint.outbound
        logger = endpoint.logger
        inbound = InboundQueue(allWaiting: endpoint.received) {
            channel.triggerUserOutboundEvent(ConnectionCommand.resumeReading, promise: nil)
        }
    }

    /// The incoming frames, each once: a later iteration continues with the frames that follow.
    ///
    /// Ends when the peer says goodbye or this side closes. Throws if the connection is lost, cut
    /// off inside a frame, or closed by this side because of an error.
    package var frames: InboundFrames { InboundFrames(connection: self) }

    /// The next frame, or nil at the end. A protocol violation by the peer closes the connection;
    /// `cancelled` and `alreadyReceiving` leave it open. `onPart` is called when a part of a frame
    /// arrived.
    package func receive(
        onPart: () -> Void = {}
    ) async throws(TransportError) -> Frame? {
        guard var reader = self.reader.withLock({ $0.take() }) else { throw .alreadyReceiving }
        defer { self.reader.withLock { $0 = reader } }
        while true {
            do throws(FrameError) {
                // Evaluated for every frame: the previous one may have authenticated the peer.
                if let frame = try reader.next(maximumLength: frameLimit) { return frame }
            } catch {
                fail(.protocolViolation(error))
                throw .protocolViolation(error)
            }
            switch await inbound.next() {
            case .bytes(let buffer):
                reader.buffer = buffer
                if reader.isInsideFrame { onPart() }
            case .cancelled: throw .cancelled
            case .end(.closedHere): return nil
            case .end(.failed(let error)): throw error
            case .end(.closedByPeer):
                guard !reader.isInsideFrame else { throw .endedInsideFrame }
                return nil
            }
        }
    }

    private var frameLimit: Int {
        application == .session && inbound.isAuthenticated
            ? Limits.frameBytes : Limits.unauthenticatedBytes
    }

    /// Sends a frame; returns when it has its share of the bytes that may wait to be written, not
    /// when it has arrived. Throws the reason why the connection ended, `cancelled`, or
    /// `unsendable`.
    ///
    /// Until the peer has received the first message it accepts only frames of up to 16 KiB, so the
    /// first one must be small; further ones may be sent without waiting for an answer.
    package func send(_ frame: Frame) async throws(TransportError) {
        let header: [UInt8]
        do throws(FrameError) {
            header = try frame.header()
        } catch {
            throw .unsendable(error)
        }
        let body = frame.body
        // A frame also occupies buffers and a TLS record besides its bytes; otherwise very many
        // small frames could wait.
        let bytes = header.count + body.count + Limits.sentFrameBytes
        guard await outbound.claim(bytes, owner: id) else { throw whyNotSent }
        guard await sharedOutbound.claim(bytes, owner: id) else {
            outbound.giveBack(bytes)
            throw whyNotSent
        }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(header.count + body.count)
        buffer.writeBytes(header)
        buffer.writeBytes(body)
        channel.writeAndFlush(buffer).whenComplete { [outbound, sharedOutbound] _ in
            // A failed write ends the connection, and the stream of frames says why.
            outbound.giveBack(bytes)
            sharedOutbound.giveBack(bytes)
        }
    }

    private var whyNotSent: TransportError {
        switch end.withLock({ $0 }) {
        case nil: .cancelled
        case .closedHere: .closed
        case .closedByPeer: .connectionLost
        case .failed(let error): error
        }
    }

    /// The first message was valid: lifts the limits of time and size that hold before it. Call
    /// this before asking for the next frame.
    package func markAuthenticated() {
        inbound.authenticate()
        channel.triggerUserOutboundEvent(ConnectionCommand.authenticated, promise: nil)
    }

    /// Sends the accepted frames, says goodbye and closes; does not wait longer than 5 seconds for
    /// the peer's answer. Frames not consumed yet are dropped.
    package func close() {
        ended(.closedHere)
        channel.triggerUserOutboundEvent(ConnectionCommand.close, promise: nil)
    }

    /// Closes at once, and passes the reason to the task that waits for frames.
    package func fail(_ error: TransportError) {
        channel.triggerUserOutboundEvent(ConnectionCommand.fail(error), promise: nil)
    }

    /// For how long the peer's computer has confirmed nothing, in milliseconds; 0 while everything
    /// sent is confirmed. The unconfirmed bytes may have been sent only a moment ago.
    package func silence() async -> UInt64 {
        guard let options = channel as? any SocketOptionProvider,
            let info = try? await options.getTCPInfo().get()
        else { return 0 }
        return info.tcpi_unacked > 0 ? UInt64(info.tcpi_last_ack_recv) : 0
    }

    /// This computer's address on the connection; nil if it is closed.
    package var localHost: String? {
        channel.localAddress.flatMap(RemoteAddress.init)?.host
    }

    /// Returns when the socket is closed.
    package func waitUntilClosed() async {
        // The close future never fails.
        try? await channel.closeFuture.get()
    }

    /// Whether this connection's policy still admits the peer.
    var isTrusted: Bool { admission.trusts(peerKey, application) }

    func ended(_ reason: InboundQueue.End) {
        let isFirst = end.withLock { end in
            defer { end = end ?? reason }
            return end == nil
        }
        guard isFirst else { return }
        log("ended", ["why": "\(reason)"])
        outbound.close()
        sharedOutbound.dismiss(owner: id)
        inbound.finish(reason)
    }

    func log(_ event: Logger.Message, _ details: Logger.Metadata = [:]) {
        let always: Logger.Metadata = [
            "connection": "\(id)", "protocol": "\(application.rawValue)",
            "address": "\(remoteAddress)", "dialed": "\(isDialed)",
        ]
        logger.debug(
            event,
            metadata: [
                "phase": "connection",
                "details": .dictionary(always.merging(details) { _, detail in detail }),
            ])
    }
}
