import Identity
import Store
import SyncCore
import Wire

/// A member with a modified program that writes commits beyond its grant.
extension Attacks {
    func trespass(_ replica: Replica) {
        // Sometimes more than anybody takes at once of somebody who may not write.
        let isGreedy = world.random.chance(40)
        for _ in 0..<(isGreedy ? Self.greed : 1) { trespass(replica, isGreedy: isGreedy) }
    }

    /// Commits of the greatest size that together are more than ``Limits/pacedBytes``.
    private static let greed = Limits.pacedBytes / Limits.commitBytes + 2

    private func trespass(_ replica: Replica, isGreedy: Bool) {
        guard let store = replica.store,
            let space = world.random.pick(
                world.observer.spaces.filter { store.ledger(of: $0) != nil }),
            let ledger = store.ledger(of: space),
            let grant = ownGrant(in: ledger, replica),
            let incarnation = try? store.incarnation()
        else { return }
        let log = LogID(device: replica.device, incarnation: incarnation)
        let draft = forbiddenDraft(in: ledger, under: grant, space, isGreedy: isGreedy)
        let commit = seal(draft, in: log, ledger, under: grant, replica)
        // It may be there even after a failure, and is then found at the next start.
        if draft.isForbidden { world.observer.forbid(commit.id) }
        do {
            let report = try store.log.apply([commit], to: space, now: replica.clock.wall)
            guard report.stored.map(\.id) == [commit.id] else {
                world.observer.claim(commit.header, in: space)
                return sendRaw(commit.commit, of: space, replica)
            }
            world.observer.record(commit.commit, by: replica, in: space)
            world.engines.post([.applied(report, from: nil)], to: replica)
        } catch {
            world.machines.couldNotWrite("trespass", error, replica)
        }
    }

    /// Sends a commit that not even the own store accepts to everybody.
    private func sendRaw(_ commit: UnverifiedCommit, of space: SpaceID, _ replica: Replica) {
        for session in replica.connections.sessions.keys.sorted() {
            guard let place = replica.connections.sessions[session] else { continue }
            world.network.put(
                .commits(space, [commit], live: world.random.chance(50)), place, replica)
        }
    }

    /// An effective grant or a revoked one.
    private func ownGrant(in ledger: SpaceLedger, _ replica: Replica) -> FactReference? {
        world.random.pick(
            ledger.membership.standings.filter { $0.value.card.device == replica.device }
                .keys.sorted())
    }

    /// A draft beyond the grant, and whether it certainly is.
    private func forbiddenDraft(
        in ledger: SpaceLedger, under grant: FactReference, _ space: SpaceID, isGreedy: Bool
    ) -> (clear: ClearPart, operations: [RecordOperation], isForbidden: Bool) {
        let rights = ledger.membership.standings[grant]?.current ?? []
        let memory = world.recordID("memory", world.random.below(4), in: space)
        let authority = Write(
            field: "title", value: .text("above all"), precedence: Precedence.authority.rawValue)
        let writes: [Write]
        var isForbidden = true
        if rights.contains(.write), ledger.membership.isEncrypted, world.random.chance(70) {
            // Where all has to be sealed: what it may write, in the clear.
            writes = [Write(field: "title", value: .text("for all to read"))]
            isForbidden = false
        } else if !rights.contains(.write) {
            let count = isGreedy ? (Limits.commitBytes - (1 << 16)) / 8 : 1
            writes = [
                Write(field: "title", value: .text(String(repeating: "not mine", count: count)))
            ]
        } else if !rights.contains(.delete) {
            writes = [.deletion(true)]
        } else {
            writes = [authority]
            isForbidden =
                (ledger.membership.standings[grant]?.precedence ?? 0)
                < Precedence.authority.rawValue
        }
        // Grants that it may not give, to itself for example, and an unrequested schema.
        var clear = ClearPart()
        if world.random.chance(30), let card = world.random.pick(world.replicas)?.member.chain {
            clear.facts = [
                .grant(
                    UnverifiedGrant(card: card, parent: grant, flags: .all, siblingIndex: 0))
            ]
        }
        let operation = RecordOperation(collection: "memory", record: memory, writes: writes)
        return (clear, [operation], isForbidden)
    }

    private func seal(
        _ draft: (clear: ClearPart, operations: [RecordOperation], isForbidden: Bool),
        in log: LogID, _ ledger: SpaceLedger, under grant: FactReference, _ replica: Replica
    ) -> VerifiedCommit {
        let codec = CommitCodec()
        let clear = codec.encode(draft.clear)
        let operations = codec.encode(draft.operations)
        let (sequence, previous) = ledger.nextPosition(in: log)
        let header = CommitHeader(
            space: ledger.space, log: log, sequence: sequence, previous: previous,
            clock: HybridTime(milliseconds: replica.clock.wall.value, counter: 0),
            seen: ledger.unseen(by: log), grant: grant, schema: ledger.schema.schema,
            schemaVersion: ledger.schema.version, clearHash: Label.clearPart.hash(clear),
            operationsHash: Label.operationsPart.hash(operations))
        let bytes = codec.encodeHeader(header)
        let encoded = EncodedCommit(
            header: bytes, signature: replica.member.keys.sign(.commit, bytes), clear: clear,
            operations: operations)
        let commit = UnverifiedCommit(
            id: encoded.id, header: header, clear: draft.clear, operations: draft.operations,
            encoded: encoded)
        let facts = CommitVerifier(signatures: world.signatures).facts(
            of: commit, keys: replica.store?.keys ?? KeyDirectory())
        return VerifiedCommit(verified: commit, facts: facts)
    }
}
