package import SyncCore

/// What either side brings to a pairing.
package struct PairingParty: Sendable {
    package let keys: DeviceKeys
    /// The Ed25519 key of the certificate at the other end of the connection.
    package let peerKey: Bytes32
    package let personName: String
    package let deviceName: String
    /// TCP port this device listens on for sessions; 0 when it does not listen.
    package let listeningPort: UInt16
    package let issuer: CardIssuer
    package let verifier: CardVerifier

    package init(
        keys: DeviceKeys, peerKey: Bytes32, personName: String, deviceName: String,
        listeningPort: UInt16, issuer: CardIssuer, verifier: CardVerifier = CardVerifier()
    ) {
        (self.keys, self.peerKey, self.personName) = (keys, peerKey, personName)
        (self.deviceName, self.listeningPort) = (deviceName, listeningPort)
        (self.issuer, self.verifier) = (issuer, verifier)
    }

    func introduction(card: UnverifiedCard?, request: CardLink?) -> PairingMessage {
        .introduction(
            PairingIntroduction(
                card: card, request: request, personName: personName, deviceName: deviceName,
                listeningPort: listeningPort))
    }

    /// The other device's card if it holds and is of the key the connection was made with.
    func verifiedPeerCard(_ card: UnverifiedCard) -> Card? {
        guard let verified = try? verifier.verify(card), verified.content.signingKey == peerKey
        else { return nil }
        return verified
    }

    /// What a pairing with a device that has a card of its own leads to; nil if its card does not hold
    /// or its names cannot be shown.
    func result(_ introduction: PairingIntroduction, mine: Bool) -> PairingResult? {
        guard let received = introduction.card, introduction.request == nil,
            let card = verifiedPeerCard(received),
            PairingName.isAcceptable(introduction.personName),
            PairingName.isAcceptable(introduction.deviceName)
        else { return nil }
        return PairingResult(
            card: card, personName: introduction.personName, deviceName: introduction.deviceName,
            listeningPort: introduction.listeningPort, mine: mine, endorsement: nil, joinedCard: nil
        )
    }
}
