import Device
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite struct LeaveTests {
    @Test("a space left without a note counts as left once the store is opened")
    func notedWhenOpened() async throws {
        try await OfflineDevice.with { agent in
            // given
            let (store, work) = (agent.node.store, agent.node.work)
            let space = try await agent.node.createSpace(
                .shared, following: nil, isEncrypted: false
            ) { _ in [] }
            _ = try work.members.leave(space)
            #expect(store.spaces.standing(of: space) == .left)
            // when only the commit became durable, as with an earlier program
            try store.spaces.setStanding(of: space, to: .active, now: agent.node.clock.wall)
            let done = try work.spaces.open(space)
            // then
            #expect(store.spaces.standing(of: space) == .left)
            #expect(done.failures.isEmpty)
        }
    }

    @Test("a hint about a space that is no trip names the command for spaces")
    func hintsOfSpaces() async throws {
        try await OfflineDevice.with { agent in
            // given
            let document = """
                schema: 1
                name: groceries
                version: 1
                collections:
                  product:
                    fields:
                      name: { type: text, required: true }
                """
            _ = try await agent.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document))
            let me = try #require(
                try await agent.service.call(\.trips.sharing.members, id: "Home").first)
            // when, then
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "Nobody else has “Home”; it would be lost when you leave.",
                    hint: """
                        Give it to someone first, or delete it: peersync space delete Home
                        """)
            ) {
                try await agent.service.call(\.trips.sharing.leave, id: "Home")
            }
            await #expect(
                throws: APIError(
                    code: .conflict, sentence: "This would be your own device.",
                    hint: "To give it up yourself: peersync space leave Home")
            ) {
                try await agent.service.call(
                    \.trips.sharing.revoke, id: "Home", RevokeDraft(who: me.person.name))
            }
        }
    }

    @Test("a trip that was left and is given again is closed until the person answers")
    func givenAgain() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            try ann.receive(space, from: ben)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .contributor))
            // when
            let heard = try ben.receiveAsWork(space, from: ann)
            // then it is closed before the engine hears of more
            #expect(steps(heard).first == .closed)
            #expect(standing(of: space, ben) == .offered)
            #expect(steps(try ben.node.work.spaces.begin()).contains(.closed))
            // when
            let accepted = try ben.node.work.offers.accept(space)
            // then it is opened as it is
            #expect(steps(accepted) == [.opened])
            #expect(accepted.membershipChanged == space)
            #expect(standing(of: space, ben) == .active)
        }
    }

    @Test("a trip that was given again before the agent ended is closed when it starts")
    func closedAtStart() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            try ann.receive(space, from: ben)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .contributor))
            try ben.receive(space, from: ann, standing: .left)
            // when
            let begun = try ben.node.work.spaces.begin()
            // then
            #expect(standing(of: space, ben) == .offered)
            #expect(!opens(space, begun))
            #expect(steps(begun).contains(.closed))
        }
    }

    @Test(
        "a trip whose leave was lost through damage is open at a start, so that others bring it back"
    )
    func lostLeave() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann, standing: .left)
            // when
            let begun = try ben.node.work.spaces.begin()
            // then
            #expect(standing(of: space, ben) == .left)
            #expect(opens(space, begun))
        }
    }

    @Test("a trip that is given again and declined is open, so that others hear the no")
    func declinedAgain() async throws {
        try await OfflineDevice.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            try ann.receive(space, from: ben)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .contributor))
            _ = try ben.receiveAsWork(space, from: ann)
            // when
            let declined = try ben.node.work.offers.decline(space)
            // then
            #expect(steps(declined) == [.applied, .opened])
            #expect(standing(of: space, ben) == .left)
            try ann.receive(space, from: ben)
            #expect(ann.node.membership(of: space)?.isMember(ben.node.work.person) == false)
        }
    }

    @Test(
        "two devices of one person that somebody else let in leave together, and come back together"
    )
    func equals() async throws {
        try await withBensDevices { ann, ben, phone, space in
            // when one leaves, and the other hears of it
            #expect(
                try await ben.service.call(\.trips.show, id: "Arezzo").keptBy == nil)
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            let heard = try phone.receiveAsWork(space, from: ben)
            // then
            #expect(heard.failures.isEmpty)
            #expect(notesLeave(of: space, heard))
            #expect(standing(of: space, phone) == .left)
            try ann.receive(space, from: phone)
            #expect(ann.node.membership(of: space)?.isMember(ben.node.work.person) == false)
            // when both are invited again, and one declines
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .contributor))
            for device in [ben, phone] { _ = try device.receiveAsWork(space, from: ann) }
            #expect([ben, phone].map { standing(of: space, $0) } == [.offered, .offered])
            _ = try phone.node.work.offers.decline(space)
            _ = try ben.receiveAsWork(space, from: phone)
            // then the other one still asks, and may accept
            #expect([ben, phone].map { standing(of: space, $0) } == [.offered, .left])
            _ = try ben.node.work.offers.accept(space)
            #expect(standing(of: space, ben) == .active)
            _ = try ben.node.work.spaces.begin()
            #expect(standing(of: space, ben) == .active)
        }
    }

    @Test("only a device that follows a leave says for weeks that the trip was left elsewhere")
    func told() async throws {
        try await withBensDevices { ann, ben, phone, space in
            // when
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            _ = try phone.receiveAsWork(space, from: ben)
            _ = try ben.receiveAsWork(space, from: phone)
            // then
            let listed = try await phone.service.call(\.trips.list)
            #expect(listed.map(\.membership) == [.left] && listed.map(\.name) == ["Arezzo"])
            #expect(try await phone.service.call(\.spaces.list).map(\.membership) == [.left])
            #expect(
                try await phone.service.call(\.trips.show, id: "Arezzo").membership == .left)
            await #expect(throws: APIError.self) { try await phone.add("Hut") }
            #expect(try await ben.service.call(\.trips.list).isEmpty)
            await #expect(throws: APIError.self) {
                try await ben.service.call(\.trips.show, id: "Arezzo")
            }
            // when it is given again
            _ = try ann.receiveAsWork(space, from: phone)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .contributor))
            _ = try phone.receiveAsWork(space, from: ann)
            // then
            #expect(try await phone.service.call(\.trips.list).map(\.membership) == [.granted])
        }
    }

    @Test("a device that follows a leave throws out no other one that kept the trip")
    func keptOnPurpose() async throws {
        let key = PersonKey.generate()
        try await withBensDevices(key) { ann, ben, phone, space in
            try await OfflineDevice.with("Ben", key: key) { tablet in
                // given a third device, which heard of the leave and was used then
                for other in [ann, ben, phone] {
                    try other.meet(tablet)
                    try tablet.meet(other)
                }
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo",
                    GrantDraft(person: "Ben", role: .contributor))
                for device in [ben, phone, tablet] { try device.receive(space, from: ann) }
                _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
                try tablet.receive(space, from: ben)
                try await tablet.add("Duomo")
                // when another one follows
                _ = try phone.receiveAsWork(space, from: ben)
                #expect(standing(of: space, phone) == .left)
                _ = try tablet.receiveAsWork(space, from: phone)
                // then
                #expect(standing(of: space, tablet) == .active)
                let device = tablet.node.identity.deviceID
                #expect(
                    tablet.node.membership(of: space)?.permissions(of: device) == .contributor)
            }
        }
    }

    @Test("a device does not follow a leave that it stored before it could look at it")
    func earlierLeave() async throws {
        try await withBensDevices { _, ben, phone, space in
            // given
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            try phone.receive(space, from: ben)
            // when
            _ = try phone.node.work.spaces.begin()
            _ = try phone.node.work.offers.updateStanding(of: space)
            // then
            #expect(standing(of: space, phone) == .active)
        }
    }

    @Test(
        "a device follows a leave only when another person's device has what was written on it",
        arguments: [false, true])
    func onlyHere(isAcked: Bool) async throws {
        try await withBensDevices { ann, ben, phone, space in
            // given
            try await phone.add("Duomo")
            if isAcked {
                try ann.receive(space, from: phone)
                let watermark = ann.node.watermark(of: space)
                let said = ann.node.work.perform(.acknowledge(space, watermark))
                for case .ackSigned(let ack) in said?.events ?? [] {
                    _ = phone.node.work.perform(.verifyAck(ack, from: SessionID(1)))
                }
            }
            // when
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            _ = try phone.receiveAsWork(space, from: ben)
            // then
            #expect(standing(of: space, phone) == (isAcked ? .left : .active))
        }
    }

    @Test("a role given by somebody who has not heard of a leave brings nobody back")
    func raisedMeanwhile() async throws {
        try await OfflineDevice.shared(.viewer) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .editor))
            // when
            let heard = try ben.receiveAsWork(space, from: ann)
            // then
            #expect(heard.failures.isEmpty)
            #expect(standing(of: space, ben) == .left)
            let device = ben.node.identity.deviceID
            #expect(ben.node.membership(of: space)?.permissions(of: device).isEmpty == true)
        }
    }

    @Test(
        "an elder device stays, is named before a younger one leaves, and does not let it in again")
    func elder() async throws {
        let key = PersonKey.generate()
        try await OfflineDevice.shared(.admin, by: key) { ann, ben, space in
            try await OfflineDevice.with("Ann", key: key) { phone in
                // given
                try ben.receive(space, from: ann)
                try ann.meet(phone)
                try phone.meet(ann)
                _ = try ann.node.work.devices.giveSiblings()
                try phone.receive(space, from: ann)
                let elder = phone.node.reference(ann.node.identity.deviceID)
                #expect(
                    try await phone.service.call(\.trips.show, id: "Arezzo").keptBy == [elder])
                // when
                _ = try await phone.service.call(\.trips.sharing.leave, id: "Arezzo")
                _ = try ann.receiveAsWork(space, from: phone)
                _ = try ann.node.work.devices.giveSiblings()
                // then
                #expect(standing(of: space, ann) == .active)
                let younger = phone.node.identity.deviceID
                #expect(ann.node.membership(of: space)?.permissions(of: younger).isEmpty == true)
            }
        }
    }

    @Test("the log says why a trip is gone from a younger device when an elder one left it")
    func youngerIsNoted() async throws {
        let key = PersonKey.generate()
        try await OfflineDevice.shared(.admin, by: key) { ann, ben, space in
            try await OfflineDevice.with("Ann", key: key) { phone in
                // given
                try ben.receive(space, from: ann)
                try ann.meet(phone)
                try phone.meet(ann)
                _ = try ann.node.work.devices.giveSiblings()
                try phone.receive(space, from: ann)
                // when
                _ = try await ann.service.call(\.trips.sharing.leave, id: "Arezzo")
                let heard = try phone.receiveAsWork(space, from: ann)
                // then
                #expect(standing(of: space, phone) == .left)
                #expect(notesLeave(of: space, heard))
            }
        }
    }

    // MARK: What is told and stored

    private enum Step: Equatable {
        case applied, accepted, opened, closed
    }

    /// What the engine is to hear of where spaces stand, in order.
    private func steps(_ done: EngineWork.Done) -> [Step] {
        done.events.compactMap { event in
            switch event {
            case .applied: .applied
            case .spaceAccepted: .accepted
            case .spaceOpened: .opened
            case .spaceClosed: .closed
            default: nil
            }
        }
    }

    private func opens(_ space: SpaceID, _ done: EngineWork.Done) -> Bool {
        done.events.contains { event in
            if case .spaceOpened(let view) = event { view.space == space } else { false }
        }
    }

    private func notesLeave(of space: SpaceID, _ done: EngineWork.Done) -> Bool {
        done.notes.contains { if case .leftElsewhere(space) = $0 { true } else { false } }
    }

    private func standing(of space: SpaceID, _ agent: OfflineDevice) -> SpaceStanding? {
        agent.node.store.spaces.standing(of: space)
    }

    /// Ann's trip, which she gave to Ben's laptop and phone.
    private func withBensDevices(
        _ key: PersonKey = .generate(),
        _ body: (
            _ ann: OfflineDevice, _ ben: OfflineDevice, _ phone: OfflineDevice, _ space: SpaceID
        ) async throws -> Void
    ) async throws {
        try await OfflineDevice.with("Ann") { ann in
            try await OfflineDevice.with("Ben", key: key) { ben in
                try await OfflineDevice.with("Ben", key: key) { phone in
                    for (one, other) in [(ann, ben), (ann, phone), (ben, phone)] {
                        try one.meet(other)
                        try other.meet(one)
                    }
                    let trip = try await ann.service.call(
                        \.trips.create, TripDraft(name: "Arezzo"))
                    let space = try #require(
                        bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
                    _ = try await ann.service.call(
                        \.trips.sharing.grant, id: "Arezzo",
                        GrantDraft(person: "Ben", role: .contributor))
                    for device in [ben, phone] { try device.receive(space, from: ann) }
                    try await body(ann, ben, phone, space)
                }
            }
        }
    }
}
