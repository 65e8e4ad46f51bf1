import Discovery
import Identity
package import LocalAPI
import SyncCore
import Transport

/// What a failed pairing is in words.
package enum PairingSentence {
    /// On the device that showed the code. `isLast`: this code was the last one that may be burned
    /// before a person opens pairing again. `fault`: why it could not be stored.
    static func host(
        _ failure: PairingFailure, _ progress: PairingProgress, other: PairingView.Other?,
        isLast: Bool, fault: APIError?
    ) -> APIError {
        switch (progress, failure) {
        // The code is good; the other device had no answer in the time it gives to one.
        case (.opening, .refused(.expired)): .otherSideWentAway
        case (_, .cancelled), (.opening, _), (.proven, _): shared(failure, other, fault)
        case (.guessed, _) where isLast:
            APIError(
                code: .pairingFailed,
                sentence: "Three codes were used up by wrong attempts, so pairing is closed.",
                hint: """
                    Someone on this network may be guessing. If you know who it was, run 'peersync pair' \
                    again, which opens pairing again; if not, 'peersync pair --link' cannot be guessed.
                    """)
        case (.guessed, .wrongCode):
            APIError(
                code: .pairingFailed,
                sentence: "Someone typed a wrong code, so this code is used up.",
                hint: """
                    If that was a typing mistake, run 'peersync pair' again for a new code. Someone who \
                    pairs at the same moment may also have got the same first number.
                    """)
        case (.guessed, _):
            APIError(
                code: .pairingFailed,
                sentence: "Someone used the code and broke off, so this code is used up.",
                hint: "If that was your other device, run 'peersync pair' again for a new code.")
        }
    }

    /// On the device where it was typed, after calls that ended so. `address` is the only one that
    /// was to be called; `isDeaf` says that others could not be heard; `fault`: why it could not be stored.
    static func join(
        _ ends: [JoinEnd], at address: HostPort?, other: PairingView.Other?, isDeaf: Bool,
        fault: APIError?
    ) -> APIError {
        let guesses = ends.count { $0.progress == .guessed }
        switch ends.max(by: { $0.weight < $1.weight }) {
        case .failed(let failure, .proven): return shared(failure, other, fault)
        case .failed(_, .guessed) where guesses > 1:
            return APIError(
                code: .pairingFailed,
                sentence: """
                    \(guesses) devices show a code with this first number, and none of them knows \
                    the rest.
                    """,
                hint: """
                    If you mistyped it, run 'peersync pair' there again and type the new code. If \
                    it was right, somebody is in between: use 'peersync pair --link'.
                    """)
        case .failed(let failure, .guessed): return guessed(failure)
        case .failed(let failure, .opening): return refused(failure, at: address)
        case .notReached(.refusedByPeer): return refused(.disconnected, at: address)
        case .notReached, .paired, nil:
            if let address { return addressNotReached("\(address)") }
            guard isDeaf else { return .hostNotFound }
            return APIError(
                code: .unreachable,
                sentence: """
                    Avahi does not run here, so this device cannot look for the one that shows the \
                    code.
                    """,
                hint: """
                    Add the address that 'peersync pair' shows there: peersync join --at ADDRESS. \
                    Or for devices to be found: \(Reachability.remedy(.noAvahiDaemon))
                    """)
        }
    }

    /// The other side took part and did not prove that it knows the code.
    private static func guessed(_ failure: PairingFailure) -> APIError {
        switch failure {
        case .refused(.wrongCode):
            APIError(
                code: .pairingFailed, sentence: "The code was not the one the other device shows.",
                hint: """
                    Each code works only once, so that one is used up now. \
                    Run 'peersync pair' there again and type the new code.
                    """)
        case .wrongCode: .notTrusted
        case .cancelled: .pairingCancelled
        default:
            APIError(
                code: .pairingFailed,
                sentence: "The other device broke off while the code was being checked.",
                hint: "Run 'peersync pair' there again and type the new code.")
        }
    }

    /// The other side did not take part.
    private static func refused(_ failure: PairingFailure, at address: HostPort?) -> APIError {
        switch failure {
        case .refused(.closed):
            APIError(
                code: .pairingFailed,
                sentence: "The other device does not take this code any more.",
                hint: """
                    It was used, withdrawn or replaced. Run 'peersync pair' there again and type \
                    the new code.
                    """)
        case .refused(.expired): .expiredCode
        case .refused(.busy): .pairingBusy
        case .refused(.version):
            APIError(
                code: .pairingFailed,
                sentence:
                    "The other device has a newer peersync, which pairs in a way unknown here.",
                hint: "Update peersync on this computer, then start again with a new code.")
        case .ownDevice: .pairingWithItself
        case .wrongDevice: .notTrusted
        case .cancelled: .pairingCancelled
        default: address.map { PairingSentence.noCodeShown("\($0)") } ?? .hostNotFound
        }
    }

    private static func shared(
        _ failure: PairingFailure, _ other: PairingView.Other?, _ fault: APIError?
    ) -> APIError {
        switch failure {
        case .expired, .refused(.expired):
            other == nil
                ? .expiredCode
                : APIError(
                    code: .pairingFailed,
                    sentence: "Not both of you answered in time, so the devices are not paired.",
                    hint: "Start again with a new code.")
        case .refused(.declined): PairingSentence.otherSideDeclined(other)
        case .declined:
            APIError(
                code: .pairingFailed, sentence: "You said no, so the devices are not paired.",
                hint:
                    "If the name was not the one you expected, someone else may have seen the code."
            )
        case .cancelled: .pairingCancelled
        case .ownDevice: .pairingWithItself
        case .chainTooLong:
            APIError(
                code: .pairingFailed,
                sentence:
                    "This device is too far down the chain of your devices to add another one.",
                hint: "Show the code on one of your older devices instead.")
        case .storeFailed: notStored(because: fault)
        case .unconfirmed:
            APIError(
                code: .pairingFailed,
                sentence:
                    "This device is paired, but the other one did not say that it has stored it.",
                hint: "If it does not list this device, pair once more: that loses nothing.")
        default: .otherSideWentAway
        }
    }
}

