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
import Wire

@Suite("Vaults")
struct VaultTests {
    /// Ann's trip with a sealed and an unsealed memory; Ben's device is the vault.
    private func carried(
        _ body: (_ ann: TestAgent, _ ben: TestAgent, _ space: SpaceID) async throws -> Void
    ) async throws {
        try await TestAgent.pair { ann, ben in
            let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
            let space = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            var draft = MemoryDraft(trip: "Arezzo")
            draft.title = "Duomo"
            draft.photoPaths = [try ann.file("old.bin", "an old file")]
            _ = try await ann.service.call(\.memories.add, draft)
            _ = try await ann.service.call(\.trips.encryption.encrypt, id: "Arezzo")
            try await ann.add("Piazza")
            let change = try await ann.service.call(
                \.vaults.add, VaultDraft(device: ben.node.identity.deviceName, trip: "Arezzo"))
            #expect(change.trips.map(\.name) == ["Arezzo"])
            #expect(change.partly.map(\.name) == ["Arezzo"])
            _ = try ben.node.store.spaces.saveOffer(
                Offer(title: "", from: "Ann", flags: .vault, bytes: 0), of: space,
                by: ann.node.identity.deviceID)
            try await body(ann, ben, space)
        }
    }

    /// Ann's messages to Ben's device, encoded and decoded.
    private func sent(
        of space: SpaceID, by ann: TestAgent, beyond watermark: Watermark = Watermark()
    ) throws -> [UnverifiedCommit] {
        let sealing = try #require(ann.node.store.ledger(of: space)).sealing
        return try ann.node.store.log.commits(of: space, beyond: watermark, byteLimit: .max).commits
            .map { stored in
                let commit = try CommitCodec().decodeUnread(stored.commit)
                let (log, sequence) = (commit.header.log, commit.header.sequence)
                let left = commit.withheld(
                    isBeforeEpochs: sealing.isBeforeEpochs(log, sequence))
                return try CommitCodec().decode(left.encoded)
            }
    }

    private func store(
        _ commits: [UnverifiedCommit], of space: SpaceID, at agent: TestAgent
    ) throws -> ApplyReport {
        let verified = agent.node.work.verifier.verify(commits, keys: agent.node.store.keys)
        #expect(verified.invalid == nil)
        return try agent.node.store.log.apply(
            verified.commits, to: space, on: agent.node.identity.deviceID,
            now: agent.node.clock.wall)
    }

    private func accept(_ space: SpaceID, _ ann: TestAgent, _ ben: TestAgent) throws {
        _ = try store(sent(of: space, by: ann), of: space, at: ben)
        try ben.node.store.spaces.setStanding(of: space, to: .active, now: ben.node.clock.wall)
    }

