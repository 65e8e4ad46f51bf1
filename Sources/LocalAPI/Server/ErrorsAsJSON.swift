internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Turns every failure of a route into the JSON form of ``APIError`` with a fitting HTTP status.
struct ErrorsAsJSON: RouterMiddleware {
    typealias Context = Routes.Context

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = Self.apiError(for: error)
            return Response(status: failure.code.httpStatus, json: try JSONCoding.encode(failure))
        }
    }

    static func apiError(for error: any Error) -> APIError {
        if let error = error as? APIError { return error }
        if error is CancellationError { return .stopped }
        if let error = error as? HTTPError {
            switch error.status {
            case .contentTooLarge: return .requestTooLarge
            case .notFound: return .unknownRequest
            default: return .unreadableRequest(detail: error.body ?? error.status.reasonPhrase)
            }
        }
        if error is NIOTooManyBytesError { return .requestTooLarge }
        return .unexpected(error)
    }
}

extension APIError.Code {
    /// The HTTP status an answer with this code carries.
    var httpStatus: HTTPResponse.Status {
        switch self {
        case .badInput: .badRequest
        case .notAllowed: .forbidden
        case .notFound: .notFound
        case .notInitialised, .alreadyInitialised, .ambiguous, .conflict, .notHere, .syncOff,
            .confirmationNeeded, .pairingFailed:
            .conflict
        case .tooLarge: .contentTooLarge
        case .unreachable: .badGateway
        case .busy, .noAgent: .serviceUnavailable
        case .failed: .internalServerError
        }
    }
}
