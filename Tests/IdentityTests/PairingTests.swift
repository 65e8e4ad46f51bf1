import Identity
import SyncCore
import Testing

@Suite("Pairing")
struct PairingTests {
    private let stage = PairingStage()

    @Test("Two devices with the same code pair, and each stores the other")
    func pairing() throws {
        var scene = stage.scene()
        scene.run()

        #expect(scene.finished(.host))
        #expect(scene.finished(.join))
        let atHost = try #require(scene.stored(by: .host))
        #expect(atHost.card.device == stage.joinKeys.device)
        #expect(atHost.card.person == stage.ben.person)
        #expect(atHost.personName == "Ben")
        #expect(atHost.deviceName == "Phone")
        #expect(atHost.listeningPort == 47_201)
        #expect(!atHost.mine)
        let atJoin = try #require(scene.stored(by: .join))
        #expect(atJoin.card.device == stage.hostKeys.device)
        #expect(atJoin.personName == "Anna")
        #expect(atJoin.endorsement == nil)
        #expect(scene.desk.attempts.burned == 0)
        #expect(!scene.desk.isOpen)
    }

    @Test("The share leaves only after the attempt is burned, names only after the code is proven")
    func order() throws {
        var scene = stage.scene()
        scene.run()
        let kinds = (scene.actions[.host] ?? []).map(kind)
        #expect(
            kinds == [
                "burn", "shareA", "confirmationA", "introduction", "askPerson", "decision", "store",
                "stored", "finished",
            ])
        #expect(
            (scene.actions[.join] ?? []).map(kind) == [
                "hello", "shareB", "introduction", "askPerson", "decision", "store", "stored",
                "finished",
            ])
    }

    @Test("A link's secret pairs in place of a code, and names the device that must answer")
    func link() {
        var scene = stage.scene(
            join: stage.join(
                secret: .link(stage.offer.linkSecret), expectedDevice: stage.hostKeys.device))
        scene.run()
        #expect(scene.finished(.host) && scene.finished(.join))

        let other = DeviceKeys.generate().device
        var wrong = stage.scene(
            join: stage.join(secret: .link(stage.offer.linkSecret), expectedDevice: other))
        wrong.run()
        #expect(wrong.failure(of: .join) == .wrongDevice(stage.hostKeys.device))
        #expect(wrong.desk.isOpen)
        #expect(wrong.desk.attempts.burned == 0)
    }

    @Test("A wrong code ends the pairing before any name is sent, and burns the code")
    func wrongCode() {
        var scene = stage.scene(join: stage.join(secret: stage.wrongCode))
        scene.run()
        #expect(scene.failure(of: .host) == .wrongCode)
        #expect(scene.failure(of: .join) == .refused(.wrongCode))
        #expect(!scene.hasIntroduced)
        #expect(scene.desk.attempts.burned == 1)
        #expect(!scene.desk.isOpen)
    }

    @Test("How far each side came shows what a failure has cost")
    func progress() {
        var paired = stage.scene()
        paired.run()
        #expect(paired.host.progress == .proven && paired.join.progress == .proven)
        var wrong = stage.scene(join: stage.join(secret: stage.wrongCode))
        wrong.run()
        #expect(wrong.host.progress == .guessed && wrong.join.progress == .guessed)
        var second = stage.scene(desk: wrong.desk)
        second.run()
        #expect(second.host.progress == .opening && second.join.progress == .opening)
    }

    @Test("A host that keeps silent, at first or after the guess, is left in the time it was given")
    func silentHost() {
        for messages in [0, 3] {
            var scene = stage.scene(join: stage.join(proofTime: .seconds(5)))
            scene.run(limit: messages)
            #expect(scene.join.deadline == stage.start + .seconds(5))
            let actions = scene.join.handle(.tick, at: stage.start + .seconds(5))
            #expect(actions.contains(.failed(.expired)))
        }
    }

    @Test("A code is refused after 120 seconds, at the first message and at the second")
    func expiredCode() {
        var late = stage.scene()
        late.now = stage.start + .seconds(Limits.pairingCodeSeconds)
        late.host = laterHost(late.now)
        late.join = laterJoin(late.now)
        late.run()
        #expect(late.failure(of: .join) == .refused(.expired))
        #expect(late.desk.attempts.burned == 0)
        #expect(!late.desk.isOpen)

        // Given a hello in time whose answer comes when the code has expired
        var slow = stage.scene()
        slow.now = stage.start + .seconds(Limits.pairingCodeSeconds - 1)
        slow.host = laterHost(slow.now)
        slow.join = laterJoin(slow.now)
        slow.run(limit: 3)
        slow.now += .seconds(1)
        slow.goOn()
        #expect(slow.failure(of: .host) == .expired)
        #expect(!slow.hasIntroduced)
    }

    @Test("A code that was used once, rightly or wrongly, is refused")
    func reusedCode() {
        for secret in [stage.wrongCode, .code(stage.offer.code)] {
            var first = stage.scene(join: stage.join(secret: secret))
            first.run()
            var second = stage.scene(desk: first.desk)
            second.run()
            #expect(second.failure(of: .join) == .refused(.closed))
            #expect(!second.hasIntroduced)
        }
    }

    @Test("While one device pairs another is told so, and the code stays with the first")
    func busy() {
        var first = stage.scene()
        first.run(limit: 2)
        var second = stage.scene(desk: first.desk)
        second.run()
        #expect(second.failure(of: .join) == .refused(.busy))
        first.goOn()
        #expect(first.finished(.host) && first.finished(.join))
    }

    @Test("A nameplate that is not the offer's burns nothing")
    func otherNameplate() throws {
        let nameplate = stage.offer.code.nameplate == "5" ? "6" : "5"
        let code = try PairingCode(parsing: nameplate + stage.offer.code.digits)
        var scene = stage.scene(join: stage.join(secret: .code(code)))
        scene.run()
        #expect(scene.failure(of: .join) == .refused(.wrongCode))
        #expect(scene.desk.attempts.burned == 0)
        #expect(scene.desk.isOpen)
    }

    @Test("Three burned codes close pairing until a person reopens it")
    func threeBurnedCodes() throws {
        var attempts = PairingAttempts(burned: 0)
        for count in 1...3 {
            var scene = stage.scene(
                join: stage.join(secret: stage.wrongCode), desk: stage.desk(burned: attempts.burned)
            )
            scene.run()
            attempts = scene.desk.attempts
            #expect(attempts.burned == count)
        }
        #expect(attempts.areExhausted)

        // When the program starts again with the stored count
        var desk = PairingOffers(attempts: PairingAttempts(burned: attempts.burned))
        #expect(throws: PairingDeskError.exhausted) { try desk.open(stage.offer) }
        var scene = stage.scene(desk: desk)
        scene.run()
        #expect(scene.failure(of: .join) == .refused(.closed))

        // Then only reopening helps
        desk.reopen()
        try desk.open(stage.offer)
        var reopened = stage.scene(desk: desk)
        reopened.run()
        #expect(reopened.finished(.host) && reopened.finished(.join))
    }

    @Test("Either person can say no, and then neither side stores", arguments: [true, false])
    func declined(byHost: Bool) {
        let (refuser, other): (PairingScene.Side, PairingScene.Side) =
            byHost ? (.host, .join) : (.join, .host)
        var scene = stage.scene()
        scene.answers[refuser] = false
        scene.run()
        #expect(scene.failure(of: refuser) == .declined)
        #expect(scene.failure(of: other) == .refused(.declined))
        #expect(scene.stored(by: .host) == nil)
        #expect(scene.stored(by: .join) == nil)
    }

    @Test("Nothing is stored while one person has not answered, and waiting ends")
    func unanswered() {
        var scene = stage.scene()
        scene.answers[.host] = nil
        scene.run()
        #expect(scene.stored(by: .host) == nil)
        #expect(scene.stored(by: .join) == nil)
        scene.now = stage.start + .seconds(Limits.pairingDecisionSeconds)
        scene.give(.tick, to: .host)
        scene.goOn()
        #expect(scene.failure(of: .host) == .expired)
        // Its own time is up just as well.
        #expect(scene.failure(of: .join) == .expired)
    }

    @Test("Giving up tells the other side", arguments: [PairingScene.Side.host, .join])
    func cancelled(side: PairingScene.Side) {
        var scene = stage.scene()
        scene.answers = [:]
        scene.run()
        scene.give(.cancelled, to: side)
        scene.goOn()
        #expect(scene.failure(of: side) == .cancelled)
        #expect(scene.failure(of: side == .host ? .join : .host) == .refused(.declined))
    }

    private func laterHost(_ now: ContinuousClock.Instant) -> HostPairing {
        var generator = SystemRandomNumberGenerator()
        let party = PairingParty(
            keys: stage.hostKeys, peerKey: stage.joinKeys.signingKey, personName: "Anna",
            deviceName: "Laptop", listeningPort: 1, issuer: stage.issuer)
        return HostPairing(
            party: party, card: stage.hostCard, homeSpace: stage.homeSpace,
            randomness: PairingRandomness(random: &generator), now: now)
    }

    private func laterJoin(_ now: ContinuousClock.Instant) -> JoinPairing {
        var generator = SystemRandomNumberGenerator()
        let party = PairingParty(
            keys: stage.joinKeys, peerKey: stage.hostKeys.signingKey, personName: "Ben",
            deviceName: "Phone", listeningPort: 1, issuer: stage.issuer)
        return JoinPairing(
            party: party, identity: .ownPerson(stage.joinCard), secret: .code(stage.offer.code),
            expectedDevice: nil, randomness: PairingRandomness(random: &generator), now: now)
    }

    private func kind(_ action: PairingAction) -> String {
        switch action {
        case .send(let message): String(String(describing: message).prefix { $0 != "(" })
        default: String(String(describing: action).prefix { $0 != "(" })
        }
    }
}
