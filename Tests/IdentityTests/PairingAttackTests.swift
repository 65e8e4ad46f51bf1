import Identity
import SyncCore
import Testing

@Suite("Attacks on pairing")
struct PairingAttackTests {
    private let stage = PairingStage()

    @Test("Somebody between the devices who passes everything on fails at the confirmations")
    func manInTheMiddle() {
        // Given Mallory's key at both ends, and every message passed on as it is
        let mallory = DeviceKeys.generate()
        var scene = stage.scene(
            host: stage.host(peerKey: mallory.signingKey),
            join: stage.join(peerKey: mallory.signingKey))
        scene.run()
        #expect(scene.failure(of: .host) == .wrongCode)
        #expect(!scene.hasIntroduced)

        // When Mallory learns the code from this, it is burned
        var late = stage.scene(
            host: stage.host(peerKey: mallory.signingKey),
            join: stage.join(
                identity: .ownPerson(
                    stage.issuer.firstCard(of: mallory, person: PersonKey.generate())),
                keys: mallory),
            desk: scene.desk)
        late.run()
        #expect(late.failure(of: .join) == .refused(.closed))
    }

    @Test("Either end at another key than the other side uses makes another transcript")
    func otherTransportKey() {
        let other = DeviceKeys.generate().signingKey
        var atHost = stage.scene(join: stage.join(peerKey: other))
        var atJoin = stage.scene(host: stage.host(peerKey: other))
        atHost.run()
        atJoin.run()
        for scene in [atHost, atJoin] {
            #expect(scene.failure(of: .host) == .wrongCode)
            #expect(!scene.hasIntroduced)
        }
    }

    @Test("The host's own share coming back ends the attempt")
    func reflectedShare() {
        var scene = stage.scene()
        let sent = Box<[UInt8]>([])
        scene.onTheWire = { _, message in
            switch message {
            case .shareA(_, let share):
                sent.value = share
                return [message]
            case .shareB(_, let confirmation):
                return [.shareB(share: sent.value, confirmation: confirmation)]
            default: return [message]
            }
        }
        scene.run()
        #expect(scene.failure(of: .host) == .misbehaved)
        #expect(!scene.hasIntroduced)
    }

    @Test("A share made in the host's role does not do for a joining device")
    func swappedRoles() throws {
        // Given a peer that knows w but blinds its share with M, as the host does
        let host = try SPAKE2(
            role: .first, password: [UInt8](repeating: 7, count: 48),
            random: [UInt8](repeating: 1, count: 48))
        let peer = try SPAKE2(
            role: .first, password: [UInt8](repeating: 7, count: 48),
            random: [UInt8](repeating: 2, count: 48))
        let seen = try host.transcript(
            peerShare: peer.share, identityA: [1], identityB: [2]
        ).keys(additionalData: [])
        let made = try peer.transcript(
            peerShare: host.share, identityA: [1], identityB: [2]
        ).keys(additionalData: [])
        #expect(!seen.isConfirmationB(made.confirmationB))
        #expect(!seen.isConfirmationB(made.confirmationA))

        // And a machine that answers a host as a host is refused
        var scene = stage.scene()
        scene.onTheWire = { side, message in
            guard side == .join, case .shareB(let share, _) = message,
                let id = Bytes16([UInt8](repeating: 0, count: 16))
            else { return [message] }
            return [.shareA(pairingID: id, share: share)]
        }
        scene.run()
        #expect(scene.failure(of: .host) == .misbehaved)
    }

    @Test("Roles and keys exchanged in the identities give another transcript")
    func swappedIdentities() throws {
        let password = [UInt8](repeating: 7, count: 48)
        let host = try SPAKE2(
            role: .first, password: password, random: [UInt8](repeating: 1, count: 48))
        let join = try SPAKE2(
            role: .second, password: password, random: [UInt8](repeating: 2, count: 48))
        let right = try host.transcript(
            peerShare: join.share, identityA: [1], identityB: [2]
        ).keys(additionalData: [])
        let swapped = try join.transcript(
            peerShare: host.share, identityA: [2], identityB: [1]
        ).keys(additionalData: [])
        #expect(!right.isConfirmationB(swapped.confirmationB))
    }

