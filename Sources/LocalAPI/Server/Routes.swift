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
            let body = try await request.body.collect(upTo: byteLimit)
            let input = try input(query: query, body: Data(body.readableBytesView))
            let answer = try await service.answer(self, id: id, input)
            return Response(status: .ok, json: try JSONCoding.encode(answer))
        }
    }
}

extension Response {
    init(status: HTTPResponse.Status, json: Data) {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
