import FoundationEssentials
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

extension APIError {
    /// The response to a client after any failure.
    init(describing error: any Error) {
        self =
            switch error {
            case let error as APIError: error
            case is CancellationError: .stopped
            case is NIOTooManyBytesError: .requestTooLarge
            default: .unexpected(error)
            }
    }
}

extension Response {
    /// The JSON form of a failure, with a fitting HTTP status.
    init(_ failure: APIError) {
        // Only texts, which can always be encoded.
        let json = (try? JSONCoding.encode(failure)) ?? Data("{}".utf8)
        self.init(status: failure.code.httpStatus, json: json)
    }
}

extension APIError.Code {
    /// The HTTP status of an answer with this code.
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
