package import SyncCore

/// How many codes were burned since the last one that led to a pairing. Kept durably: closing and
/// starting the program must not give a stranger new guesses.
package struct PairingAttempts: Hashable, Sendable {
    package fileprivate(set) var burned: Int

    package init(burned: Int) {
        self.burned = max(0, burned)
    }

    /// Whether a person must reopen pairing.
    package var areExhausted: Bool { burned >= Limits.burnedPairingCodes }
}

/// What a host shows: a code, and the secret of the link or QR code beside it. Using either burns
/// both.
package struct PairingOffer: Hashable, Sendable {
    package let code: PairingCode
    package let linkSecret: Bytes16
    package let validUntil: ContinuousClock.Instant

    /// A new offer, valid for ``Limits/pairingCodeSeconds``.
    package init(
        random generator: inout some RandomNumberGenerator, now: ContinuousClock.Instant,
        nameplate: String
    ) {
        code = PairingCode(random: &generator, nameplate: nameplate)
        linkSecret = Bytes16(random: &generator)
        validUntil = now + .seconds(Limits.pairingCodeSeconds)
    }
}

/// A secret that is burned: the one attempt that holds it may use it, until it expires.
package struct BurnedOffer: Hashable, Sendable {
    package let secret: PairingSecret
    package let validUntil: ContinuousClock.Instant
}

package enum PairingDeskError: Error, Hashable {
    /// Too many codes were burned: a person must reopen pairing.
    case exhausted
    /// A device is pairing at this moment.
    case busy
}

/// The one place of a host that hands out its code: to one attempt, once.
///
/// There is one desk per agent and one ``HostPairing`` per connection. A machine's action `burn`
/// goes to ``burn(nameplate:now:)``; after ``attempts`` is stored durably, and not before, the
/// result goes back to the machine.
package struct PairingOffers: Sendable {
    private enum State {
        case closed
        case open(PairingOffer)
        case taken
    }

    /// To be stored durably after every call that changes it.
    package private(set) var attempts: PairingAttempts
    private var state: State = .closed

    package init(attempts: PairingAttempts) {
        self.attempts = attempts
    }

    /// Whether ``burn(nameplate:now:)`` would find an offer, be it expired.
    package var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Replaces the offer that is open, if any.
    package mutating func open(_ offer: PairingOffer) throws(PairingDeskError) {
        guard !attempts.areExhausted else { throw .exhausted }
        if case .taken = state { throw .busy }
        state = .open(offer)
    }

    /// The person takes the offer back. An attempt that is under way goes on.
    package mutating func close() {
        if case .open = state { state = .closed }
    }

    /// A person says that pairing may go on after too many burned codes.
    package mutating func reopen() {
        attempts.burned = 0
    }

    /// Takes the offer for one attempt. A nameplate that is not ours burns nothing: it shows only
    /// that somebody means another code.
    package mutating func burn(
        nameplate: String, now: ContinuousClock.Instant
    ) -> Result<BurnedOffer, PairingDeskRefusal> {
        guard !attempts.areExhausted else { return .failure(PairingDeskRefusal(reason: .closed)) }
        let offer: PairingOffer
        switch state {
        case .closed: return .failure(PairingDeskRefusal(reason: .closed))
        case .taken: return .failure(PairingDeskRefusal(reason: .busy))
        case .open(let open): offer = open
        }
        guard now < offer.validUntil else {
            state = .closed
            return .failure(PairingDeskRefusal(reason: .expired))
        }
        let secret: PairingSecret
        switch nameplate {
        case "": secret = .link(offer.linkSecret)
        case offer.code.nameplate: secret = .code(offer.code)
        default: return .failure(PairingDeskRefusal(reason: .wrongCode))
        }
        attempts.burned += 1
        state = .taken
        return .success(BurnedOffer(secret: secret, validUntil: offer.validUntil))
    }

    /// The attempt that took the offer is over. `paired` when the host stored (`finished`, or failed
    /// as ``PairingFailure/unconfirmed``): that clears the count of burned codes.
    package mutating func end(paired: Bool) {
        if case .taken = state { state = .closed }
        if paired { attempts.burned = 0 }
    }
}

/// Why the desk hands out nothing; what the other side is told.
package struct PairingDeskRefusal: Error, Hashable {
    package let reason: PairingRefusal
}
