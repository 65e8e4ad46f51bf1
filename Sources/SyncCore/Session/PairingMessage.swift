/// The messages of pairing, in the order they are sent. See Protocol.md.
package enum PairingMessage: Hashable, Sendable {
    /// Joining device: opens. `nameplate` is empty when a link is used.
    case hello(nameplate: String, mine: Bool)
    /// Host, after the attempt is durably burned: pairing id and its SPAKE2 share, 65 bytes.
    case shareA(pairingID: Bytes16, share: [UInt8])
    /// Joining device: its share, 65 bytes, and its key confirmation.
    case shareB(share: [UInt8], confirmation: Bytes32)
    /// Host, after it has verified the other confirmation.
    case confirmationA(Bytes32)
    /// Who one is, for the other person to look at: the host once the code is proven, then the
    /// joining device, which knows the host's person by then.
    case introduction(PairingIntroduction)
    /// Either side: the person has confirmed or refused the other's name.
    case decision(accepted: Bool)
    /// Host to a device that joins its person.
    case endorsement(PairingEndorsement)
    /// Stored durably: the host first, then the joining device.
    case stored
    case refusal(PairingRefusal)
}

package struct PairingIntroduction: Hashable, Sendable {
    /// Absent for a device that joins the host's person and has no card of it yet.
    package var card: UnverifiedCard?
    /// Of such a device instead: its card for the host's person, signed by itself, its endorsement
    /// empty.
    package var request: CardLink?
    package var personName: String
    package var deviceName: String
    /// TCP port the sender listens on for sessions; 0 when it does not listen.
    package var listeningPort: UInt16

    package init(
        card: UnverifiedCard?, request: CardLink?, personName: String, deviceName: String,
        listeningPort: UInt16
    ) {
        (self.card, self.request, self.personName) = (card, request, personName)
        (self.deviceName, self.listeningPort) = (deviceName, listeningPort)
    }
}

package struct PairingEndorsement: Hashable, Sendable {
    package var card: UnverifiedCard
    package var homeSpace: SpaceID
    package var personName: String

    package init(card: UnverifiedCard, homeSpace: SpaceID, personName: String) {
        (self.card, self.homeSpace, self.personName) = (card, homeSpace, personName)
    }
}

package enum PairingRefusal: Hashable, Sendable {
    /// Pairing is not open there.
    case closed
    case wrongCode
    case expired
    /// The other person said no.
    case declined
    /// Another device is pairing at this moment.
    case busy
    /// The other side broke the protocol.
    case misbehaved
    /// The version of pairing that the joining device speaks is not known there.
    case version
}
