import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The routes of `/v1`, answered by any ``AgentService``.
struct Routes: Sendable {
    typealias Context = BasicRequestContext

    let service: any AgentService

    /// A new router with every operation.
    func router() -> Router<Context> {
        let router = Router(context: Context.self)
        router.middlewares.add(ErrorsAsJSON())
        for (_, operation) in API.operations { add(operation, to: router) }
        return router
    }

    private func add(_ operation: any DeclaredOperation, to router: Router<Context>) {
        guard let operation = operation as? any RoutedOperation else {
            preconditionFailure("\(operation.request) has no route")
        }
        operation.add(to: router, of: service)
    }
}

/// An operation with a route of its own.
private protocol RoutedOperation {
    func add(to router: Router<Routes.Context>, of service: any AgentService)
}

extension Operation: RoutedOperation {
    /// Reads id and input, calls, writes the answer as JSON.
    fileprivate func add(to router: Router<Routes.Context>, of service: any AgentService) {
        router.on(RouterPath(path), method: method) { request, context in
            guard let id = PercentEncoding.decode(context.parameters.get("id") ?? "") else {
                throw APIError.unreadableRequest(detail: "the path is not valid")
            }
            var query: [String: String] = [:]
            for (name, value) in request.uri.queryParameters {
                query[String(name)] = String(value)
            }
            var request = request
            let body = try await request.collectBody(upTo: byteLimit)
            let input = try input(query: query, body: Data(body.readableBytesView))
            let media = ProgressLine<Answer>.mediaType
            let asksForLines = request.headers[values: .accept].contains { $0.contains(media) }
            guard reportsProgress, asksForLines else {
                let answer = try await request.body.answeredWhileOpen {
                    try JSONCoding.encode(try await service.answer(self, id: id, input))
                }
                return Response(status: .ok, json: answer)
            }
            return lines(of: request) { try await service.answer(self, id: id, input) }
        }
    }

    /// Progress, a line each, and then what came of it.
    private func lines(
        of request: Request, _ work: @escaping @Sendable () async throws -> Answer
    ) -> Response {
        let (lines, output) = AsyncStream.makeStream(of: ByteBuffer.self)
        @Sendable func say(_ line: ProgressLine<Answer>) {
            if let line = ByteBuffer(line: line) { output.yield(line) }
        }
        Task {
            do {
                let answer = try await request.body.answeredWhileOpen {
                    let sink = ProgressSink { say(ProgressLine(progress: $0)) }
                    return try await ProgressSink.$current.withValue(sink, operation: work)
                }
                say(ProgressLine(answer: answer))
            } catch {
                say(ProgressLine(error: ErrorsAsJSON.apiError(for: error)))
            }
            output.finish()
        }
        return Response(
            status: .ok,
            headers: [.contentType: ProgressLine<Answer>.mediaType, .connection: "close"],
            body: ResponseBody(asyncSequence: lines))
    }
}

extension RequestBody {
    /// Does a piece of work, which is cancelled when the asker goes away or closes its sending side;
    /// what comes of it is returned all the same.
    fileprivate func answeredWhileOpen<Answer: Sendable>(
        _ work: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let task = Task { try await work() }
        return try await consumeWithInboundCloseHandler { _ in
            try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } onInboundClosed: {
            task.cancel()
        }
    }
}

extension ByteBuffer {
    /// Nil for what is no JSON, such as a number that is none.
    fileprivate init?(line: some Encodable) {
        guard let bytes = try? JSONCoding.encode(line) else { return nil }
        self.init(bytes: bytes + [UInt8(ascii: "\n")])
    }
}

extension Response {
    init(status: HTTPResponse.Status, json: Data) {
        self.init(
            // The connection is watched for its end while it is answered: it takes no further request.
            status: status, headers: [.contentType: "application/json", .connection: "close"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