    @Test(
        "A bad share ends the attempt on either side",
        arguments: BadShare.all.filter { share in
            ["infinity", "compressed", "hybrid", "not on the curve"]
                .contains(share.testDescription)
        })
    func badShares(share: BadShare) throws {
        let bad = try #require(bytes(hexadecimal: share.hexadecimalText))
        for attacked in [PairingScene.Side.host, .join] {
            var scene = stage.scene()
            scene.onTheWire = { side, message in
                switch message {
                case .shareA(let id, _) where attacked == .join && side == .host:
                    [.shareA(pairingID: id, share: bad)]
                case .shareB(_, let confirmation) where attacked == .host && side == .join:
                    [.shareB(share: bad, confirmation: confirmation)]
                default: [message]
                }
            }
            scene.run()
            #expect(scene.failure(of: attacked) == .misbehaved)
            #expect(!scene.hasIntroduced)
        }
    }

    @Test(
        "A changed confirmation of the host ends the pairing before the joining side says its name")
    func changedConfirmation() {
        var scene = stage.scene()
        scene.onTheWire = { _, message in
            guard case .confirmationA = message else { return [message] }
            return [.confirmationA(.zero)]
        }
        scene.run()
        #expect(scene.failure(of: .join) == .wrongCode)
        #expect(
            !scene.sent(by: .join).contains { message in
                if case .introduction = message { true } else { false }
            })
    }

    @Test("One's own key at the other end is refused on both sides")
    func ownKey() {
        var join = stage.join(peerKey: stage.joinKeys.signingKey)
        #expect(join.start().contains(.failed(.ownDevice)))
        var host = stage.host(peerKey: stage.hostKeys.signingKey)
        let actions = host.handle(
            .message(.hello(nameplate: "", mine: false)), at: stage.start)
        #expect(actions.contains(.failed(.ownDevice)))
    }

    @Test("A card of another device than the one at the other end is refused")
    func foreignCard() {
        let stranger = stage.issuer.firstCard(of: .generate(), person: stage.ben)
        for side in [PairingScene.Side.host, .join] {
            var scene = stage.scene()
            scene.onTheWire = { from, message in
                guard from == side, case .introduction(var introduction) = message else {
                    return [message]
                }
                introduction.card = stranger
                return [.introduction(introduction)]
            }
            scene.run()
            #expect(scene.failure(of: side == .host ? .join : .host) == .misbehaved)
        }
    }

    @Test(
        "A name that is empty, too long or deceptive is refused",
        arguments: [
            "", "   ", "a\u{1B}[2Jb", "a\nb", "a\u{202E}b", "a\u{2067}b", "a\u{2028}b",
            String(repeating: "a", count: 257),
        ])
    func names(name: String) {
        #expect(!PairingName.isAcceptable(name))
    }

    @Test("A side that introduces itself with such a name is refused")
    func introducedNames() {
        var atHost = stage.scene(join: stage.join(deviceName: "a\nb"))
        atHost.run()
        #expect(atHost.failure(of: .host) == .misbehaved)
        var atJoin = stage.scene(host: stage.host(deviceName: "a\nb"))
        atJoin.run()
        #expect(atJoin.failure(of: .join) == .misbehaved)
    }

    @Test("Names people give their devices are taken")
    func goodNames() {
        for name in [
            "Laptop", "Annas Händy", "👩‍👩‍👧 phone", "مریم", String(repeating: "a", count: 256),
        ] {
            #expect(PairingName.isAcceptable(name), "\(name)")
        }
    }
}

/// A value that closures of a test share.
final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
