import Identity
import SyncCore

/// Makes scenes: Anna's laptop hosts, Ben's phone joins.
struct PairingStage {
    let issuer = CardIssuer(encoding: PlainCardEncoding())
    let anna = PersonKey.generate()
    let ben = PersonKey.generate()
    let hostKeys = DeviceKeys.generate()
    let joinKeys = DeviceKeys.generate()
    let homeSpace: SpaceID
    let offer: PairingOffer
    let start: ContinuousClock.Instant

    init() {
        var generator = SystemRandomNumberGenerator()
        start = ContinuousClock.now
        offer = PairingOffer(random: &generator, now: start, nameplate: "7")
        homeSpace = SpaceID(DeviceKeys.generate().signingKey)
    }

    var hostCard: UnverifiedCard { issuer.firstCard(of: hostKeys, person: anna) }
    var joinCard: UnverifiedCard { issuer.firstCard(of: joinKeys, person: ben) }

    /// A desk with the offer open and this many codes burned before.
    func desk(burned: Int = 0) -> PairingOffers {
        var desk = PairingOffers(attempts: PairingAttempts(burned: burned))
        do {
            try desk.open(offer)
        } catch {
            // Exhausted: it stays closed.
        }
        return desk
    }

    /// `peerKey` is the key at the other end of the host's TLS connection.
    func host(
        peerKey: Bytes32? = nil, card: UnverifiedCard? = nil, deviceName: String = "Laptop"
    ) -> HostPairing {
        var generator = SystemRandomNumberGenerator()
        let party = PairingParty(
            keys: hostKeys, peerKey: peerKey ?? joinKeys.signingKey, personName: "Anna",
            deviceName: deviceName, listeningPort: 47_200, issuer: issuer)
        return HostPairing(
            party: party, card: card ?? hostCard, homeSpace: homeSpace,
            randomness: PairingRandomness(random: &generator), now: start)
    }

    func join(
        peerKey: Bytes32? = nil, identity: JoinPairing.Identity? = nil,
        secret: PairingSecret? = nil, expectedDevice: DeviceID? = nil, keys: DeviceKeys? = nil,
        deviceName: String = "Phone", proofTime: Duration = .seconds(Limits.pairingMessageSeconds)
    ) -> JoinPairing {
        var generator = SystemRandomNumberGenerator()
        let party = PairingParty(
            keys: keys ?? joinKeys, peerKey: peerKey ?? hostKeys.signingKey, personName: "Ben",
            deviceName: deviceName, listeningPort: 47_201, issuer: issuer)
        return JoinPairing(
            party: party, identity: identity ?? .ownPerson(joinCard),
            secret: secret ?? .code(offer.code), expectedDevice: expectedDevice,
            randomness: PairingRandomness(random: &generator), now: start, proofTime: proofTime)
    }

    func scene(
        host: HostPairing? = nil, join: JoinPairing? = nil, desk: PairingOffers? = nil
    ) -> PairingScene {
        PairingScene(
            host: host ?? self.host(), join: join ?? self.join(), desk: desk ?? self.desk(),
            now: start)
    }

    /// A code that is not the offer's, for the same nameplate.
    var wrongCode: PairingSecret {
        let digits = offer.code.digits == "11111111" ? "22222222" : "11111111"
        guard let code = try? PairingCode(parsing: offer.code.nameplate + digits) else {
            preconditionFailure("\(offer.code.nameplate) and eight digits are a code")
        }
        return .code(code)
    }
}
