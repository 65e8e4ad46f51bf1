import Identity
import SyncCore
import Testing

@Suite("Joining the host's person")
struct PairingMineTests {
    private let stage = PairingStage()

    @Test("A device without a person gets a card of the host's person, the same on both sides")
    func newDevice() throws {
        var scene = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
        scene.run()
        #expect(scene.finished(.host) && scene.finished(.join))

        let question = try #require(scene.question(to: .host))
        #expect(question.mine)
        #expect(question.personName == "Anna")
        #expect(question.deviceName == "Phone")
        let atHost = try #require(scene.stored(by: .host))
        let atJoin = try #require(scene.stored(by: .join))
        #expect(atHost.mine && atJoin.mine)
        #expect(atHost.endorsement == atJoin.endorsement)
        #expect(atJoin.endorsement?.homeSpace == stage.homeSpace)
        #expect(atJoin.endorsement?.personName == "Anna")
        let card = try #require(atJoin.joinedCard)
        #expect(card == atHost.card)
        #expect(card.device == stage.joinKeys.device)
        #expect(card.person == stage.anna.person)
        #expect(card.content.agreementKey == stage.joinKeys.agreementKey)
        #expect(card.linkCount == 2)
        #expect(atJoin.card.device == stage.hostKeys.device)
    }

    @Test("A device that has a person of its own leaves it behind")
    func usedDevice() throws {
        var scene = stage.scene(
            join: stage.join(identity: .hostsPerson(present: stage.joinCard)))
        scene.run()
        #expect(scene.finished(.host) && scene.finished(.join))
        #expect(try #require(scene.stored(by: .join)?.joinedCard).person == stage.anna.person)
    }

    @Test("Joining once more keeps the card the device has")
    func again() throws {
        var first = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
        first.run()
        let card = try #require(first.stored(by: .join)?.endorsement?.card)
        var second = stage.scene(join: stage.join(identity: .hostsPerson(present: card)))
        second.run()
        #expect(second.finished(.host) && second.finished(.join))
        #expect(second.stored(by: .host)?.endorsement?.card == card)
        #expect(second.stored(by: .join)?.joinedCard?.linkCount == 2)
    }

    @Test("A host that declines lets no endorsement out")
    func declined() {
        var scene = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
        scene.answers[.host] = false
        scene.run()
        #expect(scene.failure(of: .host) == .declined)
        #expect(
            !scene.sent(by: .host).contains { message in
                if case .endorsement = message { true } else { false }
            })
    }

    @Test("A card at its greatest length cannot endorse, which is said before a code is burned")
    func longChain() throws {
        var keys = DeviceKeys.generate()
        var chain = stage.issuer.firstCard(of: keys, person: stage.anna)
        for position in 2...Limits.cardLinks {
            let next = position == Limits.cardLinks ? stage.hostKeys : DeviceKeys.generate()
            chain = try stage.issuer.endorse(
                stage.issuer.request(by: next, for: stage.anna.publicKey), endorser: chain,
                keys: keys)
            keys = next
        }
        var scene = stage.scene(
            host: stage.host(card: chain), join: stage.join(identity: .hostsPerson(present: nil)))
        scene.run()
        #expect(scene.failure(of: .host) == .chainTooLong)
        #expect(scene.failure(of: .join) == .refused(.closed))
        #expect(scene.desk.attempts.burned == 0)
    }

    @Test("A request that another device signed, or for another person, is not endorsed")
    func forgedRequests() throws {
        let thief = DeviceKeys.generate()
        let forged = [
            stage.issuer.request(by: thief, for: stage.anna.publicKey),
            stage.issuer.request(by: stage.joinKeys, for: stage.ben.publicKey),
        ]
        for request in forged {
            var scene = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
            scene.onTheWire = { _, message in
                guard case .introduction(var introduction) = message,
                    introduction.request != nil
                else { return [message] }
                introduction.request = request
                return [.introduction(introduction)]
            }
            scene.run()
            #expect(scene.failure(of: .host) == .misbehaved)
            #expect(scene.stored(by: .host) == nil)
        }
    }

    @Test("A host that endorses another device's card is not believed")
    func foreignEndorsement() throws {
        let other = try stage.issuer.endorse(
            stage.issuer.request(by: .generate(), for: stage.anna.publicKey),
            endorser: stage.hostCard, keys: stage.hostKeys)
        for card in [other, stage.joinCard, stage.hostCard] {
            var scene = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
            scene.onTheWire = { _, message in
                guard case .endorsement(var endorsement) = message else { return [message] }
                endorsement.card = card
                return [.endorsement(endorsement)]
            }
            scene.run()
            #expect(scene.failure(of: .join) == .misbehaved)
            #expect(scene.stored(by: .join) == nil)
            #expect(scene.failure(of: .host) == .unconfirmed)
        }
    }
}
