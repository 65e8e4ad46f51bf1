import Agent
import Device
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing

@Suite("Names of people and devices")
struct NameTests {
    @Test("Others see a new name of a person and of a device, and it can be reverted")
    func rename() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let device = try await ben.service.call(
                \.devices.rename, NameDraft(name: " desk "))
            #expect(device == RenameView(was: "laptop", name: "desk", person: false, untold: []))
            let person = try await ben.service.call(
                \.devices.renamePerson, NameDraft(name: "Benedict"))
            #expect(person.was == "Ben" && person.person && person.untold.isEmpty)
            #expect(ben.node.reference(ben.node.local.person).name == "Benedict")
            try ann.receive(space, from: ben)
            #expect(ann.node.reference(ben.node.local.person).name == "Benedict")
            #expect(ann.node.reference(ben.node.identity.deviceID).name == "desk")
            _ = try await ben.service.call(\.devices.renamePerson, NameDraft(name: "Ben"))
            try ann.receive(space, from: ben)
            #expect(ann.node.reference(ben.node.local.person).name == "Ben")
            for name in ["\u{202E} ", "two\nlines", String(repeating: "a", count: 257), " "] {
                await #expect(throws: Sentence.Usage.badName(name, most: Limits.nameBytes)) {
                    try await ben.service.call(\.devices.rename, NameDraft(name: name))
                }
            }
        }
    }

    @Test("A trip's reader is told that their old name stays there")
    func untold() async throws {
        try await TestAgent.shared(.viewer) { ann, ben, space in
            try ben.receive(space, from: ann)
            let view = try await ben.service.call(
                \.devices.renamePerson, NameDraft(name: "Benedict"))
            #expect(view.untold.map(\.name) == ["Arezzo"])
        }
    }

    @Test("A person's own name takes precedence over names that others write later")
    func ownWord() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            _ = try await ben.service.call(\.devices.renamePerson, NameDraft(name: "Benedict"))
            try ann.receive(space, from: ben)
            // Another trip, in which Ann writes Ben's name as she knows it.
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Bari"))
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Bari", GrantDraft(person: "Benedict"))
            let bari = try #require(
                try ann.node.store.spaces.all().map(\.space).first {
                    $0 != space && $0 != ann.node.identity.homeSpace
                })
            let person = ben.node.local.person
            let profile = RecordOperation.profile(of: person, named: "Benny", in: bari)
            try await ann.node.write(ChangeSet(operations: [profile]), to: bari)
            #expect(ann.node.reference(person).name == "Benedict")
        }
    }

    @Test("Two people with the same name are told apart wherever people are named")
    func namesakes() async throws {
        try await TestAgent.shared(.contributor) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await ben.add("Hut")
            try ann.receive(space, from: ben)
            try await TestAgent.with("ben ") { other in
                try ann.meet(other)
                let id = ben.node.local.person.description
                let name = ann.node.reference(ben.node.local.person).name
                #expect(name == "Ben (\(id.prefix(4)))")
                let twin = ann.node.reference(other.node.local.person)
                #expect(twin.name == "ben (\(twin.id.prefix(4)))")
                let members = try await ann.service.call(\.trips.sharing.members, id: "Arezzo")
                #expect(members.map(\.person.name).contains(name))
                let log = try await ann.service.call(\.changes.list, ChangeFilter(since: nil))
                #expect(log.entries.contains { $0.author.name == name })
                // The full name means one of them, the name alone neither.
                let lowered = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: name, role: .viewer))
                #expect(lowered.person.name == name && lowered.role == .viewer)
                await #expect(throws: APIError.self) {
                    try await ann.service.call(
                        \.trips.sharing.grant, id: "Arezzo",
                        GrantDraft(person: "Ben", role: .editor))
                }
            }
        }
    }

    @Test("A device that did not know a space's schema writes its name there once it does")
    func unknownSchema() async throws {
        func document(_ schema: Int, _ version: Int) -> String {
            """
            schema: \(schema)
            name: shelf
            version: \(version)
            collections: { thing: { fields: { name: { type: text } } } }
            """
        }
        try await TestAgent.pair { ann, ben in
            // given
            let made = try await ann.service.call(
                \.spaces.create, SpaceDraft(name: "Home", document: document(1, 1)))
            let space = try #require(bytes(hexadecimal: made.id).flatMap { SpaceID(bytes: $0) })
            // Ann does not know the names of this device.
            let card = try #require(ben.node.identity.card)
            _ = try ann.node.work.members.grant(space, to: [card], flags: .editor)
            func pin(_ schema: Int, _ version: UInt32) throws {
                let bytes = Array(document(schema, Int(version)).utf8)
                let pin = SchemaPin(
                    schema: SchemaID(Label.schema.hash(bytes)), version: version, document: bytes)
                let done = try ann.node.work.append(to: space) { _ in
                    CommitDraft(clear: ClearPart(schema: pin), operations: [])
                }
                #expect(done.failures.isEmpty)
            }
            try pin(2, 2)
            try ben.receive(space, from: ann)
            var node = Node(ben.node.work)
            let now = ben.node.clock.now
            func profiles(_ events: [Node.Event]) -> Int {
                events.flatMap { node.handle($0, at: now) }.count { action in
                    if case .carryOut(.profile(space)) = action { true } else { false }
                }
            }
            #expect(profiles([.schemaChanged(space)]) == 0)
            // when
            try pin(1, 3)
            let done = try ben.receiveAsWork(space, from: ann)
            // then
            #expect(profiles(done.news) == 1)
        }
    }
}
