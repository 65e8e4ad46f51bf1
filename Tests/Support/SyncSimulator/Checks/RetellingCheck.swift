import Encryption
import Identity
import Store
import SyncCore
internal import TestKit
import VirtualDisk
import Wire

/// The same laws for the store: after receiving everything again, in another order, in other
/// batches and some of it twice, an empty store shows the same bytes.
struct RetellingCheck {
    let world: World

    func run(
        of space: SpaceID, _ log: EffectiveLog, _ history: SpaceHistory, _ replica: Replica
    ) throws {
        guard let store = replica.store, let held = replica.seen.held[space] else { return }
        let listener = try emptyStore(for: replica.member)
        let commits = shuffled(held, history).map { history.entries[$0].commit.closed }
        // No replica here knows a fork: the kept commits of a cut branch could not be sent.
        guard commits.count == (try store.log.history(of: space, limit: .max)).count,
            try history.partial(in: store, space).isEmpty
        else { return }
        world.report.counts.deeds.insert(.retelling)
        try tell(commits, of: space, to: listener, keys: store.keys)
        let schema = listener.spaces.schema(of: space) ?? world.journal
        let digest = try listener.records.digest(of: space, under: schema)
        try tell(
            commits.filter { _ in world.random.chance(40) }, of: space, to: listener,
            keys: store.keys)
        if try listener.records.digest(of: space, under: schema) != digest {
            world.report.fail("laws", "what is told twice of \(short(space)) changes something")
        }
        try compare(listener, with: store, in: space, log)
        try listener.close()
    }

    private func compare(
        _ listener: SyncStore, with store: SyncStore, in space: SpaceID, _ log: EffectiveLog
    ) throws {
        let (told, known) = (listener.ledger(of: space), store.ledger(of: space))
        if told?.watermark != known?.watermark || told?.schema != known?.schema
            || told?.membership.members.map(\.grant) != known?.membership.members.map(\.grant)
        {
            world.report.fail(
                "laws", "told in another order, \(short(space)) has other members or schemas")
        }
        if try world.convergence.effectiveCommits(of: space, listener)
            != world.convergence.effectiveCommits(of: space, store)
        {
            world.report.fail(
                "laws", "told in another order, other commits of \(short(space)) count")
        }
        for key in Set(log.entries.flatMap { $0.operations.map(RecordKey.init) }).sorted() {
            let one = try listener.records.record(key, of: space).map(RecordCodec.encode)
            let other = try store.records.record(key, of: space).map(RecordCodec.encode)
            if one != other {
                world.report.fail(
                    "laws", "told in another order, \(key.collection) \(key.record) is another one")
            }
        }
    }

    private func emptyStore(for member: Member) throws -> SyncStore {
        let epochKeys = EpochKeyRing()
        epochKeys.use(member.device, agreementSecret: member.keys.agreementSecret)
        let disk = VirtualDisk(copying: Replica.freshDisk, seed: world.random.next())
        let known = KnownSchemas(shelf: world.schemas, isOutdated: false)
        return try SyncStore(
            holding: disk.place(), decoder: CommitCodec(epochKeys: epochKeys),
            verifier: CommitVerifier(signatures: world.signatures), random: &world.random,
            schemas: known.schema)
    }

    /// Any order in which each commit comes after everything that its author had.
    private func shuffled(_ held: CommitSet, _ history: SpaceHistory) -> [Int] {
        var rest = held.members
        var order: [Int] = []
        while !rest.isEmpty {
            // The first is always ready; a few tries are enough.
            let tries = (0..<4).map { _ in world.random.index(below: rest.count) } + [0]
            let place = tries.first { place in
                !rest[..<place].contains { history.precedes($0, rest[place]) }
            }
            order.append(rest.remove(at: place ?? 0))
        }
        return order
    }

    private func tell(
        _ commits: [UnverifiedCommit], of space: SpaceID, to listener: SyncStore,
        keys: KeyDirectory
    ) throws {
        let verifier = CommitVerifier(signatures: world.signatures)
        var rest = commits[...]
        while !rest.isEmpty {
            let portion = rest.prefix(1 + world.random.index(below: 6))
            rest = rest.dropFirst(portion.count)
            let verified = portion.map { commit in
                VerifiedCommit(
                    verified: commit, facts: verifier.facts(of: commit, keys: keys))
            }
            let heard =
                world.schedule.canary == .firstToArrive
                ? try verified.map { try $0.yielding(to: listener, in: space) } : verified
            let outcome = try listener.log.apply(
                heard, to: space, now: Milliseconds(world.timeline.now))
            if let refusal = outcome.refusal {
                world.report.fail("laws", "told in another order, \(refusal) of \(short(space))")
                return
            }
        }
    }
}

extension RecordKey {
    init(_ operation: RecordOperation) {
        self.init(collection: operation.collection, record: operation.record)
    }
}

extension UnverifiedCommit {
    /// As other devices send it.
    fileprivate var closed: UnverifiedCommit {
        header.epoch == nil ? self : with([], .closed)
    }
}
