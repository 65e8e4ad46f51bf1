import Identity
import SyncCore
import TestKit
import Testing

@Suite("Interrupted and disordered pairing")
struct PairingInterruptionTests {
    private let stage = PairingStage()

    @Test(
        "A broken connection never leaves a joining device that stored beside a host that did not")
    func brokenAnywhere() throws {
        for mine in [false, true] {
            let identity = mine ? JoinPairing.Identity.hostsPerson(present: nil) : nil
            var whole = stage.scene(join: stage.join(identity: identity))
            whole.run(limit: 0)
            while !whole.isOver {
                // Given the same pairing up to here, and a connection that breaks at the next message
                var scene = whole
                scene.breaksAt = { _, _ in true }
                scene.goOn()
                whole.goOn(limit: 1)

                let hostHas = scene.stored(by: .host) != nil
                let joinHas = scene.stored(by: .join) != nil
                #expect(hostHas || !joinHas, "mine \(mine)")
                #expect(scene.finished(.join) == joinHas)
                #expect(scene.finished(.host) || scene.failure(of: .host) != nil)
                #expect(!scene.finished(.host) || joinHas)
                if !scene.finished(.host) {
                    #expect(
                        scene.failure(of: .host) == (hostHas ? .unconfirmed : .disconnected))
                }
                if !joinHas { #expect(scene.failure(of: .join) == .disconnected) }
            }
            #expect(whole.finished(.host) && whole.finished(.join))
        }
    }

    @Test("After a break between the two stores, pairing once more ends well with the same card")
    func retry() throws {
        var broken = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
        broken.breaksAt = { _, message in message == .stored }
        broken.run()
        let first = try #require(broken.stored(by: .host))
        #expect(broken.stored(by: .join) == nil)

        var again = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
        again.run()
        #expect(again.finished(.host) && again.finished(.join))
        let second = try #require(again.stored(by: .host))
        #expect(first.card.content == second.card.content)
    }

    @Test("A host whose disk fails says so, and the joining device does not store")
    func hostDiskFails() {
        var scene = stage.scene()
        scene.brokenDisk = .host
        scene.run()
        #expect(scene.failure(of: .host) == .storeFailed)
        #expect(scene.failure(of: .join) == .refused(.closed))
        #expect(scene.stored(by: .join) == nil)
    }

    @Test("A joining device whose disk fails leaves the host unconfirmed")
    func joinDiskFails() {
        var scene = stage.scene()
        scene.brokenDisk = .join
        scene.run()
        #expect(scene.failure(of: .join) == .storeFailed)
        #expect(scene.failure(of: .host) == .unconfirmed)
    }

    @Test("A store that is under way when the connection breaks counts when it is done")
    func disconnectedWhileStoring() throws {
        var scene = stage.scene()
        scene.run(limit: 0)
        while scene.stored(by: .join) == nil, !scene.isOver { scene.goOn(limit: 1) }
        scene.give(.disconnected, to: .join)
        scene.give(.cancelled, to: .join)
        scene.goOn()
        #expect(scene.finished(.join))

        var atHost = stage.scene()
        atHost.run(limit: 0)
        while atHost.stored(by: .host) == nil, !atHost.isOver { atHost.goOn(limit: 1) }
        atHost.give(.disconnected, to: .host)
        atHost.goOn()
        #expect(atHost.failure(of: .host) == .unconfirmed)
    }

    @Test("Silence ends every step that waits for the other side")
    func silence() {
        var whole = stage.scene()
        whole.run(limit: 0)
        var waits = 0
        while !whole.isOver {
            for side in [PairingScene.Side.host, .join] {
                let deadline = side == .host ? whole.host.deadline : whole.join.deadline
                guard let deadline else { continue }
                waits += 1
                var scene = whole
                scene.now = deadline - .milliseconds(1)
                scene.give(.tick, to: side)
                #expect(scene.failure(of: side) == nil)
                scene.now = deadline
                scene.give(.tick, to: side)
                #expect(scene.failure(of: side) != nil)
            }
            whole.goOn(limit: 1)
        }
        #expect(waits > 10)
    }

