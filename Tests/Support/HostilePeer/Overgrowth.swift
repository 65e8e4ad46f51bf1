import Identity
import SyncCore
import Wire

/// A member with a modified agent writes more into a space than anybody needs. Its commits are
/// signed and in order, based on the agent's messages about the space.
struct Overgrowth {
    enum Kind: String, CaseIterable {
        /// Lets in many devices of its own, and revokes the last of them.
        case devices
        /// Writes many facts of unknown kinds, of 15,000 bytes each.
        case unknown
        /// Makes many keys of the space.
        case epochs
    }

    private let scene: Scene
    private let grant: FactReference
    private var ledger: SpaceLedger
    private var log: LogID
    private var written = (facts: 0, bytes: 0)
    private var clock: HybridClock

    /// Uses the space that the agent shares last, with the first data that it sends of it.
    init(_ scene: Scene) throws {
        let batch = CommitVerifier().verify(scene.commits, keys: KeyDirectory())
        guard let genesis = scene.commits.first?.clear.genesis else {
            throw Scene.Failure(reason: "the first commit is no genesis")
        }
        ledger = SpaceLedger(space: scene.space, role: genesis.role, schema: genesis.schema)
        for commit in batch.commits { _ = ledger.record(commit) }
        guard let grant = ledger.membership.writingGrant(of: scene.keys.device) else {
            throw Scene.Failure(reason: "no member of the space")
        }
        (self.scene, self.grant) = (scene, grant)
        log = Overgrowth.newLog(of: scene.keys.device)
        clock = HybridClock(latest: scene.commits.map(\.header.clock).max() ?? HybridTime(raw: 0))
    }

    private static func newLog(of device: DeviceID) -> LogID {
        var random = SystemRandomNumberGenerator()
        return LogID(device: device, incarnation: Bytes16(random: &random))
    }

    /// Sends the facts, and prints how many were sent before the agent closed the connection, if it
    /// did.
    mutating func run(_ kind: Kind, count: Int) async throws {
        let line = try await scene.open(.session)
        await line.send(.watermark(scene.space, ledger.watermark, answer: false))
        var said = 0
        while said < count, !line.isClosed {
            let facts = try facts(of: kind, from: said, to: count)
            await line.send(.commits(scene.space, [try commit(facts)], live: true))
            said += facts.count
            // One after another: a refused message ends the connection, and the rest need not be
            // sent.
            guard await line.answers(UInt64(said), within: 20) else { break }
        }
        if kind == .devices, !line.isClosed, let taking = takingBack() {
            await line.send(.commits(scene.space, [try commit([taking])], live: true))
            _ = await line.answers(.max, within: 20)
        }
        let ending = line.isClosed ? "hung up" : "goes on"
        await line.close()
        print("\(said) of \(count) \(kind.rawValue): the agent \(ending)")
    }

    // MARK: The facts

    /// The bytes of one commit's facts.
    private func facts(of kind: Kind, from said: Int, to count: Int) throws -> [[UInt8]] {
        switch kind {
        case .devices:
            try (said..<min(said + 50, count)).map { number in
                let grant = UnverifiedGrant(
                    card: try ownCard(), parent: grant, flags: .read,
                    siblingIndex: UInt32(number + 1))
                return fact(.grant(grant))
            }
        case .unknown:
            (said..<min(said + 20, count)).map { number in
                let noise = (0..<15_000).map { UInt8(truncatingIfNeeded: $0 &* number) }
                return RawBytes.field(2, RawBytes.field(99, noise))
            }
        case .epochs:
            [
                fact(
                    .epoch(
                        EpochFact(
                            recipient:
                                "age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs3290gq",
                            keys: [])))
            ]
        }
    }

    /// Another device of the same person.
    private func ownCard() throws -> UnverifiedCard {
        guard let person = scene.card.links.first?.content.personKey else {
            throw Scene.Failure(reason: "a card without a person")
        }
        return try CardIssuer.wire.endorse(
            CardIssuer.wire.request(by: DeviceKeys.generate(), for: person),
            endorser: scene.card, keys: scene.keys)
    }

    private func takingBack() -> [UInt8]? {
        let person = scene.card.links.first?.content.person
        let own = ledger.membership.members.last { member in
            let card = member.standing.card
            return card.device != scene.keys.device && card.person == person
        }
        guard let own else { return nil }
        return fact(
            .revocation(
                Revocation(
                    grant: own.grant, remaining: [], cut: Watermark(), scope: .device,
                    cascade: .none)))
    }

    private func fact(_ fact: UnverifiedFact) -> [UInt8] {
        CommitCodec().encode(ClearPart(facts: [fact]))
    }

    /// The next commit of the own log, or the first of another one if that is full.
    private mutating func commit(_ parts: [[UInt8]]) throws -> UnverifiedCommit {
        let (clear, operations) = (parts.flatMap(\.self), CommitCodec().encode([]))
        if written.facts + parts.count > Limits.factsPerLog - Limits.factsForRights
            || written.bytes + clear.count > Limits.readerFactBytes
        {
            (log, written) = (Overgrowth.newLog(of: scene.keys.device), (0, 0))
        }
        written = (written.facts + parts.count, written.bytes + clear.count)
        var header = ledger.nextHeader(
            in: log, under: grant, clock: clock.tick(now: Milliseconds(0)))
        header.clearHash = Label.clearPart.hash(clear)
        header.operationsHash = Label.operationsPart.hash(operations)
        let bytes = CommitCodec().encodeHeader(header)
        let commit = try CommitCodec().decode(
            EncodedCommit(
                header: bytes, signature: scene.keys.sign(.commit, bytes), clear: clear,
                operations: operations))
        let verified = CommitVerifier().verify([commit], keys: keys)
        for own in verified.commits { _ = ledger.record(own) }
        return commit
    }

    private var keys: KeyDirectory {
        var keys = KeyDirectory()
        keys.add(scene.keys.signingKey)
        return keys
    }
}
