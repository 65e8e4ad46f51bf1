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

    /// `socketPath` is absolute.
    package init(socketPath: String) { self.socketPath = socketPath }

    /// Whether an agent listens at the socket.
    package func isAnswered() async -> Bool {
        do {
            try await connect().executeThenClose { _, _ in }
            return true
        } catch {
            return false
        }
    }

    package func answer<Input, Answer>(
        _ operation: Operation<Input, Answer>, id: String, _ input: Input
    ) async throws -> Answer {
        let (target, body) = try operation.sent(id: id, input)
        let answer = try await exchange(method: operation.method, target: target, body: body)
        return try Self.read(Answer.self, from: answer)
    }

    private static func read<Answer: Decodable>(
        _ type: Answer.Type, from answer: NIOHTTPClientResponseFull
    ) throws -> Answer {
        let data = Data((answer.body ?? ByteBuffer()).readableBytesView)
        guard answer.head.status == .ok else {
            do {
                throw try JSONCoding.decode(APIError.self, from: data)
            } catch is DecodingError {
                throw APIError.strangeAnswer(detail: "\(answer.head.status.code)")
            }
        }
        do {
            return try JSONCoding.decode(type, from: data)
        } catch let error as DecodingError {
            throw APIError.strangeAnswer(detail: error.shortDescription)
        }
    }

    private func exchange(
        method: HTTPRequest.Method, target: String, body: Data?
    ) async throws -> NIOHTTPClientResponseFull {
        let connection = try await connect()
        var headers = HTTPHeaders([("host", "peersync"), ("connection", "close")])
        if let body {
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: String(body.count))
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method.rawValue), uri: target,
            headers: headers)
        // All in one write: an agent that has read the last byte may answer and close before a
        // further write, though it would send nothing, and that write would then fail.
        var parts = [HTTPClientRequestPart.head(head), .end(nil)]
        if let body { parts.insert(.body(.byteBuffer(ByteBuffer(bytes: body))), at: 1) }
        do {
            return try await connection.executeThenClose { [parts] inbound, outbound in
                try await outbound.write(contentsOf: parts)
                for try await answer in inbound {
                    return answer
                }
                try Task.checkCancellation()
                throw APIError.agentWentAway
            }
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

    private typealias Connection = NIOAsyncChannel<NIOHTTPClientResponseFull, HTTPClientRequestPart>

    private func connect() async throws -> Connection {
        guard socketPath.utf8.count <= LocalLimits.socketPathBytes else {
            throw APIError.socketPathTooLong(socketPath)
        }
        do {
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(unixDomainSocketPath: socketPath) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(
                            NIOHTTPClientResponseAggregator(
                                maxContentLength: LocalLimits.answerBytes))
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw APIError.noAgentAnswers
        }
    }
}
