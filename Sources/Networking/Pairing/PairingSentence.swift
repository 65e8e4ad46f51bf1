import Discovery
import Identity
import LocalAPI
import SyncCore
import Transport

/// What a failed pairing is in words.
enum PairingSentence {
    /// On the device that showed the code. `isLast`: this code was the last one that may be burned
    /// before a person opens pairing again.
    static func host(
        _ failure: PairingFailure, _ progress: PairingProgress, other: PairingView.Other?,
        isLast: Bool
    ) -> APIError {
        switch (progress, failure) {
        // The code is good; the other device had no answer in the time it gives to one.
        case (.opening, .refused(.expired)): .otherSideWentAway
        case (_, .cancelled), (.opening, _), (.proven, _): shared(failure, other)
        case (.guessed, _) where isLast: .tooManyWrongCodes
        case (.guessed, .wrongCode): .wrongCodeTyped
        case (.guessed, _): .codeTriedOnly
        }
    }

    /// On the device where it was typed, after calls that ended so. `address` is the only one that
    /// was to be called; `isDeaf` says that others could not be heard.
    static func join(
        _ ends: [JoinEnd], at address: HostPort?, other: PairingView.Other?, isDeaf: Bool
    ) -> APIError {
        let guesses = ends.count { $0.progress == .guessed }
        switch ends.max(by: { $0.weight < $1.weight }) {
        case .failed(let failure, .proven): return shared(failure, other)
        case .failed(_, .guessed) where guesses > 1: return .nobodyKnewTheCode(guesses)
        case .failed(let failure, .guessed): return guessed(failure)
        case .failed(let failure, .opening): return refused(failure, at: address)
        case .notReached(.refusedByPeer): return refused(.disconnected, at: address)
        case .notReached, .paired, nil:
            if let address { return .addressNotReached("\(address)") }
            guard isDeaf else { return .hostNotFound }
            return .cannotSearch(Reachability.remedy(.noAvahiDaemon))
        }
    }

    /// The other side took part and did not prove that it knows the code.
    private static func guessed(_ failure: PairingFailure) -> APIError {
        switch failure {
        case .refused(.wrongCode): .wrongCode
        case .wrongCode: .notTrusted
        case .cancelled: .pairingCancelled
        default: .otherSideBrokeOff
        }
    }

    /// The other side did not take part.
    private static func refused(_ failure: PairingFailure, at address: HostPort?) -> APIError {
        switch failure {
        case .refused(.closed): .usedCode
        case .refused(.expired): .expiredCode
        case .refused(.busy): .pairingBusy
        case .refused(.version): .pairingNewerThere
        case .ownDevice: .pairingWithItself
        case .wrongDevice: .notTrusted
        case .cancelled: .pairingCancelled
        default: address.map { .noCodeShown("\($0)") } ?? .hostNotFound
        }
    }

    private static func shared(_ failure: PairingFailure, _ other: PairingView.Other?) -> APIError {
        switch failure {
        case .expired, .refused(.expired): other == nil ? .expiredCode : .nobodyAnswered
        case .refused(.declined): .otherSideDeclined(other)
        case .declined: .thisSideDeclined
        case .cancelled: .pairingCancelled
        case .ownDevice: .pairingWithItself
        case .chainTooLong: .personHasTooManyDevices
        case .storeFailed: .pairingNotStored
        case .unconfirmed: .pairingUnconfirmed
        default: .otherSideWentAway
        }
    }
}
