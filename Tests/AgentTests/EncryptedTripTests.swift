import Agent
import Device
import Foundation
import Identity
import LocalAPI
import Node
import Records
import Store
import SyncCore
import TestDevices
import Testing
import Wire

@Suite("Encrypted trips")
struct EncryptedTripTests {
    private func digest(_ agent: TestAgent) async throws -> String {
        try await agent.service.call(\.trips.digest, id: "Arezzo").digest
    }

    /// All commits of a space as they are stored and sent.
    private func commits(of space: SpaceID, at agent: TestAgent) throws -> [EncodedCommit] {
        try agent.node.store.log.commits(of: space, beyond: Watermark(), byteLimit: .max).commits
            .map(\.commit)
    }

    private func isReadable(_ text: String, in space: SpaceID, at agent: TestAgent) throws -> Bool {
        try commits(of: space, at: agent).contains { commit in
            (commit.clear + commit.operations).contains(Array(text.utf8))
        }
    }

    /// Ann's encrypted trip with one memory, granted to Ben.
    private func shared(
        _ role: LocalAPI.Role = .editor, fromNow: Bool? = nil,
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.pair { ann, ben in
            let trip = try await ann.service.call(
                \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
            try await ann.add("Duomo")
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: role, fromNow: fromNow))
            let space = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            _ = try ben.node.store.spaces.saveOffer(
                Offer(title: "Arezzo", from: "Ann", flags: role.permissions, bytes: 0), of: space,
                by: ann.node.identity.deviceID)
            try await body(ann, ben, space)
        }
    }

    @Test("Members read an encrypted trip, and the sent bytes reveal nothing")
    func read() async throws {
        try await shared { ann, ben, space in
            try ben.receive(space, from: ann)
            #expect(try await ben.titles() == ["Duomo"])
            try await ben.add("Piazza")
            try ann.receive(space, from: ben)
            #expect(try await ann.titles() == ["Duomo", "Piazza"])
            #expect(try await digest(ann) == digest(ben))
            for text in ["Arezzo", "Duomo", "Piazza", "Ann", "Ben", "laptop"] {
                #expect(try !isReadable(text, in: space, at: ann), "\(text)")
            }
            let view = try await ann.service.call(\.trips.show, id: "Arezzo")
            #expect(
                view.encryption
                    == EncryptionView(keys: 1, keysHere: 1, writable: true, closed: 0))
            #expect(view.members?.map(\.keys) == [.all, .all])
        }
    }

    @Test("A device without a key keeps the same log, and shows it once it gets one")
    func lateKey() async throws {
        try await shared { ann, ben, space in
            // Without the last commit, which contains Ben's grant and key.
            let all = try commits(of: space, at: ann)
            let decoded = try all.map { try CommitCodec().decode($0) }
            let verified = ann.node.work.verifier.verify(decoded, keys: ann.node.store.keys).commits
            let granting = try #require(
                verified.lastIndex { $0.commit.clear.facts.count == 2 })
            _ = try ben.node.store.log.apply(
                Array(verified[..<granting]), to: space, now: ben.node.clock.wall)
            try ben.node.store.spaces.setStanding(of: space, to: .active, now: ben.node.clock.wall)
            #expect(try !ben.node.store.sealed.closedCommits(in: space).isEmpty)
            #expect(try await ben.titles().isEmpty)
            let waiting = try await ben.service.call(\.agent.status)
            let problem = try #require(waiting.problems.first { $0.kind == .closed })
            #expect(!problem.urgent && problem.count == waiting.trips.first?.encryption?.closed)
            try ben.receive(space, from: ann)
            let status = try await ben.service.call(\.agent.status)
            #expect(!status.problems.contains { $0.kind == .closed })
            #expect(status.trips.first?.encryption?.keysHere == 1)
            #expect(try ben.node.store.sealed.closedCommits(in: space).isEmpty)
            #expect(try await ben.titles() == ["Duomo"])
            #expect(try await digest(ann) == digest(ben))
            #expect(ann.node.watermark(of: space) == ben.node.watermark(of: space))
        }
    }

    @Test("A removed member opens nothing written afterwards; the key changes by itself")
    func revoked() async throws {
        try await shared { ann, ben, space in
            try ben.receive(space, from: ann)
            let view = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            #expect(view.newKey == true)
            try await ann.add("Secret")
            // A member that does not know of the removal sends it to him all the same.
            try ben.receive(space, from: ann)
            #expect(try ben.node.store.sealed.closedCommits(in: space).count == 1)
            #expect(try await ann.service.call(\.trips.show, id: "Arezzo").encryption?.keys == 2)
            #expect(try await ann.titles() == ["Duomo", "Secret"])
            #expect(ben.node.sharing.epochIdentities(of: space).count == 1)
        }
    }

    @Test("If a member left without making a key for the others, the next writer makes it")
    func byWriters() async throws {
        try await shared { ann, ben, space in
            try ben.receive(space, from: ann)
            try await TestAgent.with("Cleo") { cleo in
                try ann.meet(cleo)
                try cleo.meet(ann)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo", role: .editor))
                try cleo.receive(space, from: ann)
                try ben.receive(space, from: ann)
                // when Cleo leaves, and reads no more once the others know that
                _ = try await cleo.service.call(\.trips.sharing.leave, id: "Arezzo")
                try ben.receive(space, from: cleo)
                #expect(
                    try await ben.service.call(\.trips.show, id: "Arezzo").encryption?.writable
                        == false)
                // then Ben, who is no admin, makes one before he writes
                try await ben.add("Piazza")
                #expect(ben.node.sharing.epochIdentities(of: space).count == 2)
                try ann.receive(space, from: ben)
                #expect(try await ann.titles() == ["Duomo", "Piazza"])
                #expect(try await digest(ann) == digest(ben))
            }
        }
    }

    @Test("A member let in from now on reads new changes, and nobody gives them earlier ones")
    func fromNow() async throws {
        try await TestAgent.pair { ann, ben in
            let trip = try await ann.service.call(
                \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
            try await ann.add("Duomo")
            // Its own key, so that nothing earlier is sealed with it.
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo",
                GrantDraft(person: "Ben", role: .editor, fromNow: true))
            try await ann.add("Piazza")
            let space = try #require(bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            _ = try ben.node.store.spaces.saveOffer(
                Offer(title: "Arezzo", from: "Ann", flags: .editor, bytes: 0), of: space,
                by: ann.node.identity.deviceID)
            try ben.receive(space, from: ann)
            #expect(try await ben.titles() == ["Piazza"])
            let log = try await ann.service.call(
                \.changes.list, ChangeFilter(trip: "Arezzo", since: Moment(milliseconds: 0)))
            let kinds = log.entries.flatMap(\.changes).map(\.kind)
            #expect(kinds.count { $0 == .encryptedSpace } == 1)
            #expect(kinds.count { $0 == .newKey } == 1)
            #expect(ann.node.work.epochs.duty(in: space) == nil)
            let members = try await ann.service.call(\.trips.sharing.members, id: "Arezzo")
            #expect(members.map(\.keys) == [.all, .fromNow])
        }
    }

    @Test("The log says that a trip was created before it says that it is encrypted")
    func created() async throws {
        try await TestAgent.with { ann in
            _ = try await ann.service.call(
                \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
            let log = try await ann.service.call(
                \.changes.list, ChangeFilter(trip: "Arezzo", since: Moment(milliseconds: 0)))
            #expect(
                log.entries.map { $0.changes.map(\.kind) } == [[.createdSpace, .encryptedSpace]])
        }
    }

    @Test("A trip is encrypted later: earlier changes stay, new ones are sealed")
    func later() async throws {
        try await TestAgent.shared(.editor) { ann, ben, space in
            try ben.receive(space, from: ann)
            let report = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            #expect(report.readable.count == 2 && report.changes > 0 && report.encrypted == 0)
            try await ann.add("Piazza")
            // Ben did not know of it yet: his change counts.
            try await ben.add("Hut")
            try ben.receive(space, from: ann)
            try ann.receive(space, from: ben)
            for agent in [ann, ben] {
                #expect(try await agent.titles() == ["Duomo", "Hut", "Piazza"])
            }
            #expect(try await digest(ann) == digest(ben))
            #expect(try isReadable("Hut", in: space, at: ann))
            #expect(try !isReadable("Piazza", in: space, at: ann))
            await #expect(throws: SpaceErrors.alreadyEncrypted(space: "Arezzo")) {
                _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            }
            await #expect(throws: APIError.self) {
                _ = try await ben.service.call(\.trips.encryption.rotateKey, id: "Arezzo")
            }
        }
    }

    @Test("A reader without a key gets it from any member who has it")
    func supplied() async throws {
        try await shared { ann, ben, space in
            try ben.receive(space, from: ann)
            try await TestAgent.with("Cleo") { cleo in
                try ann.meet(cleo)
                try cleo.meet(ann)
                // Ben becomes admin and makes a key, without knowing of Cleo.
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .admin))
                try ben.receive(space, from: ann)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo", role: .viewer))
                _ = try await ben.service.call(\.trips.encryption.rotateKey, id: "Arezzo")
                try await ben.add("Under Ben's key")
                try ann.receive(space, from: ben)
                try cleo.receive(space, from: ann)
                #expect(try await cleo.titles() == ["Duomo"])
                #expect(try cleo.node.store.sealed.closedCommits(in: space).count == 1)
                #expect(cleo.node.work.epochs.duty(in: space) == nil)
                #expect(ann.node.work.epochs.duty(in: space) != nil)
                _ = try ann.node.work.epochs.keep(in: space)
                #expect(ann.node.work.epochs.duty(in: space) == nil)
                try cleo.receive(space, from: ann)
                #expect(try await cleo.titles() == ["Duomo", "Under Ben's key"])
                #expect(try await digest(ann) == digest(cleo))
            }
        }
    }

    @Test("Of keys that nothing is sealed with, only the newest is handed on")
    func unused() async throws {
        try await shared(.admin) { ann, ben, space in
            try ben.receive(space, from: ann)
            try await TestAgent.with("Cleo") { cleo in
                try ann.meet(cleo)
                try cleo.meet(ann)
                // Ben makes two keys, without knowing of Cleo, and writes nothing.
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo", role: .viewer))
                _ = try await ben.service.call(\.trips.encryption.rotateKey, id: "Arezzo")
                _ = try await ben.service.call(\.trips.encryption.rotateKey, id: "Arezzo")
                try ann.receive(space, from: ben)
                let keys = try await ann.service.call(\.trips.sharing.members, id: "Arezzo").map(
                    \.keys)
                #expect(keys.count { $0 == .missing } == 1 && keys.count { $0 == .all } == 2)
                _ = try ann.node.work.epochs.keep(in: space)
                #expect(ann.node.work.epochs.duty(in: space) == nil)
                try cleo.receive(space, from: ann)
                #expect(ann.node.sharing.epochIdentities(of: space).count == 3)
                #expect(cleo.node.sharing.epochIdentities(of: space).count == 2)
                let after = try await ann.service.call(\.trips.sharing.members, id: "Arezzo").map(
                    \.keys)
                #expect(after == [.all, .all, .all])
            }
        }
    }

    @Test("Keys are exported as age identities, and survive a restart of the agent")
    func exported() async throws {
        try await TestAgent.withFolder { folder in
            let digest = try await TestAgent.live(in: folder, as: "Ann") { ann in
                _ = try await ann.service.call(
                    \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
                _ = try await ann.service.call(\.trips.encryption.rotateKey, id: "Arezzo")
                try await ann.add("Duomo")
                let keys = try await ann.service.call(\.trips.encryption.exportKey, id: "Arezzo")
                #expect(keys.keys == 2 && keys.keysTotal == 2)
                let lines = keys.identities.split(separator: "\n")
                #expect(lines.count { $0.hasPrefix("AGE-SECRET-KEY-1") } == 2)
                #expect(lines.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("AGE-SECRET") })
                try IdentityStore.save(ann.node.identity, in: ann.node.store, ann.node.home)
                return try await self.digest(ann)
            }
            try await TestAgent.live(in: folder) { ann in
                #expect(try await ann.titles() == ["Duomo"])
                #expect(try await self.digest(ann) == digest)
                try await ann.add("Piazza")
            }
            let home = try AgentHome.resolve(option: folder + "/home", environment: [:])
            let report = try await ExaminedAgent.examine(home)
            #expect(!report.findings.contains { $0.check == .log && $0.severity != .ok })
        }
    }
}
