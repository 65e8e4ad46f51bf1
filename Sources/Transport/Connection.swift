internal import Glibc
internal import Logging
internal import NIOCore
package import SyncCore
internal import Synchronization
package import Wire

/// One authenticated connection to a device.
///
/// Frames go out in the order in which one task sends them and come in as they were sent. Both
/// directions wait rather than buffer: `send` for its share of the endpoint's budget, the stream
/// for whoever takes the frames.
package final class Connection: Sendable {
    /// The peer's Ed25519 public key: TLS has proved that it holds the private half.
    package let peerKey: Bytes32
    package let application: ApplicationProtocol
    package let remoteAddress: RemoteAddress
    /// Whether this side dialled.
    package let isDialed: Bool
    /// Different for every connection of an endpoint.
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

    /// Frames as they come, once: whoever goes on later gets what follows.
    ///
    /// Ends when the peer says goodbye or this side closes, and throws when the connection is
    /// lost, cut off inside a frame, or closed for a reason of this side's.
    package var frames: InboundFrames { InboundFrames(connection: self) }

    /// The next frame, or nil at the end. What makes the peer break the protocol closes the
    /// connection; `cancelled` and `alreadyReceiving` leave it as it is. `onPart` is called when
    /// something of a frame came that is not whole yet.
    package func receive(
        onPart: () -> Void = {}
    ) async throws(TransportError) -> Frame? {
        guard var reader = self.reader.withLock({ $0.take() }) else { throw .alreadyReceiving }
        defer { self.reader.withLock { $0 = reader } }
        while true {
            do throws(FrameError) {
                // Asked for every frame: the one before may have authenticated the peer.
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

    /// Sends a frame; returns when it has its share of what may wait to be written, not when it
    /// has arrived. Throws why the connection ended, `cancelled`, or `unsendable`.
    ///
    /// Until the peer has taken the first message it takes frames of up to 16 KiB, so that one
    /// must be small; what follows may be sent without waiting for an answer.
    package func send(_ frame: Frame) async throws(TransportError) {
        let header: [UInt8]
        do throws(FrameError) {
            header = try frame.header()
        } catch {
            throw .unsendable(error)
        }
        let body = frame.body
        // A frame on its way takes buffers and a record of TLS besides its bytes: of small ones, many
        // would wait.
        let bytes = header.count + body.count + Limits.sentFrameBytes
        guard await outbound.take(bytes, owner: id) else { throw whyNotSent }
        guard await sharedOutbound.take(bytes, owner: id) else {
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

    /// The first message was valid: lifts the limits of time and size that hold before. Call it
    /// before asking for the next frame.
    package func markAuthenticated() {
        inbound.authenticate()
        channel.triggerUserOutboundEvent(ConnectionCommand.authenticated, promise: nil)
    }

    /// Sends what was accepted for sending, says goodbye and closes; a peer that does not answer
    /// is left after 5 seconds. Frames not taken yet are dropped.
    package func close() {
        ended(.closedHere)
        channel.triggerUserOutboundEvent(ConnectionCommand.close, promise: nil)
    }

    /// Closes at once, and gives the reason to whoever waits for frames.
    package func fail(_ error: TransportError) {
        channel.triggerUserOutboundEvent(ConnectionCommand.fail(error), promise: nil)
    }

    /// How long the peer's computer has confirmed nothing, in milliseconds; 0 while all that it was
    /// sent is confirmed. It may have been sent something only a moment ago.
    package func silence() async -> UInt64 {
        guard let options = channel as? any SocketOptionProvider,
            let info = try? await options.getTCPInfo().get()
        else { return 0 }
        return info.tcpi_unacked > 0 ? UInt64(info.tcpi_last_ack_recv) : 0
    }

    /// This computer's address on the connection; nil when it is closed.
    package var localHost: String? {
        channel.localAddress.flatMap(RemoteAddress.init)?.host
    }

    /// Returns when the socket is closed.
    package func waitUntilClosed() async {
        // The future of closing never fails.
        try? await channel.closeFuture.get()
    }

    /// Whether the policy of this connection still admits the peer.
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
