import Device
package import LocalAPI
import Logging
package import Transport
internal import Wire

extension TroubleKind {
    /// Nil for what is no trouble with another device.
    init?(_ error: any Error) {
        switch error {
        case let error as TransportError: self.init(error)
        case is WireError: self = .peerTrouble
        default: return nil
        }
    }

    private init?(_ error: TransportError) {
        switch error {
        case .unresolvable, .unreachable, .timedOut, .connectionLost, .idle: self = .noNetwork
        case .refused, .handshakeFailed, .wrongProtocol, .endedInsideFrame, .protocolViolation,
            .tooManyBytes, .notAuthenticatedInTime, .stalled, .tooManyConnections,
            .refusedByPeer:
            self = .peerTrouble
        case .notTrusted, .notTrustedByPeer: self = .notTrusted
        case .closed, .cancelled, .unsendable, .alreadyReceiving, .unusableIdentity,
            .cannotListen:
            return nil
        }
    }
}

extension CallError {
    /// Why a call failed; nil when it was this side that ended it.
    init?(_ error: TransportError) {
        switch error {
        case .unresolvable: self = .unresolvable
        case .unreachable: self = .unreachable
        case .timedOut, .connectionLost, .idle: self = .noAnswer
        case .refused: self = .notListening
        case .notTrusted: self = .otherKey
        case .refusedByPeer, .notTrustedByPeer, .tooManyConnections: self = .hungUp
        case .wrongProtocol, .handshakeFailed, .endedInsideFrame, .protocolViolation,
            .tooManyBytes, .notAuthenticatedInTime, .stalled:
            self = .broken
        case .closed, .cancelled, .unsendable, .alreadyReceiving, .unusableIdentity,
            .cannotListen:
            return nil
        }
    }

    var kind: TroubleKind {
        switch self {
        case .unresolvable, .unreachable, .noAnswer, .otherDevice: .noNetwork
        case .notListening, .hungUp, .broken, .endedAtOnce: .peerTrouble
        case .otherKey: .notTrusted
        }
    }
}

extension Logger.Metadata {
    /// Why something failed, and which kind of trouble that is.
    static func trouble(_ error: any Error) -> Logger.Metadata {
        var details: Logger.Metadata = ["why": .reason(error)]
        if let kind = TroubleKind(error) { details["kind"] = "\(kind.rawValue)" }
        return details
    }
}

extension TransportError: DescribedError {
    package var sentence: APIError {
        if case .cannotListen = self {
            return APIError(
                code: .failed, sentence: "No network port is free to listen on.",
                hint: "Choose another one: peersync run --port NUMBER")
        }
        return .unexpected(self)
    }
}
