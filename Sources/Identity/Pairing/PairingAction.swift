package import SyncCore

/// What a pairing machine is told. Local events that come too late, for example a person's answer
/// after the connection broke, change nothing.
package enum PairingEvent: Sendable {
    case message(PairingMessage)
    /// Host: the desk handed out its offer, and the burned attempt is stored durably.
    case burned(BurnedOffer)
    /// Host: the desk did not.
    case notBurned(PairingRefusal)
    /// This device's person has looked at the other's name.
    case decided(accepted: Bool)
    /// What the action `store` asked for is durable.
    case stored
    case storeFailed
    /// This device's person gives up.
    case cancelled
    case disconnected
    /// Time has passed; see `deadline`.
    case tick
}

/// What a pairing machine wants done, in this order.
package enum PairingAction: Hashable, Sendable {
    case send(PairingMessage)
    /// Host: take the offer from the ``PairingOffers`` and store the count of burned codes durably;
    /// answer with `burned` or `notBurned`.
    case burn(nameplate: String)
    /// Show this and answer with `decided`.
    case askPerson(PairingQuestion)
    /// Store all of it in one transaction; answer with `stored` or `storeFailed`.
    case store(PairingResult)
    /// Both sides have stored. Close the connection.
    case finished(PairingResult)
    /// Nothing more will come. Close the connection.
    case failed(PairingFailure)
}

/// How far a pairing has come; it says what a failure has cost, and whom to blame for it.
package enum PairingProgress: Int, Comparable, Sendable {
    /// Nothing that depends on the secret has left this device.
    case opening
    /// Host: the code is burned. Joining device: the other side may have tested one guess.
    case guessed
    /// The other side has proven that it knows the secret.
    case proven

    package static func < (first: PairingProgress, second: PairingProgress) -> Bool {
        first.rawValue < second.rawValue
    }
}

/// What a person is asked: is this the device you mean?
package struct PairingQuestion: Hashable, Sendable {
    /// The other device; its card holds.
    package let card: Card
    package let personName: String
    package let deviceName: String
    /// The joining device becomes a further device of the host's person.
    package let mine: Bool
}

/// What both people agreed to.
package struct PairingResult: Hashable, Sendable {
    /// The other device's card, verified; its key is the one the connection was made with.
    package let card: Card
    package let personName: String
    package let deviceName: String
    /// TCP port the other device listens on for sessions; 0 when it does not listen.
    package let listeningPort: UInt16
    /// The joining device is a further device of the host's person.
    package let mine: Bool
    /// When `mine`: the joining device's card and the home space; the same on both sides.
    package let endorsement: PairingEndorsement?
    /// When `mine`: the joining device's card, verified. On the host the same as `card`.
    package let joinedCard: Card?
}

/// Why a pairing came to nothing, or, with ``unconfirmed``, perhaps not to all.
package enum PairingFailure: Error, Hashable, Sendable {
    /// The other side said so.
    case refused(PairingRefusal)
    /// The codes differ, or somebody stands between the two devices.
    case wrongCode
    case expired
    /// This device's person said no.
    case declined
    case cancelled
    /// The other side broke the protocol.
    case misbehaved
    /// It answers with our own key.
    case ownDevice
    /// Another device answers than the link names.
    case wrongDevice(DeviceID)
    /// The host's card has as many links as a card may have; an older device of the person must
    /// endorse.
    case chainTooLong
    case storeFailed
    case disconnected
    /// Host: stored here, but the joining device did not say that it has stored. It may have to
    /// join once more, which then finds the same keys here and changes nothing.
    case unconfirmed
}

extension PairingFailure {
    /// What the other side is told; nil when it is gone, or knows.
    private var refusal: PairingRefusal? {
        switch self {
        case .refused, .disconnected, .unconfirmed: nil
        case .wrongCode: .wrongCode
        case .expired: .expired
        case .declined, .cancelled: .declined
        case .misbehaved, .ownDevice, .wrongDevice: .misbehaved
        case .chainTooLong, .storeFailed: .closed
        }
    }

    /// The last actions of a machine that fails.
    var actions: [PairingAction] {
        if self == .declined {
            return [.send(.decision(accepted: false)), .failed(self)]
        }
        let farewell = refusal.map { [PairingAction.send(.refusal($0))] } ?? []
        return farewell + [.failed(self)]
    }
}
