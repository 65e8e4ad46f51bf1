internal import FoundationEssentials
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// Talks to a running agent over its unix socket; a command cannot tell it from the agent itself.
///
/// Each call has a connection of its own: on a unix socket that costs microseconds, and nothing is
/// left to keep alive. Cancelling the task closes it. Calls throw ``APIError``: the agent's own, or
/// one with code `noAgent` when nobody answers at the socket.
package struct LocalClient: AgentService {
    private let socketPath: String
    private let heard = HeardAge()

    /// `socketPath` is absolute.
    package init(socketPath: String) { self.socketPath = socketPath }

    /// How the agent compares with this program; nil before it answered.
    package var agentAge: AgentAge? { heard.value }

    /// Whether an agent listens at the socket.
    package func isAnswered() async -> Bool {
        do {
            let connection: Connection<HTTPClientResponsePart> = try await connect { _ in }
            try await connection.executeThenClose { _, _ in }
            return true
        } catch {
            return false
        }
    }

    package func answer<Input, Answer>(
        _ operation: Operation<Input, Answer>, id: String, _ input: Input
    ) async throws -> Answer {
        let (target, body) = try operation.sent(id: id, input)
        let request = Self.request(
            operation.method, target, body, asLines: operation.reportsProgress)
        if operation.reportsProgress { return try await follow(request) }
        return try read(Answer.self, from: try await exchange(request))
    }

    /// Sends a request and tells of its progress until the last line. When the task is cancelled, the
    /// agent is told so, and says whether it was too late. Throws ``APIError`` or
    /// `CancellationError`.
    private func follow<Answer: Codable & Sendable>(
        _ request: [HTTPClientRequestPart]
    ) async throws -> Answer {
        let connection: Connection<ResponseLines.InboundOut> = try await connect { pipeline in
            try pipeline.addHandler(ResponseLines(limit: LocalLimits.answerBytes))
        }
        let sink = ProgressSink.current
        let channel = connection.channel
        // In a task of its own: what is cancelled is the work, not hearing of it.
        let following = Task { () throws -> Answer in
            try await Self.talking {
                try await connection.executeThenClose { inbound, outbound in
                    try await outbound.write(contentsOf: request)
                    for try await (head, line) in inbound {
                        heard.note(product: head.headers.first(name: "server"))
                        guard head.status == .ok else { throw failure(head.status, line) }
                        let line = try decode(ProgressLine<Answer>.self, line)
                        if let progress = line.progress { sink?(progress) }
                        if let error = line.error { throw error }
                        if let answer = line.answer { return answer }
                    }
                    throw APIError.agentWentAway
                }
            }
        }
        do {
            return try await withTaskCancellationHandler {
                try await following.value
            } onCancel: {
                channel.close(mode: .output, promise: nil)
            }
        } catch let error as APIError where error == .stopped || error == .agentWentAway {
            try Task.checkCancellation()
            throw error
        }
    }

    private func read<Answer: Decodable>(
        _ type: Answer.Type, from answer: NIOHTTPClientResponseFull
    ) throws -> Answer {
        let body = answer.body ?? ByteBuffer()
        guard answer.head.status == .ok else { throw failure(answer.head.status, body) }
        return try decode(type, body)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ bytes: ByteBuffer
    ) throws -> Value {
        do {
            return try JSONCoding.decode(type, from: Data(bytes.readableBytesView))
        } catch let error as DecodingError {
            throw heard.value?.error ?? APIError.strangeAnswer(detail: error.shortDescription)
        }
    }

    private func failure(_ status: HTTPResponseStatus, _ bytes: ByteBuffer) -> APIError {
        do {
            let error = try JSONCoding.decode(APIError.self, from: Data(bytes.readableBytesView))
            return error == .unknownRequest ? heard.value?.error ?? error : error
        } catch {
            return heard.value?.error ?? .strangeAnswer(detail: "\(status.code)")
        }
    }

    private static func request(
        _ method: HTTPRequest.Method, _ target: String, _ body: Data?, asLines: Bool
    ) -> [HTTPClientRequestPart] {
        var headers = HTTPHeaders([("host", "peersync"), ("connection", "close")])
        if asLines { headers.add(name: "accept", value: ProgressLine<NoInput>.mediaType) }
        if let body {
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: String(body.count))
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method.rawValue), uri: target,
            headers: headers)
        // All in one write: an agent that has read the last byte may answer and close before a
        // further write, though it would send nothing, and that write would then fail.
        let content = body.map { HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0))) }
        return [.head(head)] + [content].compactMap(\.self) + [.end(nil)]
    }

    private func exchange(
        _ request: [HTTPClientRequestPart]
    ) async throws -> NIOHTTPClientResponseFull {
        let connection: Connection<NIOHTTPClientResponseFull> = try await connect { pipeline in
            try pipeline.addHandler(
                NIOHTTPClientResponseAggregator(maxContentLength: LocalLimits.answerBytes))
        }
        return try await Self.talking {
            try await connection.executeThenClose { inbound, outbound in
                try await outbound.write(contentsOf: request)
                for try await answer in inbound {
                    heard.note(product: answer.head.headers.first(name: "server"))
                    return answer
                }
                try Task.checkCancellation()
                throw APIError.agentWentAway
            }
        }
    }

    /// Turns what goes wrong on a connection into ``APIError``.
    private static func talking<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as APIError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch is NIOHTTPObjectAggregatorError {
            throw APIError.strangeAnswer(detail: "too long")
        } catch {
            try Task.checkCancellation()
            throw APIError.agentWentAway
        }
    }

    private typealias Connection<Answer: Sendable> =
        NIOAsyncChannel<Answer, HTTPClientRequestPart>

    private func connect<Answer: Sendable>(
        _ add: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) async throws -> Connection<Answer> {
        guard socketPath.utf8.count <= LocalLimits.socketPathBytes else {
            throw APIError.socketPathTooLong(socketPath)
        }
        do {
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: socketPath) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHTTPClientHandlers()
                        try add(pipeline)
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw APIError.noAgentAnswers
        }
    }
}
