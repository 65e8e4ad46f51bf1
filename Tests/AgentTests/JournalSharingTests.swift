import Agent
import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("One trip on the devices of two people")
struct JournalSharingTests {
    @Test("A granted trip waits for an answer")
    func offer() async throws {
        try await TestAgent.shared(.contributor) { _, ben, _ in
            let trip = try await ben.service.call(\.trips.show, id: "arezzo")
            #expect(trip.membership == .granted)
            #expect(trip.role == .contributor)
            #expect(trip.grantedBy?.name == "Ann")
            await #expect(throws: SpaceErrors.notAcceptedYet(space: "Arezzo")) {
                try await ben.service.call(\.memories.add, MemoryDraft(trip: "Arezzo"))
            }
            let accepted = try await ben.service.call(\.trips.sharing.accept, id: "Arezzo")
            #expect(accepted.membership == .member)
            await #expect(throws: SpaceErrors.alreadyAnswered(space: "Arezzo", .trip)) {
                try await ben.service.call(\.trips.sharing.decline, id: "Arezzo")
            }
        }
    }

    @Test("A declined trip is no longer listed")
    func decline() async throws {
        try await TestAgent.shared(.viewer) { _, ben, _ in
            let declined = try await ben.service.call(\.trips.sharing.decline, id: "Arezzo")
            #expect(declined.name == "Arezzo")
            #expect(try await ben.service.call(\.trips.list).isEmpty)
        }
    }

    @Test("Where two trips have one name, status prints commands that find the one it means")
    func twins() async throws {
        try await TestAgent.shared(.contributor) { ann, _, space in
            let other = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let problem = try #require(
                try await ann.service.call(\.agent.status).problems
                    .first { $0.kind == .unanswered })
            let name = "Arezzo (\(space.description.prefix(4)))"
            #expect(problem.sentence.contains(name))
            #expect(problem.remedy?.contains("peersync trip revoke '\(name)' Ben") == true)
            let found = try await ann.service.call(\.trips.show, id: name)
            #expect(found.id == space.description && found.id != other.id)
            await #expect(throws: APIError.self) {
                try await ann.service.call(\.trips.show, id: "Arezzo")
            }
        }
    }

    @Test("The inviter sees an invitation as open or declined until it is accepted")
    func answers() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            func told() async throws -> [ProblemView] {
                try await ann.service.call(\.agent.status).problems
                    .filter { [.unanswered, .declined].contains($0.kind) }
            }
            #expect(try await told().map(\.kind) == [.unanswered])
            func waiting() async throws -> [ProblemView.Kind] {
                try await ann.service.call(\.agent.waiting, WhyScope()).decisions.map(\.kind)
            }
            #expect(try await waiting() == [.unanswered])
            let device = ben.node.identity.deviceID
            for _ in 1...2 {
                let done = try #require(ann.node.work.perform(.declined(space, by: device)))
                #expect(done.failures.isEmpty)
            }
            #expect(try Declines(ann.node.store).devices(of: space) == [device])
            let no = try await told()
            #expect(no.map(\.kind) == [.declined])
            #expect(try await waiting().isEmpty)
            let sentence = try #require(no.first?.sentence)
            #expect(sentence.hasPrefix("Ben declined your invitation to"))
            #expect(no.first?.remedy?.contains("peersync trip revoke Arezzo Ben") == true)
            // A device that declined knows no later name.
            let accept = "peersync trip accept \(ShortIDs.alone(space.description))"
            #expect(no.first?.remedy?.hasSuffix(accept) == true)
            let asked = try await ann.service.call(\.trips.sharing.members, id: "Arezzo")
            #expect(asked.map(\.declined) == [nil, true])
            // Nothing waits for an invited person, and the data here is on no other device.
            let status = try await ann.service.call(\.agent.status)
            #expect(status.devices.allSatisfy { $0.waiting == .nothing })
            #expect(status.trips.map(\.state) == [.localOnly])

            try ben.receive(space, from: ann)
            try await ben.add("Yes")
            try ann.receive(space, from: ben)
            #expect(try await told().isEmpty)
        }
    }

    @Test(
        "A member whose role was raised leaves with all rights, and is asked again when invited again"
    )
    func invitedAgain() async throws {
        try await TestAgent.shared(.viewer) { ann, ben, space in
            // given
            func grant(_ role: LocalAPI.Role) async throws -> MemberView {
                try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: role))
            }
            try ben.receive(space, from: ann)
            #expect(try await !grant(.contributor).accepted)
            try ben.receive(space, from: ann)
            try await ben.add("Yes")
            try ann.receive(space, from: ben)
            #expect(try await grant(.editor).accepted)
            try ben.receive(space, from: ann)
            // when
            _ = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            try ann.receive(space, from: ben)
            // then
            let device = ben.node.identity.deviceID
            let membership = try #require(ann.node.membership(of: space))
            #expect(membership.permissions(of: device).isEmpty)
            // He gave up several grants, and left once.
            let log = try await ann.service.call(\.changes.list, ChangeFilter())
            #expect(log.entries.flatMap(\.changes).count { $0.kind == .left } == 1)
            #expect(try await !grant(.contributor).accepted)
            let problems = try await ann.service.call(\.agent.status).problems
            #expect(problems.contains { $0.kind == .unanswered })
            let members = try await ann.service.call(\.trips.sharing.members, id: "Arezzo")
            #expect(members.map(\.accepted) == [true, false])
            let why = try await ann.service.call(\.agent.why, id: "Duomo", WhyScope())
            #expect(why.devices.map(\.state) == [.complete, .notAccepted])
        }
    }

    @Test("A person who declined is asked again when the same role is granted again")
    func grantedAgain() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            // given
            let (giver, device) = (ann.node.identity.deviceID, ben.node.identity.deviceID)
            func bringOffer() throws -> GrantCount {
                let membership = try #require(ann.node.membership(of: space))
                let described = Offer(title: "Arezzo", from: "", flags: [], bytes: 0)
                let offer = OfferedSpace(described, givers: [:]).offer(to: device, membership)
                let done = ben.node.work.perform(.offer(space, offer, from: giver))
                #expect(try #require(done).failures.isEmpty)
                return offer.grants
            }
            func decline() async throws {
                let grants = try bringOffer()
                _ = try await ben.service.call(\.trips.sharing.decline, id: "Arezzo")
                _ = ann.node.work.perform(.declined(space, grants: grants, by: device))
                // It comes with each list of spaces.
                #expect(try bringOffer() == grants)
                #expect(try await ben.service.call(\.trips.list).isEmpty)
            }
            func grantAgain() async throws -> MemberView {
                try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo",
                    GrantDraft(person: "Ben", role: .contributor))
            }
            func answer() async throws -> [ProblemView.Kind] {
                try await ann.service.call(\.agent.status).problems.map(\.kind)
                    .filter { [.unanswered, .declined].contains($0) }
            }
            try await decline()
            #expect(try await answer() == [.declined])
            // when
            let member = try await grantAgain()
            // then
            #expect(member.declined == nil)
            #expect(try await answer() == [.unanswered])
            let grants = try bringOffer()
            #expect(try await ben.service.call(\.trips.list).map(\.membership) == [.granted])
            // An invitation that is open needs no further grant.
            _ = try await grantAgain()
            #expect(try bringOffer() == grants)
            // when
            try await decline()
            // then
            #expect(try await answer() == [.declined])
        }
    }

    @Test("A viewer sees everything and may change nothing")
    func viewer() async throws {
        try await TestAgent.shared(.viewer) { ann, ben, space in
            try ben.receive(space, from: ann)
            #expect(
                try await ben.service.call(\.memories.list, MemoryFilter()).map(\.title) == [
                    "Duomo"
                ])
            #expect(try await ben.service.call(\.memories.show, id: "Duomo").author.name == "Ann")
            var changes = MemoryChanges()
            changes.title = "Dom"
            let error = await #expect(throws: APIError.self) {
                try await ben.service.call(\.memories.edit, id: "Duomo", changes)
            }
            #expect(error?.code == .notAllowed)
            let grant = await #expect(throws: APIError.self) {
                try await ben.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ann", role: .admin))
            }
            #expect(grant?.code == .notAllowed)
        }
    }

    @Test("A contributor adds and edits but does not delete others' records")
    func contributor() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Pizza"
            _ = try await ben.service.call(\.memories.add, draft)
            let error = await #expect(throws: APIError.self) {
                try await ben.service.call(\.memories.delete, id: "Duomo")
            }
            #expect(error?.code == .notAllowed)
            try ann.receive(space, from: ben)
            #expect(
                try await ann.service.call(\.memories.list, MemoryFilter()).map(\.title) == [
                    "Duomo", "Pizza",
                ])
            #expect(
                try await ann.service.call(\.trips.digest, id: "Arezzo").digest
                    == ben.service.call(\.trips.digest, id: "Arezzo").digest)
            let members = try await ann.service.call(\.trips.sharing.members, id: "Arezzo")
            #expect(members.map(\.accepted) == [true, true])
            #expect(members.map(\.founder) == [true, false])
        }
    }

    @Test("Two edits at once are a conflict with both values, until somebody decides")
    func conflict() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            var changes = MemoryChanges()
            changes.title = "Dom"
            _ = try await ann.service.call(\.memories.edit, id: "Duomo", changes)
            changes.title = "Cathedral"
            changes.addTags = ["art"]
            _ = try await ben.service.call(\.memories.edit, id: "Duomo", changes)
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)

            let memory = try await ann.service.call(\.memories.list, MemoryFilter())[0]
            #expect(memory.status == .conflict)
            let shown = try await ann.service.call(\.memories.show, id: memory.id)
            #expect(shown.conflicts.map(\.field) == ["title"])
            #expect(Set(shown.conflicts[0].values.map(\.text)) == ["Dom", "Cathedral"])
            #expect(Set(shown.conflicts[0].values.map(\.author.name)) == ["Ann", "Ben"])
            #expect(shown.conflicts[0].values[0].text == shown.title)
            #expect(try await ben.service.call(\.memories.show, id: memory.id).title == shown.title)
            // The log says of which of both edits the title is not shown.
            var all = ChangeFilter()
            all.whole = true
            let edits = try await ann.service.call(\.changes.list, all).entries
                .filter { $0.changes.contains { $0.fields.contains("title") } }
            #expect(edits.count == 2)
            for edit in edits {
                let isShown = edit.isMine == (shown.title == "Dom")
                let line = Sentence.Changes.line(edit)
                #expect(line.contains("(another value is shown)") != isShown, "\(line)")
            }

            var decision = MemoryChanges()
            decision.title = shown.title
            decision.seen = shown.seen
            let decided = try await ann.service.call(\.memories.edit, id: memory.id, decision)
            #expect(decided.conflicts.isEmpty)
            #expect(decided.title == shown.title)
            #expect(decided.tags.map(\.name) == ["art"])
        }
    }

    @Test("An edit with old tokens overwrites nothing written in between")
    func staleTokens() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let seen = try await ann.service.call(\.memories.show, id: "Duomo").seen
            var theirs = MemoryChanges()
            theirs.title = "Cathedral"
            _ = try await ben.service.call(\.memories.edit, id: "Duomo", theirs)
            try ann.receive(space, from: ben)
            var mine = MemoryChanges()
            mine.title = "Dom"
            mine.seen = seen

            let saved = try await ann.service.call(\.memories.edit, id: "Cathedral", mine)

            #expect(Set(saved.conflicts.flatMap(\.values).map(\.text)) == ["Dom", "Cathedral"])
        }
    }

    @Test("The same photo added on two devices is one")
    func samePhoto() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            for (agent, name) in [(ann, "a.bin"), (ben, "b.bin")] {
                var changes = MemoryChanges()
                changes.addPhotoPaths = [try agent.file(name, "same bytes")]
                changes.addTags = ["Food"]
                _ = try await agent.service.call(\.memories.edit, id: "Duomo", changes)
            }
            try ann.receive(space, from: ben)
            try ben.receive(space, from: ann)
            let memory = try await ann.service.call(\.memories.show, id: "Duomo")
            #expect(memory.media.count == 1)
            #expect(memory.tags.map(\.name) == ["Food"])
            #expect(memory.conflicts.isEmpty)
            #expect(
                try await ben.service.call(\.memories.show, id: "Duomo").media.map(\.id)
                    == memory.media.map(\.id))
            // It counts once everywhere, and nothing is left to do about it.
            let trip = try await ann.service.call(\.trips.show, id: "Arezzo")
            let listed = try await ann.service.call(\.media.list, MediaFilter())
            let digest = try await ann.service.call(\.trips.digest, id: "Arezzo")
            #expect([trip.mediaCount, listed.count, digest.filesTotal] == [1, 1, 1])
            #expect(try await ann.service.call(\.spaces.check, id: "Arezzo").findings.isEmpty)
            // In another memory it is another file of the trip.
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Market"
            draft.photoPaths = [try ann.file("c.bin", "same bytes")]
            draft.again = true
            _ = try await ann.service.call(\.memories.add, draft)
            #expect(try await ann.service.call(\.trips.show, id: "Arezzo").mediaCount == 2)
            #expect(try await ann.service.call(\.media.list, MediaFilter()).count == 2)
            #expect(try await ann.service.call(\.trips.digest, id: "Arezzo").filesTotal == 2)
        }
    }

    @Test("A photo that an import added a second time is stored once and shown once")
    func importedPhoto() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            var changes = MemoryChanges()
            changes.addPhotoPaths = [try ann.file("one.bin", "the same bytes")]
            let memory = try await ann.service.call(\.memories.edit, id: "Duomo", changes)
            let photo = try #require(memory.media.first)
            try importAgain(photo, of: memory.id, to: space, ann)
            try ben.receive(space, from: ann)
            for agent in [ann, ben] {
                let shown = try await agent.service.call(\.memories.show, id: "Duomo")
                #expect(shown.media.map(\.id) == [photo.id])
                let why = try await agent.service.call(
                    \.agent.why, id: photo.fileName, WhyScope())
                #expect(why.subject.name == photo.fileName)
                #expect(try agent.node.store.files.named(of: space).count == 1)
            }
            let check = try await ann.service.call(\.spaces.check, id: "Arezzo")
            #expect(check.findings.isEmpty && check.sound)
            // It is added once more, and taken off: nothing of it stays behind.
            var again = MemoryChanges()
            again.addPhotoPaths = [try ben.file("two.bin", "the same bytes")]
            let notices = try await ben.service.call(\.memories.edit, id: "Duomo", again).notices
            #expect(
                notices.contains("two.bin is in this memory already and was not added again."))
            var less = MemoryChanges()
            less.removeMedia = [photo.id]
            #expect(try await ben.service.call(\.memories.edit, id: "Duomo", less).media.isEmpty)
        }
    }

    /// Writes a record of the same file, under an id that no photo gets here.
    private func importAgain(
        _ photo: MediaView, of memory: String, to space: SpaceID, _ agent: TestAgent
    ) throws {
        let owner = try #require(bytes(hexadecimal: memory[...]).flatMap { RecordID(bytes: $0) })
        let blob = try #require(
            bytes(hexadecimal: photo.blobID[...]).flatMap { BlobID(bytes: $0) })
        // Sorts after every derived id.
        let record = try #require(RecordID(bytes: [UInt8](repeating: 255, count: 16)))
        let done = try agent.node.work.append(to: space) { _ in
            CommitDraft(
                clear: ClearPart(),
                operations: [
                    RecordOperation(
                        collection: "media", record: record,
                        writes: [
                            Write(field: "memory", value: .reference(owner)),
                            Write(field: "original", value: .blob(blob)),
                        ])
                ])
        }
        #expect(done.failures.isEmpty)
    }

    @Test("Deleting the trip removes it from all lists")
    func delete() async throws {
        try await TestAgent.shared(.admin) { ann, ben, space in
            try ben.receive(space, from: ann)
            #expect(try await ben.service.call(\.trips.list).count == 1)
            _ = try await ann.service.call(\.trips.delete, id: "Arezzo")
            try ben.receive(space, from: ann)
            #expect(try await ben.service.call(\.trips.list).isEmpty)
        }
    }

    @Test("A member who left does not see the trip; the last admin cannot leave")
    func leave() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            await #expect(throws: SpaceErrors.lastAdmin(space: "Arezzo", .trip)) {
                try await ann.service.call(\.trips.sharing.leave, id: "Arezzo")
            }
            let left = try await ben.service.call(\.trips.sharing.leave, id: "Arezzo")
            #expect(left.membership == .left)
            #expect(try await ben.service.call(\.trips.list).isEmpty)
        }
    }
}