private func addressNotReached(_ address: String) -> APIError {
    APIError(
        code: .unreachable, sentence: "Nothing answers at \(address).",
        hint: "Check the address, and that 'peersync pair' still shows its code there.")
}

extension PairingSentence {
    /// `fault` is nil where the reason is not known.
    package static func notStored(because fault: APIError?) -> APIError {
        guard let fault else {
            return APIError(
                code: .failed,
                sentence: "Pairing could not be stored, so the devices are not paired.",
                hint: "Start again with a new code.")
        }
        guard fault != .diskFull else {
            return APIError(
                code: fault.code,
                sentence: "The disk is full, so the devices are not paired.",
                hint: "Make room on this disk, then start again with a new code.")
        }
        return APIError(
            code: fault.code, sentence: "The devices are not paired. \(fault.message)",
            hint: fault.advice)
    }

    package static func noCodeShown(_ address: String) -> APIError {
        APIError(
            code: .pairingFailed, sentence: "The device at \(address) does not take this code.",
            hint: """
                Its code may have expired or been used. Run 'peersync pair' there again and type \
                the new code.
                """)
    }

    /// `other` is known once the code was right.
    package static func otherSideDeclined(_ other: PairingView.Other?) -> APIError {
        let who = other.map {
            tr("\(Sentence.name($0.deviceName)) of \(Sentence.plain($0.personName))")
        }
        return APIError(
            code: .pairingFailed,
            sentence: """
                \(who ?? tr("The other device")) said no or stopped, so the devices are not paired.
                """,
            hint: "Talk to each other, then start again with a new code.")
    }
}

extension APIError {
    static let pairingBusy = APIError(
        code: .busy, sentence: "Another device is pairing at this moment.",
        hint: "Wait until that is done, then try again.")
}
