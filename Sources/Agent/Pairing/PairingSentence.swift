import Identity
import LocalAPI
import SyncCore

/// What a failed pairing is in words.
enum PairingSentence {
    /// On the device that showed the code.
    static func host(_ failure: PairingFailure) -> APIError {
        switch failure {
        case .wrongCode, .refused(.wrongCode): .wrongCodeTyped
        case .unconfirmed: .pairingUnconfirmed
        default: shared(failure)
        }
    }

    /// On the device where it was typed.
    static func join(_ failure: PairingFailure) -> APIError {
        switch failure {
        case .refused(.wrongCode): .wrongCode
        case .wrongCode: .notTrusted
        case .refused(.closed): .usedCode
        default: shared(failure)
        }
    }

    private static func shared(_ failure: PairingFailure) -> APIError {
        switch failure {
        case .expired, .refused(.expired): .expiredCode
        case .refused(.declined): .otherSideDeclined
        case .declined: .thisSideDeclined
        case .cancelled: .pairingCancelled
        case .ownDevice: .pairingWithItself
        case .wrongDevice: .notTrusted
        case .refused(.busy): .pairingBusy
        case .chainTooLong: .personHasTooManyDevices
        case .storeFailed: .pairingNotStored
        default: .otherSideWentAway
        }
    }
}
