internal import Logging
internal import NIOCore
internal import NIOSSL
internal import NIOTLS
internal import SyncCore

/// The commands of a connection to its handler, from any thread.
enum ConnectionCommand: Sendable {
    /// The first valid message arrived.
    case authenticated
    case resumeReading
    /// Say goodbye and close.
    case close
    /// Close without a goodbye.
    case fail(TransportError)
}

/// The event loop's side of one connection, from the first byte of the handshake to the end.
///
/// It makes the `Connection` when TLS is done and both checks of the peer have passed. It writes
/// nothing before that, because TLS would queue the bytes without limit.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let opened: EventLoopPromise<Connection>
    private let endpoint: Endpoint
    private let admission: Admission
    private let socket: SocketHandler
    private let isDialed: Bool
    private let handshakeTime: TimeAmount
    private var place: Place?
    private var connection: Connection?
    private var timer: Scheduled<Void>?
    private var isEnding = false
    /// The peer's address, while the channel knew it.
    private let address: RemoteAddress?
    /// Bytes that arrived after this side said goodbye.
    private var bytesTooLate = 0

    init(_ socket: AdmittedSocket, handler: SocketHandler, on channel: any Channel) {
        self.opened = channel.eventLoop.makePromise()
        self.endpoint = socket.endpoint
        self.admission = socket.admission
        self.socket = handler
        self.isDialed = socket.isDialed
        self.handshakeTime = TimeAmount(socket.handshakeTime)
        self.place = socket.place
        self.address = channel.remoteAddress.flatMap(RemoteAddress.init)
    }

    // MARK: Beginning

    func handlerAdded(context: ChannelHandlerContext) {
        startTimer(context, handshakeTime, isDialed ? .timedOut : .notAuthenticatedInTime)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let negotiated) = event as? TLSUserEvent, !isEnding {
            do throws(TransportError) {
                try open(context, negotiated: negotiated)
            } catch {
                end(context, error)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func open(
        _ context: ChannelHandlerContext, negotiated: String?
    ) throws(TransportError) {
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        let (key, application) = try admission.decide(
            negotiated: negotiated, certificate: certificate)
        guard let address = context.remoteAddress.flatMap(RemoteAddress.init) else {
            throw .connectionLost
        }
        guard
            let newPlace = endpoint.places.reserve(
                for: key, application, address: address.host)
        else { throw .tooManyConnections }
        if let place { endpoint.places.giveBack(place) }
        place = newPlace
        socket.handshakeDone()
        let connection = Connection(
            peer: (key, application, address), isDialed: isDialed, admission: admission,
            channel: context.channel, endpoint: endpoint)
        self.connection = connection
        endpoint.add(connection)
        if isDialed {
            startTimer(
                context, TimeAmount(endpoint.limits.authenticationTime), .notAuthenticatedInTime)
        }
        connection.log("opened")
        opened.succeed(connection)
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        guard let connection, !isEnding else { return comesTooLate(buffer.readableBytes) }
        guard buffer.readableBytes > 0 else { return }
        connection.inbound.append(buffer)
        if connection.application == .pairing, connection.inbound.total > Limits.pairingBytes {
            end(context, .tooManyBytes)
        }
    }

    /// Closes the socket of a peer that sends more after the goodbye than can have been on its way,
    /// instead of waiting until TLS gives up on the peer's goodbye.
    private func comesTooLate(_ bytes: Int) {
        bytesTooLate += bytes
        if bytesTooLate > Limits.receivedBytesPerConnection { socket.hangUp() }
    }

    /// The channel asks after each read. While it closes, reading continues, for the peer's
    /// goodbye.
    func read(context: ChannelHandlerContext) {
        if connection?.inbound.mayRead() ?? true { context.read() }
    }

    // MARK: Commands

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let command = event as? ConnectionCommand else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        switch command {
        case .authenticated: authenticated(context)
        case .resumeReading: read(context: context)
        case .close: close(context)
        case .fail(let error): end(context, error)
        }
        promise?.succeed()
    }

    private func authenticated(_ context: ChannelHandlerContext) {
        guard let connection, !isEnding else { return }
        timer?.cancel()
        connection.inbound.authenticate()
        switch connection.application {
        case .pairing:
            startTimer(context, TimeAmount(endpoint.limits.pairingTime), .timedOut)
        case .session:
            // A channel without this option reads smaller pieces, nothing worse.
            try? context.channel.syncOptions?.setOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: Limits.receiveBufferBytes))
            if let time = endpoint.limits.idleTime { watchForIdleness(context, TimeAmount(time)) }
        }
    }

    private func startTimer(
        _ context: ChannelHandlerContext, _ time: TimeAmount, _ error: TransportError
    ) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.end(context, error)
        }
    }

    /// Checks once per `time` whether any bytes were transferred: an idle agent should wake rarely.
    private func watchForIdleness(_ context: ChannelHandlerContext, _ time: TimeAmount) {
        guard let inbound = connection?.inbound else { return }
        let before = inbound.total + socket.sentBytes
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            // A slow consumer pauses the stream itself; that says nothing about the peer.
            if inbound.total + self.socket.sentBytes > before || inbound.isPaused {
                self.watchForIdleness(context, time)
            } else {
                self.end(context, .idle)
            }
        }
    }

    // MARK: Ending

    private func close(_ context: ChannelHandlerContext) {
        guard !isEnding else { return }
        isEnding = true
        timer?.cancel()
        // Reading may be paused, and the peer's goodbye must be read.
        context.read()
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(context, meaning(of: error))
    }

    private func meaning(of error: any Error) -> TransportError {
        if let error = error as? TransportError { return error }
        if let connection {
            guard !peerHasSpoken else { return .connectionLost }
            let isRefusal = connection.application == .session && TLSRefusal.isOne(error)
            return isRefusal ? .notTrustedByPeer : .refusedByPeer
        }
        let hungUp = NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))
        guard let error = error as? NIOSSLError, error != hungUp else {
            return isDialed ? .refusedByPeer : .connectionLost
        }
        return admission.refusal ?? .handshakeFailed
    }

    /// Whether the peer sent anything after the handshake. A peer that refuses us can say so in TLS
    /// only after our own handshake is done.
    private var peerHasSpoken: Bool {
        guard isDialed else { return true }
        guard let inbound = connection?.inbound else { return false }
        return inbound.total > 0 || inbound.isAuthenticated
    }

    private func end(_ context: ChannelHandlerContext, _ error: TransportError) {
        guard !isEnding else { return }
        isEnding = true
        finish(.failed(error), or: error)
        socket.hangUp()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    /// Releases all resources, once: a socket that was never connected is not reported inactive.
    func leave() {
        if !isEnding {
            isEnding = true
            let lost: TransportError = isDialed ? .refusedByPeer : .connectionLost
            finish(peerHasSpoken ? .closedByPeer : .failed(.refusedByPeer), or: lost)
        }
        timer?.cancel()
        if let connection { endpoint.remove(connection) }
        connection = nil
        if let place { endpoint.places.giveBack(place) }
        place = nil
    }

    private func finish(_ end: InboundQueue.End, or error: TransportError) {
        timer?.cancel()
        opened.fail(error)
        if let connection {
            connection.ended(end)
        } else {
            note(refusal: error)
        }
    }

    /// A caller's error is counted with its other errors. A device that this one dialled and that
    /// turned out to be another one did nothing wrong: that is logged at level info. A peer that
    /// only went away is not logged.
    private func note(refusal error: TransportError) {
        if let address, !isDialed, error.isPeersFault {
            return endpoint.errors.note(address.host, "\(error)")
        }
        let level: Logger.Level
        switch error {
        case .notTrusted, .wrongProtocol, .handshakeFailed: level = .info
        default: level = .debug
        }
        var details: Logger.Metadata = ["why": "\(error)", "dialed": "\(isDialed)"]
        if let address { details["address"] = "\(address)" }
        endpoint.logger.log(
            level: level, isDialed ? "call refused" : "caller refused",
            metadata: ["phase": "connection", "details": .dictionary(details)])
    }
}