    @Test("A vault has the whole chain, sealed operations and members, and shows only counts")
    func carries() async throws {
        try await carried { ann, ben, space in
            let asked = try await ben.service.call(\.vaults.list).carried
            #expect(asked.map(\.membership) == [.granted])
            #expect(asked.allSatisfy { $0.name.hasPrefix("sealed-") })
            // Until Ben accepts, it carries nothing.
            let before = try await ann.service.call(\.trips.show, id: "Arezzo")
            #expect(before.vaults == [])
            try accept(space, ann, ben)
            #expect(ann.node.watermark(of: space) == ben.node.watermark(of: space))
            let carried = try await ben.service.call(\.vaults.list).carried
            let view = try #require(carried.first)
            #expect(view.membership == .carried && view.memoryCount == 0)
            // Ben's device stores it, and he is not one of its people.
            #expect(view.memberCount == 1)
            #expect(try await ann.service.call(\.trips.show, id: "Arezzo").memberCount == 1)
            #expect(
                view.carried?.changes == Int(ben.node.watermark(of: space).count(beyond: .init())))
            // The plain file is not named there; the encrypted one is, and has to arrive.
            #expect(view.mediaCount == 1)
            let plain = try ann.node.store.files.plain(of: space)
            let wanted = try ben.node.store.files.missing(of: space).map(\.blob)
            #expect(wanted.count == 1 && plain.isDisjoint(with: wanted))
            #expect(try await ben.titles().isEmpty)
            #expect(
                try ben.node.store.sealed.closedCommits(in: space)
                    == ann.node.store.openedCommits(in: space))
            await #expect {
                _ = try await ben.service.call(\.trips.sharing.members, id: view.name)
            } throws: { ($0 as? APIError)?.sentence.contains("only carries") ?? false }
        }
    }

    @Test("Of unsealed commits, only headers and rights reach a vault")
    func withheld() async throws {
        try await carried { ann, _, space in
            let commits = try sent(of: space, by: ann)
            #expect(commits.count { $0.isWithheld } > 0)
            for commit in commits {
                let bytes = commit.encoded.clear + commit.encoded.operations
                for word in ["Arezzo", "Duomo", "Piazza", "Ann", "old.bin"] {
                    #expect(!bytes.contains(Array(word.utf8)), "\(word)")
                }
                for blob in try ann.node.store.files.plain(of: space) {
                    #expect(!bytes.contains(blob.bytes))
                }
            }
            #expect(try ann.node.store.files.plain(of: space).count == 1)
        }
    }

    @Test("A vault that receives withheld data again keeps none of it")
    func oversharing() async throws {
        try await carried { ann, ben, space in
            try accept(space, ann, ben)
            let all = try ann.node.store.log.commits(
                of: space, beyond: Watermark(), byteLimit: .max
            )
            .commits.map { try CommitCodec().decode($0.commit) }
            _ = try store(all, of: space, at: ben)
            let kept = try ben.node.store.log.commits(
                of: space, beyond: Watermark(), byteLimit: .max
            ).commits.map { try CommitCodec().decodeUnread($0.commit).encoded }
            #expect(Set(kept) == Set(try sent(of: space, by: ann).map(\.encoded)))
            #expect(try ben.node.store.sealed.withheldCount(in: space) > 0)
        }
    }

    @Test("A vault that becomes a reader shows the same once the withheld parts arrived")
    func reads() async throws {
        try await carried { ann, ben, space in
            try accept(space, ann, ben)
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben", role: .editor))
            try ben.receive(space, from: ann)
            #expect(try await ben.titles() == ["Piazza"])
            #expect(try ben.node.store.sealed.withheldCount(in: space) > 0)
            let waiting = try await ben.service.call(\.trips.list).first
            #expect(waiting?.state != .synced)
            let problems = try await ben.service.call(\.agent.status).problems
            #expect(problems.map(\.kind).contains(.withoutContent))
            // Once more, whole.
            let all = try ann.node.store.log.commits(
                of: space, beyond: Watermark(), byteLimit: .max)
            let outcome = try store(
                all.commits.map { try CommitCodec().decode($0.commit) }, of: space, at: ben)
            #expect(outcome.stored.isEmpty)
            #expect(try ben.node.store.sealed.withheldCount(in: space) == 0)
            #expect(ben.node.store.ledger(of: space)?.sealing.withheldFrom.isEmpty == true)
            #expect(try await ben.titles() == ["Duomo", "Piazza"])
            #expect(
                try await ann.service.call(\.trips.digest, id: "Arezzo").digest
                    == ben.service.call(\.trips.digest, id: "Arezzo").digest)
            #expect(try ben.node.store.files.missing(of: space).count == 2)
            try ben.node.store.records.rebuild(space)
            #expect(try await ben.titles() == ["Duomo", "Piazza"])
        }
    }

    @Test("Rights that somebody kept back count as soon as the commit comes whole")
    func rightsKeptBack() async throws {
        try await TestAgent.pair { ann, ben in
            try await TestAgent.with("Cleo") { cleo in
                // given
                let trip = try await ann.service.call(\.trips.create, TripDraft(name: "Arezzo"))
                let space = try #require(
                    bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben"))
                try ben.receive(space, from: ann)
                let before = ben.node.watermark(of: space)
                try ann.meet(cleo)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo"))
                let whole = try ann.node.store.log.commits(
                    of: space, beyond: before, byteLimit: .max
                ).commits.map { try CommitCodec().decode($0.commit) }
                // when
                let hollow = try whole.map { commit in
                    try CommitCodec().decode(
                        EncodedCommit(
                            header: commit.encoded.header, signature: commit.encoded.signature,
                            clear: [], operations: []))
                }
                _ = try store(hollow, of: space, at: ben)
                func readers(_ agent: TestAgent) -> Set<DeviceID>? {
                    agent.node.store.ledger(of: space)?.membership.readers
                }
                #expect(ben.node.watermark(of: space) == ann.node.watermark(of: space))
                #expect(readers(ben)?.contains(cleo.node.identity.deviceID) == false)
                _ = try store(whole, of: space, at: ben)
                // then
                #expect(readers(ben) == readers(ann))
                #expect(try ben.node.store.sealed.withheldCount(in: space) == 0)
            }
        }
    }

    /// The changes that a modified vault could make to a batch.
    enum Tampering: CaseIterable {
        case flipped, truncated, emptied, dropped, reordered

        func callAsFunction(_ commits: [UnverifiedCommit], at place: Int) -> [EncodedCommit] {
            var sent = commits.map(\.encoded)
            let one = sent[place]
            func changed(_ operations: [UInt8]) -> EncodedCommit {
                EncodedCommit(
                    header: one.header, signature: one.signature, clear: one.clear,
                    operations: operations)
            }
            switch self {
            case .flipped:
                var operations = one.operations
                operations[operations.count / 2] ^= 1
                sent[place] = changed(operations)
            case .truncated: sent[place] = changed(Array(one.operations.dropLast()))
            case .emptied: sent[place] = changed([])
            case .dropped: sent.remove(at: place)
            case .reordered: sent.swapAt(place, place + 1)
            }
            return sent
        }
    }

    @Test(
        "Commits dropped, reordered, cut or changed by a modified vault are refused",
        arguments: Tampering.allCases)
    func tampering(_ tampering: Tampering) async throws {
        try await carried { ann, ben, space in
            try accept(space, ann, ben)
            try await ann.add("Ponte")
            try await ann.add("Torre")
            try accept(space, ann, ben)
            try await TestAgent.with("Cleo") { cleo in
                try cleo.meet(ann)
                try ann.meet(cleo)
                _ = try await ann.service.call(
                    \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Cleo"))
                // Everything from Ann, except the last commits, which come from the vault.
                let all = try ann.node.store.log.commits(
                    of: space, beyond: Watermark(), byteLimit: .max
                ).commits.map { try CommitCodec().decode($0.commit) }
                let place = try #require(
                    all.lastIndex {
                        $0.header.epoch != nil && $0.header.log == all.last?.header.log
                    })
                _ = try store(Array(all[..<place]), of: space, at: cleo)
                let before = cleo.node.watermark(of: space)
                let last = Array(all[place...])
                guard tampering != .reordered || last.count > 1 else { return }
                let sent = tampering(last, at: 0)
                do {
                    let decoded = try sent.map { try CommitCodec().decode($0) }
                    let outcome = try store(decoded, of: space, at: cleo)
                    if tampering == .reordered {
                        // The first commits wait; the rest fits.
                        #expect(!outcome.refusals.isEmpty)
                    } else {
                        #expect(outcome.stored.isEmpty)
                    }
                } catch is WireError {
                    #expect([.flipped, .truncated, .emptied].contains(tampering))
                }
                if tampering != .reordered {
                    #expect(cleo.node.watermark(of: space) == before)
                }
            }
        }
    }

    @Test("Own devices, readers, unencrypted trips and callers who are no admin are refused")
    func refused() async throws {
        try await TestAgent.pair { ann, ben in
            _ = try await ann.service.call(\.trips.create, TripDraft(name: "Plain"))
            _ = try await ann.service.call(
                \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
            let device = ben.node.identity.deviceName
            await #expect {
                _ = try await ann.service.call(
                    \.vaults.add, VaultDraft(device: device, trip: "Plain"))
            } throws: { ($0 as? APIError)?.sentence.contains("not encrypted") ?? false }
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben"))
            await #expect {
                _ = try await ann.service.call(
                    \.vaults.add, VaultDraft(device: device, trip: "Arezzo"))
            } throws: { ($0 as? APIError)?.sentence.contains("can read") ?? false }
            let all = try await ann.service.call(\.vaults.add, VaultDraft(device: device))
            #expect(all.trips.isEmpty && all.left.count == 2)
            await #expect {
                _ = try await ann.service.call(
                    \.vaults.remove, VaultDraft(device: device, trip: "Arezzo"))
            } throws: { ($0 as? APIError)?.sentence.contains("does not carry") ?? false }
        }
    }

    @Test("A former reader that became a vault is told that it only carries what is new")
    func formerReader() async throws {
        try await TestAgent.pair { ann, ben in
            // given
            let trip = try await ann.service.call(
                \.trips.create, TripDraft(name: "Arezzo", encrypted: true))
            let space = try #require(
                bytes(hexadecimal: trip.id).flatMap { SpaceID(bytes: $0) })
            try await ann.add("Duomo")
            _ = try await ann.service.call(
                \.trips.sharing.grant, id: "Arezzo", GrantDraft(person: "Ben"))
            try ben.receive(space, from: ann)
            #expect(try await ben.service.call(\.agent.status).trips.first?.carried == nil)
            // when
            _ = try await ann.service.call(
                \.trips.sharing.revoke, id: "Arezzo", RevokeDraft(who: "Ben"))
            _ = try await ann.service.call(
                \.vaults.add, VaultDraft(device: ben.node.identity.deviceName, trip: "Arezzo"))
            try await ann.add("Secret")
            try ben.receive(space, from: ann)
            // then
            let view = try #require(try await ben.service.call(\.agent.status).trips.first)
            #expect(view.membership == .member && view.memoryCount == 1)
            #expect(view.carried != nil && view.grantedBy?.name == "Ann")
            let carried = try await ben.service.call(\.vaults.list).carried
            #expect(carried.map(\.name) == ["Arezzo"])
            #expect(try await ben.titles() == ["Duomo"])
        }
    }

    @Test("The owner of a trip is told what to type on a vault that has not answered")
    func unanswered() async throws {
        try await carried { ann, ben, space in
            let accept = "peersync space accept sealed-\(space.description.prefix(6))"
            func told() async throws -> String {
                let problem = try #require(
                    try await ann.service.call(\.agent.status).problems
                        .first { [.unanswered, .declined].contains($0.kind) })
                return "\(problem.sentence) \(problem.remedy ?? "")"
            }
            let open = try await told()
            #expect(open.contains(" does not carry “Arezzo” yet: Ben has not answered."))
            #expect(open.contains("\(accept); take it back: peersync vault remove "))
            #expect(open.hasSuffix(" --trip Arezzo"))
            let why = try await ann.service.call(\.agent.why, id: "Piazza", WhyScope())
            #expect(why.devices.last?.remedy?.hasSuffix(": \(accept)") == true)
            // when
            _ = ann.node.work.perform(.declined(space, by: ben.node.identity.deviceID))
            // then
            let declined = try await told()
            #expect(declined.contains(" does not carry “Arezzo”: Ben declined."))
            #expect(declined.hasSuffix(": \(accept)"))
        }
    }

    @Test("A person who accepts a vault has agreed to carry the trip, and not joined it")
    func agreed() async throws {
        try await carried { ann, ben, space in
            // given
            try accept(space, ann, ben)
            // when
            let watermark = ben.node.watermark(of: space)
            let done = ben.node.work.perform(.acknowledge(space, watermark))
            for case .ackSigned(let ack) in done?.events ?? [] {
                _ = ann.node.work.perform(.verifyAck(ack, from: SessionID(1)))
            }
            // then
            let log = try await ann.service.call(\.changes.list, ChangeFilter())
            let lines = log.entries.map(Sentence.Changes.line)
            #expect(lines == ["Ben agreed to carry “Arezzo” unread"])
        }
    }

    @Test("A removed vault shows that it was one, and still no name")
    func removed() async throws {
        try await carried { ann, ben, space in
            try accept(space, ann, ben)
            // Neither a vault nor a former one is told that a key is to come.
            #expect(try ben.node.sync.facts(of: space).unreadable.closed == 0)
            let change = try await ann.service.call(
                \.vaults.remove,
                VaultDraft(device: ben.node.identity.deviceName, trip: "Arezzo"))
            #expect(change.trips.map(\.name) == ["Arezzo"])
            try accept(space, ann, ben)
            #expect(ben.node.membership(of: space)?.vaults.isEmpty == true)
            #expect(try ben.node.sync.facts(of: space).unreadable.closed == 0)
            #expect(try await ann.service.call(\.vaults.list).vaults.isEmpty)
            #expect(ann.node.membership(of: space)?.vaults.isEmpty == true)
            #expect(try await ann.service.call(\.trips.show, id: "Arezzo").encryption?.keys == 1)
        }
    }
}

extension SyncStore {
    /// The sealed commits that were opened here.
    fileprivate func openedCommits(in space: SpaceID) throws -> Set<CommitID> {
        let all = try log.commits(of: space, beyond: Watermark(), byteLimit: .max).commits
        return Set(
            try all.filter { try CommitCodec().decode($0.commit).header.epoch != nil }
                .map(\.id))
    }
}
