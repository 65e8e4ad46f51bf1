import Agent
import Device
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Lost devices, recovery keys and changes that do not count")
struct LostDeviceTests {
    @Test("If another person's device is lost, an admin revokes the trip, others learn who could")
    func lostByAdmin() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await ben.add("Before")
            try ann.receive(space, from: ben)
            let device = ben.node.reference(ben.node.identity.deviceID).id
            let preview = try await ann.service.call(
                \.devices.lost, id: device, LostDraft(preview: true))
            #expect(!preview.done && !preview.me && preview.trips.map(\.outcome) == [.taken])
            #expect(preview.trips[0].changesHeld == 1 && preview.trips[0].changes == 6)
            let view = try await ann.service.call(\.devices.lost, id: device, LostDraft())
            #expect(view.done && view.trips.map(\.outcome) == [.taken])
            try await ben.add("Stolen")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["Before", "Duomo"])
            // The answer to a second request lists who has received it.
            let again = try await ann.service.call(\.devices.lost, id: device, LostDraft())
            #expect(again.trips.map(\.outcome) == [.taken])

            let orphans = try await ann.service.call(\.trips.recovery.orphans, ScopeFilter())
            #expect(orphans.map(\.count) == [1] && orphans[0].recoverable && !orphans[0].isMine)
            #expect(
                Sentence.Changes.text(orphans[0].changes)
                    == "added the memory \u{201C}Stolen\u{201D}")
            let status = try await ann.service.call(\.agent.status)
            #expect(status.problems.contains { $0.kind == .orphans && $0.count == 1 })
            _ = try await ann.service.call(\.trips.recovery.dismissOrphans, ScopeFilter())
            let calm = try await ann.service.call(\.agent.status)
            #expect(!calm.problems.contains { $0.kind == .orphans })
            let dismissed = try await ann.service.call(\.trips.recovery.orphans, ScopeFilter())
            #expect(dismissed.map(\.dismissed) == [true] && dismissed[0].reason == .noRight)
            // A dismissed change stays dismissed, unless its device is named.
            let none = try await ann.service.call(\.trips.recovery.recoverOrphans, RecoverRequest())
            #expect(none.recovered.isEmpty)
            let report = try await ann.service.call(
                \.trips.recovery.recoverOrphans, RecoverRequest(trip: "Arezzo", device: device))
            #expect(report.recovered.map(\.changes) == [1] && report.refused == 0)
            #expect(try await ann.titles() == ["Before", "Duomo", "Stolen"])
            #expect(try await ann.service.call(\.trips.recovery.orphans, ScopeFilter()).isEmpty)
            // A recovery can be reverted and repeated as often as somebody likes.
            for _ in 0..<2 { try await putAway(by: ann, device: device) }
            // A revoked space cannot be shared from there.
            try ben.receive(space, from: ann)
            #expect(try ben.node.sync.onlyHere().isEmpty)
        }
    }

    @Test("Another person's lost device is forgotten, and the way back is to pair and to grant")
    func wayBack() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            let device = ben.node.reference(ben.node.identity.deviceID)
            func found() async throws -> FoundView {
                try await ann.service.call(\.devices.found, id: device.id, FoundDraft())
            }
            let sentence: Message = "\(Sentence.plain(device.name)) is not called lost."
            await #expect(
                throws: APIError(
                    code: .conflict, sentence: sentence, hint: "Which are: peersync device list")
            ) { try await found() }
            // when
            let view = try await ann.service.call(\.devices.lost, id: device.id, LostDraft())
            // then
            #expect(view.call == .notYours)
            let way = """
                Pair with it: peersync pair. Then give it each trip back, with the role it had: \
                peersync trip grant TRIP \(Sentence.quoted(device.name)) --role ROLE
                """
            let error = await #expect(throws: APIError.self) { try await found() }
            #expect(error?.sentence.contains("is not called lost") == true)
            #expect(error?.hint?.contains(way) == true)
            try ann.meet(ben)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .contributor))
            try ben.receive(space, from: ann)
            try await ben.add("Found")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["Duomo", "Found"])
        }
    }

    @Test("A second request says that nothing is left to take, the first one which role was taken")
    func secondRequest() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            let device = ben.node.reference(ben.node.identity.deviceID)
            // when
            let first = try await ann.service.call(\.devices.lost, id: device.id, LostDraft())
            let second = try await ann.service.call(
                \.devices.lost, id: device.id, LostDraft(preview: true))
            // then
            #expect(!first.again && first.trips.map(\.role) == [.editor])
            #expect(second.again && second.trips.map(\.role) == [nil])
        }
    }

    @Test("Trips of one name are told apart in what a lost device has")
    func namesakes() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            // given
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let device = ben.node.reference(ben.node.identity.deviceID)
            // when
            let view = try await ann.service.call(
                \.devices.lost, id: device.id, LostDraft(preview: true))
            // then
            let name = "Arezzo (\(space.description.prefix(4)))"
            #expect(view.trips.map(\.trip?.name) == [name])
        }
    }

    @Test("A member who cannot take the trip from a lost device sees that the device still gets it")
    func lostFounder() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            // given
            try ben.receive(space, from: ann)
            let device = ann.node.reference(ann.node.identity.deviceID)
            // when
            let view = try await ben.service.call(\.devices.lost, id: device.id, LostDraft())
            // then
            #expect(view.trips.map(\.outcome) == [.notAllowed])
            let members = try await ben.service.call(\.trips.sharing.members, id: "Arezzo")
            let founder = try #require(members.first { $0.founder })
            #expect(founder.lostDevices == [LostMember(device, isForgotten: true)])
        }
    }

    private func putAway(by ann: TestAgent, device: String) async throws {
        let undone = try await ann.service.call(
            \.trips.recovery.undoRecovery, ScopeFilter(trip: "Arezzo"))
        #expect(undone == RecoverUndoView(changes: 1, refused: []))
        #expect(try await ann.titles() == ["Before", "Duomo"])
        #expect(try await ann.service.call(\.trips.recovery.orphans, ScopeFilter()).count == 1)
        _ = try await ann.service.call(
            \.trips.recovery.recoverOrphans, RecoverRequest(device: device))
        #expect(try await ann.titles() == ["Before", "Duomo", "Stolen"])
    }

    @Test("Undoing a recovery keeps later changes, and restores the values from before")
    func undoneEdits() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            let memory = try await ben.service.call(\.memories.list, MemoryFilter())[0].id
            var edit = MemoryChanges()
            edit.title = "Cathedral"
            edit.text = "By Ben"
            edit.addTags = ["church"]
            _ = try await ben.service.call(\.memories.edit, id: memory, edit)
            try ann.receive(space, from: ben)
            let report = try await ann.service.call(
                \.trips.recovery.recoverOrphans, RecoverRequest())
            #expect(report.refused == 0)
            var shown = try await ann.service.call(\.memories.show, id: memory)
            #expect(shown.title == "Cathedral" && shown.tags.map(\.name) == ["church"])
            var later = MemoryChanges()
            later.text = "By Ann"
            _ = try await ann.service.call(\.memories.edit, id: memory, later)
            _ = try await ann.service.call(\.trips.recovery.undoRecovery, ScopeFilter())
            shown = try await ann.service.call(\.memories.show, id: memory)
            #expect(shown.title == "Duomo" && shown.text == "By Ann" && shown.tags.isEmpty)
        }
    }

    @Test("Only the founder's key removes the founder's device, whichever member carries it")
    func byKey() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let device = ann.node.reference(ann.node.identity.deviceID).id
            let refused = try await ben.service.call(\.devices.lost, id: device, LostDraft())
            #expect(refused.trips.map(\.outcome) == [.notAllowed])
            let key = PersonKey.generate()
            await #expect(throws: APIError.recoveryKeyOfAnother) {
                try await ben.service.call(
                    \.devices.lost, id: device, LostDraft(recoveryKey: key.recoveryText))
            }
            let tested = try await ben.service.call(
                \.devices.testKey, RecoveryKeyDraft(recoveryKey: key.recoveryText))
            #expect(tested == RecoveryKeyView(person: nil, me: false, exchanged: false))
            let mistyped = String(key.recoveryText.dropLast()) + "?"
            await #expect(throws: APIError.self) {
                try await ben.service.call(
                    \.devices.testKey, RecoveryKeyDraft(recoveryKey: mistyped))
            }
            await #expect(
                throws: APIError(
                    code: .conflict, sentence: "This is the device you are using.",
                    hint: "To give a trip up: peersync trip leave TRIP")
            ) {
                try await ann.service.call(\.devices.lost, id: device, LostDraft())
            }
        }
    }

    @Test("a trip that a found device gets back is told on all hosts, and a new device is not")
    func deviceFound() async throws {
        let key = PersonKey.generate()
        try await TestAgent.shared(.editor, by: key) { ann, ben, space in
            try await TestAgent.with("Ann", key: key) { phone in
                // given
                try ben.receive(space, from: ann)
                try ann.meet(phone)
                try phone.meet(ann)
                _ = try ann.node.work.devices.giveSiblings()
                let device = ann.node.reference(phone.node.identity.deviceID).id
                func told(_ agent: TestAgent) async throws -> [ChangeView] {
                    let log = try await agent.service.call(
                        \.changes.list, ChangeFilter(since: Moment(milliseconds: 0)))
                    return log.entries.filter { $0.space != nil }.flatMap(\.changes)
                        .filter { $0.person?.id == device }
                }
                #expect(try await told(ann).isEmpty)
                // when
                _ = try await ann.service.call(\.devices.lost, id: device, LostDraft())
                let view = try await ann.service.call(\.devices.found, id: device, FoundDraft())
                try ben.receive(space, from: ann)
                // then
                #expect(view.trips.map(\.name) == ["Arezzo"])
                for agent in [ann, ben] {
                    let told = try await told(agent)
                    #expect(told.map(\.kind) == [.tookFromDevice, .returnedToDevice])
                    let back = try #require(told.last)
                    let name = Sentence.plain(back.person?.name ?? "")
                    #expect(
                        Sentence.Changes.text([back]) == "gave back the trip to the device \(name)")
                }
            }
        }
    }
}
