import FoundationEssentials
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// The routes of `/v1`.
struct Routes: Sendable {
    let handlers: HandlerTable

    /// The answer to a request, in the language it asks for. A failure becomes the JSON form of ``APIError``.
    @concurrent func answer(_ request: Request) async -> Response {
        let language = request.headers[.acceptLanguage].flatMap { Language(accepting: $0) }
        return await Language.$asked.withValue(language) {
            do {
                let (route, id) = try route(of: request)
                return try await route.answer(request, id: id)
            } catch {
                return Response(APIError(describing: error))
            }
        }
    }

    /// The route of a request, and the id in its path, empty where there is none. A literal path goes
    /// before one with an id.
    private func route(of request: Request) throws(APIError) -> (any Route, String) {
        let (method, path) = (request.method.rawValue, request.uri.path)
        if let route = handlers.entries["\(method) \(path)"] { return (route, "") }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for position in parts.indices.reversed() where !parts[position].isEmpty {
            var pattern = parts
            pattern[position] = "{id}"
            let request = "\(method) \(pattern.joined(separator: "/"))"
            guard let route = handlers.entries[request] else { continue }
            guard let id = PercentEncoding.decode(String(parts[position])) else {
                throw APIError.unreadableRequest(detail: "the path is not valid")
            }
            return (route, id)
        }
        throw APIError.unknownRequest
    }
}

/// A function that can be served.
protocol Route: Sendable {
    /// Reads the input, calls, writes the answer as JSON.
    func answer(_ request: Request, id: String) async throws -> Response
}

extension HandlerTable.Entry: Route {
    func answer(_ request: Request, id: String) async throws -> Response {
        var query: [String: String] = [:]
        for (name, value) in request.uri.queryParameters { query[String(name)] = String(value) }
        var request = request
        let body = try await request.collectBody(upTo: operation.byteLimit)
        let input = try operation.input(query: query, body: Data(body.readableBytesView))
        let media = ProgressLine<Answer>.mediaType
        let asksForLines = request.headers[values: .accept].contains { $0.contains(media) }
        guard operation.reportsProgress, asksForLines else {
            let answer = try await request.body.answeredWhileOpen {
                try JSONCoding.encode(try await function(id, input))
            }
            return Response(status: .ok, json: answer)
        }
        return lines(of: request) { try await function(id, input) }
    }

    /// Progress, a line each, and then the result.
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
                say(ProgressLine(error: APIError(describing: error)))
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
    /// Runs a piece of work, and cancels it when the client goes away or closes its sending side; returns
    /// its result all the same.
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
    /// Nil when the value cannot be encoded, for example an infinite number.
    fileprivate init?(line: some Encodable) {
        guard let bytes = try? JSONCoding.encode(line) else { return nil }
        self.init(bytes: bytes + [UInt8(ascii: "\n")])
    }
}

extension Response {
    init(status: HTTPResponse.Status, json: Data) {
        self.init(
            // The connection is watched for its end meanwhile, so it cannot take further requests.
            status: status, headers: [.contentType: "application/json", .connection: "close"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
