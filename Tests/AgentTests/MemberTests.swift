import Agent
import Device
import LocalAPI
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Granting, lowering, revoking and requesting rights")
struct MemberTests {
    private func member(_ agent: TestAgent, _ name: String) async throws -> MemberView? {
        try await agent.service.call(\.trips.sharing.members, id: "Arezzo").first {
            $0.person.name == name
        }
    }

    @Test("After a role is lowered, earlier changes stay and later ones do not count")
    func lower() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await ben.add("Before")
            try ann.receive(space, from: ben)
            let lowered = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            #expect(lowered.role == .viewer && lowered.rights == [.read])
            #expect(lowered.grant?.lost == [.write, .delete])
            // Ben does not know of it.
            try await ben.add("After")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["Before", "Duomo"])
            try ben.receive(space, from: ann)
            #expect(try await ben.titles() == ["Before", "Duomo"])
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: "As viewer of “Arezzo” you may not add memories.",
                    hint:
                        """
                        Ask the admins for it: peersync trip request Arezzo write
                        """
                )
            ) { try await ben.add("More") }
            // Granting it again undoes that.
            let raised = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .editor))
            #expect(raised.role == .editor && raised.grant == nil)
            try ben.receive(space, from: ann)
            try await ben.add("Again")
        }
    }

    @Test(
        "A grant of rights that a higher rank revoked is refused, and nothing is written")
    func raisedByJunior() async throws {
        try await TestAgent.shared(.admin) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await TestAgent.with("Cleo") { cleo in
                try ben.meet(cleo)
                _ = try await ben.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo"))
                try ann.receive(space, from: ben)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo", role: .viewer))
                try ben.receive(space, from: ann)
                let before = ben.node.watermark(of: space)
                let refusal = APIError(
                    code: .notAllowed,
                    sentence: """
                        Somebody of a higher rank took rights in “Arezzo” from Cleo: you cannot give them \
                        back.
                        """,
                    hint: "Somebody of that rank can. Ask Ann to do it.")
                await #expect(throws: refusal) {
                    try await ben.service.call(
                        \.trips.sharing.grant, id: "Arezzo",
                        GrantDraft(person: "Cleo", role: .contributor)
                    )
                }
                #expect(ben.node.watermark(of: space) == before)
            }
        }
    }

    @Test("Nobody gives themselves more than they have, and nobody is said to have taken it")
    func oneself() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let before = ben.node.watermark(of: space)
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: """
                        You may not give it to others in “Arezzo”, and nobody gives themselves more \
                        than they have.
                        """,
                    hint: """
                        Ask the admins for it: peersync trip request Arezzo admin
                        """)
            ) {
                try await ben.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .admin))
            }
            #expect(ben.node.watermark(of: space) == before)
            let lowered = try await ben.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
            #expect(lowered.grant?.lost == [.write, .delete])
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: """
                        You may not write in “Arezzo”, and nobody gives themselves more \
                        than they have.
                        """,
                    hint: """
                        Ask the admins for it: peersync trip request Arezzo write
                        """)
            ) {
                try await ben.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .editor))
            }
        }
    }

    @Test("Rights are given one by one, and nobody gives what they have not got")
    func rights() async throws {
        try await TestAgent.shared(.viewer) { ann, ben, space in
            let given = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", rights: [.write, .admin]))
            #expect(given.role == .contributor && given.rights == [.read, .write, .admin])
            try ben.receive(space, from: ann)
            try ben.meet(ann)
            try await TestAgent.with("Cleo") { cleo in
                try ben.meet(cleo)
                await #expect(
                    throws: APIError(
                        code: .notAllowed,
                        sentence: """
                            You may not delete in “Arezzo” yourself, so you cannot let \
                            Cleo do it.
                            """,
                        hint: "See who can: peersync trip members Arezzo")
                ) {
                    try await ben.service.call(
                        \.trips.sharing.grant, id: "Arezzo",
                        GrantDraft(person: "Cleo", role: .editor))
                }
                let cleos = try await ben.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo"))
                #expect(cleos.grantedBy?.name == "Ben" && cleos.role == .contributor)
            }
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "Give either --role or --can.",
                    hint: "A role says it all; --can read,write names the rights one by one.")
            ) {
                try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo",
                    GrantDraft(person: "Ben", role: .viewer, rights: [.write]))
            }
        }
    }

    @Test("Revoking a trip from a person hides what they write without knowing it")
    func revoke() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await ben.add("Before")
            try ann.receive(space, from: ben)
            let draft = RevokeDraft(who: "Ben", preview: true)
            let preview = try await ann.service.call(\.trips.sharing.revoke, id: "Arezzo", draft)
            #expect(!preview.done && preview.role == .contributor && preview.kept.isEmpty)
            #expect(try await member(ann, "Ben") != nil)
            let view = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            #expect(view.done && view.devices.count == 1 && view.discounted == 0)
            #expect(try await member(ann, "Ben") == nil)
            #expect(
                !(ann.node.membership(of: space) ?? Membership()).readers
                    .contains(ben.node.identity.deviceID))
            try await ben.add("After")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["Before", "Duomo"])
            await #expect(
                throws: APIError(
                    code: .notFound,
                    sentence: "Ben does not have “Arezzo”.",
                    hint: "See who does: peersync trip members Arezzo")
            ) {
                try await ann.service.call(
                    \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            }
            // After a new grant it continues; hidden changes stay hidden.
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .contributor))
            try ben.receive(space, from: ann)
            try await ben.add("Again")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["Again", "Before", "Duomo"])
        }
    }

    @Test("Work counts only until a given time")
    func believed() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await ben.add("Before")
            let time = Moment(milliseconds: Int64(clamping: ben.node.clock.wall.value))
            try await Task.sleep(for: .milliseconds(20))
            try await ben.add("After")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["After", "Before", "Duomo"])
            let view = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben", believeUntil: time))
            #expect(view.discounted == 1 && view.believedUntil == time)
            #expect(try await ann.titles() == ["Before", "Duomo"])
            let tomorrow = Moment(milliseconds: time.milliseconds + 86_400_000)
            await #expect(
                throws: APIError(
                    code: .badInput, sentence: "That time has not come yet.",
                    hint: "Leave out --believe-until to keep all that is here now.")
            ) {
                try await ann.service.call(
                    \.trips.sharing.revoke, id: "Arezzo",
                    RevokeDraft(who: "Ann", believeUntil: tomorrow))
            }
        }
    }

    @Test("A member who may not revoke is told who can, and leaves with the own device instead")
    func refused() async throws {
        try await TestAgent.shared(.admin) { ann, ben, space in
            try ben.receive(space, from: ann)
            await #expect(
                throws: SpaceErrors.mayNotTake(from: "Ann", space: "Arezzo", .trip, able: [])
            ) {
                try await ben.service.call(
                    \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ann"))
            }
            await #expect(
                throws: APIError(
                    code: .conflict, sentence: "This would be your own device.",
                    hint: """
                        To give it up yourself: peersync trip leave Arezzo
                        """)
            ) {
                try await ben.service.call(
                    \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            }
            await #expect(throws: SpaceErrors.lastAdmin(space: "Arezzo", .trip)) {
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .viewer))
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ann", role: .viewer))
            }
        }
    }

    @Test("A right is requested, seen by those who can grant it, and granted or refused")
    func request() async throws {
        try await TestAgent.shared(.viewer) { ann, ben, space in
            try ben.receive(space, from: ann)
            let no = try await ben.service.call(
                \.trips.sharing.may, id: "Arezzo", RightQuery(person: "Ben", right: .write))
            #expect(!no.allowed && no.me && no.role == .viewer && no.ask.map(\.name) == ["Ann"])
            let asked = try await ben.service.call(
                \.trips.sharing.request, id: "Arezzo", RequestDraft(right: .write))
            #expect(asked.me && asked.rights == [.write] && asked.ask.map(\.name) == ["Ann"])
            try ann.receive(space, from: ben)
            #expect(try await member(ann, "Ben")?.requested == [.write])
            let status = try await ann.service.call(\.agent.status)
            let problem = try #require(status.problems.first { $0.kind == .request })
            #expect(problem.sentence == "Ben asks to write in \u{201C}Arezzo\u{201D}.")
            #expect(problem.remedy?.contains("trip grant Arezzo Ben --role contributor") == true)
            _ = try await ann.service.call(
                \.trips.sharing.request, id: "Arezzo", RequestDraft(refuse: "Ben"))
            #expect(try await member(ann, "Ben")?.requested == nil)
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(
                \.trips.sharing.request, id: "Arezzo", RequestDraft(right: .delete))
            try ann.receive(space, from: ben)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .editor))
            #expect(try await member(ann, "Ben")?.requested == nil)
            try ben.receive(space, from: ann)
            let yes = try await ben.service.call(
                \.trips.sharing.may, id: "Arezzo", RightQuery(person: "Ben", right: .delete))
            #expect(yes.allowed && yes.ask.isEmpty)
            await #expect(
                throws: APIError(
                    code: .conflict,
                    sentence: "You may delete in “Arezzo” already.")
            ) {
                try await ben.service.call(
                    \.trips.sharing.request, id: "Arezzo", RequestDraft(right: .delete))
            }
            await #expect(throws: SpaceErrors.nothingRequested(by: nil, space: "Arezzo")) {
                try await ben.service.call(\.trips.sharing.request, id: "Arezzo", RequestDraft())
            }
        }
    }

    @Test("A device that has not acknowledged the newest grants and revocations is listed")
    func unaware() async throws {
        try await TestAgent.shared(.viewer) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(
                \.trips.sharing.request, id: "Arezzo", RequestDraft(right: .write))
            try ann.receive(space, from: ben)
            #expect(try await member(ann, "Ben")?.unaware.count == 1)
            #expect(try await member(ann, "Ann")?.unaware.isEmpty == true)
        }
    }

    @Test("A contributor deletes their own records, on any of their devices, and nothing else")
    func ownWork() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Hut"
            draft.photoPaths = [try ben.file("hut.bin", "a hut")]
            _ = try await ben.service.call(\.memories.add, draft)
            var addition = MemoryChanges()
            addition.addPhotoPaths = [try ben.file("tower.bin", "a tower")]
            _ = try await ben.service.call(\.memories.edit, id: "Duomo", addition)
            try ann.receive(space, from: ben)
            #expect(try await ann.service.call(\.memories.show, id: "Duomo").media.count == 1)

            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence:
                        "As contributor of “Arezzo” you may not delete memories of others.",
                    hint:
                        """
                        Ask the admins for it: peersync trip request Arezzo delete
                        """
                )
            ) { try await ben.service.call(\.memories.delete, id: "Duomo") }
            await #expect(
                throws: APIError(
                    code: .notAllowed,
                    sentence: "As contributor of “Arezzo” you may not rename it.",
                    hint:
                        """
                        Ask the admins for it: peersync trip request Arezzo delete
                        """
                )
            ) {
                try await ben.service.call(\.trips.rename, id: "Arezzo", TripRename(name: "Mine"))
            }
            var removal = MemoryChanges()
            removal.removeMedia = ["tower.bin"]
            _ = try await ben.service.call(\.memories.edit, id: "Duomo", removal)
            _ = try await ben.service.call(\.memories.delete, id: "Hut")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["Duomo"])
            #expect(try await ann.service.call(\.memories.show, id: "Duomo").media.isEmpty)
        }
    }

    @Test("A deletion of others' records by a patched agent counts nowhere")
    func forged() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let duomo = try await ann.service.call(\.memories.show, id: "Duomo").id
            let record = try #require(bytes(hexadecimal: duomo).flatMap { RecordID(bytes: $0) })
            #expect(record.isMade(by: ann.node.local.person, in: space))
            await #expect(throws: StoreError.permissionRefused(required: .delete)) {
                try await ben.node.write(
                    ChangeSet(operations: [
                        RecordOperation(
                            collection: "memory", record: record, writes: [.deletion(true)])
                    ]), to: space)
            }
        }
    }
}
