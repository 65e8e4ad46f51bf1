import LocalAPI
package import Logging
import Media
import Store
import Transport
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

extension Logger.MetadataValue {
    /// An error as the log may show it: without the paths of a person's files, without titles.
    package static func reason(_ error: any Error) -> Logger.MetadataValue {
        switch error {
        case let error as BlobFilesError: .string(error.withoutNames)
        case MediaLibrary.Failure.files(_, let error): .string(error.withoutNames)
        case MediaLibrary.Failure.missing: .string("missing")
        case MediaLibrary.Failure.notATrack(_, let error): .string("not a track: \(error)")
        // Its sentence is for the person who asked, and may name a trip.
        case let error as APIError: .string(error.code.rawValue)
        default: .string("\(error)")
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

extension BlobFilesError {
    fileprivate var withoutNames: String {
        switch self {
        case .notRegularFile: "notRegularFile"
        case .sourceChanged: "sourceChanged"
        case .tooLong: "tooLong"
        case .alreadyExists: "alreadyExists"
        default: "\(self)"
        }
    }
}