    @Test("A message out of order ends the pairing, and never asks, stores or traps")
    func outOfOrder() throws {
        let messages = try everyMessage()
        for mine in [false, true] {
            let identity = mine ? JoinPairing.Identity.hostsPerson(present: nil) : nil
            var scene = stage.scene(join: stage.join(identity: identity))
            scene.answers = [:]
            scene.run(limit: 0)
            for step in 0..<12 {
                for (message, expecters) in messages {
                    for side in [PairingScene.Side.host, .join] where !expecters.contains(side) {
                        var disturbed = scene
                        disturbed.give(.message(message), to: side)
                        #expect(
                            disturbed.failure(of: side) != nil,
                            "\(side) at step \(step) took \(message)")
                        #expect(disturbed.stored(by: side) == nil)
                    }
                }
                scene.goOn(limit: 1)
            }
            #expect(scene.question(to: .host) != nil)
        }
    }

    @Test("Only the host's word that it has stored makes the joining device store")
    func otherThanStored() throws {
        for mine in [false, true] {
            var whole = stage.scene(
                join: stage.join(identity: mine ? .hostsPerson(present: nil) : nil))
            whole.run(limit: 0)
            while whole.stored(by: .host) == nil, !whole.isOver { whole.goOn(limit: 1) }
            #expect(whole.stored(by: .host) != nil)
            for (message, _) in try everyMessage() where message != .stored {
                var scene = whole
                scene.onTheWire = { side, sent in
                    side == .host && sent == .stored ? [message] : [sent]
                }
                scene.goOn()
                #expect(scene.failure(of: .join) != nil, "\(message) in place of stored")
                #expect(scene.stored(by: .join) == nil)
                #expect(scene.failure(of: .host) == .unconfirmed)
            }
        }
    }

    @Test("A host that says it has stored, but has sent no endorsement, is not believed")
    func missingEndorsement() {
        var scene = stage.scene(join: stage.join(identity: .hostsPerson(present: nil)))
        scene.onTheWire = { _, message in
            if case .endorsement = message { [] } else { [message] }
        }
        scene.run()
        #expect(scene.failure(of: .join) == .misbehaved)
        #expect(scene.stored(by: .join) == nil)
    }

    @Test("Whatever messages come in whatever order, nothing is stored that nobody agreed to")
    func randomOrder() throws {
        let messages = try everyMessage().map(\.0)
        var generator = SeededGenerator(seed: TestSeeds.first)
        var prepared = stage.scene()
        prepared.answers = [:]
        prepared.run()
        for _ in 0..<500 {
            var scene = prepared
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                guard let message = messages.randomElement(using: &generator) else { continue }
                scene.give(.message(message), to: .host)
                scene.give(.message(message), to: .join)
            }
            #expect(scene.stored(by: .host) == nil)
            #expect(scene.stored(by: .join) == nil)
        }
    }

    @Test("After its end a machine does nothing more")
    func afterTheEnd() throws {
        var scene = stage.scene()
        scene.run()
        for (message, _) in try everyMessage() {
            #expect(scene.host.handle(.message(message), at: scene.now).isEmpty)
            #expect(scene.join.handle(.message(message), at: scene.now).isEmpty)
        }
        for event in [
            PairingEvent.stored, .storeFailed, .decided(accepted: true), .cancelled, .disconnected,
            .tick, .notBurned(.busy),
        ] {
            #expect(scene.host.handle(event, at: scene.now).isEmpty)
            #expect(scene.join.handle(event, at: scene.now).isEmpty)
        }
    }

    /// One message of each kind, and the sides that may rightly get it at some time in a scene
    /// where nobody answers a question; the others must never take it.
    private func everyMessage() throws -> [(PairingMessage, Set<PairingScene.Side>)] {
        let endorsement = PairingEndorsement(
            card: stage.joinCard, homeSpace: stage.homeSpace, personName: "Anna")
        let introduction = PairingIntroduction(
            card: nil, request: nil, personName: "", deviceName: "", listeningPort: 0)
        return [
            (.hello(nameplate: "1", mine: false), [.host]),
            (.shareA(pairingID: .zero, share: []), []),
            (.shareB(share: [], confirmation: .zero), []),
            (.confirmationA(.zero), []),
            (.introduction(introduction), []),
            (.decision(accepted: false), []),
            (.decision(accepted: true), [.host, .join]),
            (.endorsement(endorsement), []),
            (.stored, []),
            (.refusal(.misbehaved), []),
        ]
    }
}
