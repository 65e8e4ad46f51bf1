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
package struct LocalClient: Sendable {
    private let socketPath: String

    /// `socketPath` is absolute.
    package init(socketPath: String) {
        self.socketPath = socketPath
    }

    /// Sends one request and reads its answer.
    func call<Input, Output>(
        _ endpoint: Endpoint<Input, Output>, id: String = "", _ input: Input
    ) async throws -> Output {
        if endpoint.path.contains("{id}"), id.isEmpty {
            throw APIError.emptyName
        }
        let parts = try input.parts()
        guard parts.body?.count ?? 0 <= endpoint.byteLimit else {
            throw APIError.requestTooLarge
        }
        let answer = try await exchange(
            method: endpoint.method, target: endpoint.target(id: id, query: parts.query),
            body: parts.body)
        return try Self.read(Output.self, from: answer)
    }

    func call<Output>(
        _ endpoint: Endpoint<NoInput, Output>, id: String = ""
    ) async throws -> Output {
        try await call(endpoint, id: id, NoInput())
    }

    private static func read<Output: Decodable>(
        _ type: Output.Type, from answer: NIOHTTPClientResponseFull
    ) throws -> Output {
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
