import Identity
import Store
import SyncCore

/// No replica counts a write without the right to it, nor hides one with the right. This is checked
/// with a second evaluation of all facts that the replica holds, and separately with conditions
/// that hold under any rules, derived from who had written what when.
struct PermissionCheck {
    let world: World

    func run() {
        for space in world.observer.spaces {
            guard let history = world.observer.histories[space] else { continue }
            let judge = PermissionJudge(history)
            for replica in world.convergence.groups(of: space).flatMap({ $0 }) {
                guard let store = replica.store,
                    let effective = try? world.convergence.judgedCommits(of: space, store)
                else { continue }
                checkPermissions(of: replica, in: space, history, judge, effective)
                checkRights(of: replica, in: space, history, store, effective)
            }
        }
    }

    private func checkPermissions(
        of replica: Replica, in space: SpaceID, _ history: SpaceHistory, _ judge: PermissionJudge,
        _ effective: Set<CommitID>
    ) {
        let held = replica.seen.held[space] ?? CommitSet()
        for number in held.members {
            let entry = history.entries[number]
            let counts = effective.contains(entry.commit.id)
            if counts,
                entry.isForbidden && !judge.lostTaking(before: number)
                    || judge.mustNotCount(number, for: held)
                    || judge.isOpenToAll(number, knowing: effective)
            {
                world.report.fail(
                    "permission",
                    "\(replica.index) lets \(entry.commit.summary) count, which nobody allowed")
            }
            if !counts, judge.mustCount(number, for: held) {
                world.report.fail(
                    "permission",
                    "\(replica.index) lets \(entry.commit.summary) not count, which was allowed")
            }
        }
    }
}

extension PermissionCheck {
    private func checkRights(
        of replica: Replica, in space: SpaceID, _ history: SpaceHistory, _ store: SyncStore,
        _ effective: Set<CommitID>
    ) {
        guard let forks = store.ledger(of: space)?.forks else { return }
        let verifier = CommitVerifier(signatures: world.signatures)
        let known = replica.seen.held[space] ?? CommitSet()
        // Commits received as part of a branch are not reported as stored, but keys' statements in
        // them count.
        let branches = history.entries.indices.filter { number in
            guard !known.contains(number), history.isBranch(number) else { return false }
            return (try? store.log.commit(history.entries[number].commit.id)) != nil
        }
        let held = (Array(known.members) + branches).map { number in
            let commit = history.entries[number].commit
            let facts = verifier.facts(of: commit, keys: store.keys)
            return VerifiedCommit(verified: commit, facts: facts)
        }
        let reference = ReferenceMembership(held, forks: forks.mapValues(\.sequence))
        let ends = known.members.reduce(into: [LogID: UInt64]()) { ends, number in
            let header = history.entries[number].commit.header
            ends[header.log] = max(ends[header.log] ?? 0, header.sequence)
        }
        for commit in held {
            let counts = effective.contains(commit.id)
            let claim = CommitClaim(
                header: commit.header, clear: commit.commit.clear,
                operations: commit.commit.operations, contents: commit.commit.contents,
                by: reference.grants[commit.header.grant]?.card.person)
            let isWhole = claim.groupEnd <= ends[claim.log] ?? 0 || claim.groupEnd == claim.sequence
            guard counts != (isWhole && reference.counts(claim)) else { continue }
            world.report.fail(
                "permission",
                "\(replica.index) \(counts ? "shows" : "hides") \(commit.commit.summary)"
            )
        }
    }
}

private struct PermissionJudge {
    private struct Taking {
        let number: Int
        let revocation: Revocation
        let person: PersonID?
    }

    private let history: SpaceHistory
    private var grants: [FactReference: (card: CardContent, parent: FactReference, number: Int)] =
        [:]
    private var takings: [Taking] = []
    /// The commits that make epochs.
    private var epochs: [Int] = []
    /// Whether person keys made statements: only the second evaluation judges their effect.
    private var hasKeyWords = false
    private var root = FactReference.none

    init(_ history: SpaceHistory) {
        self.history = history
        for (number, entry) in history.entries.enumerated() {
            let commit = entry.commit
            if commit.header.isGenesis { root = FactReference(commit: commit.id, index: 0) }
            if commit.clear.facts.contains(where: \.makesEpoch) { epochs.append(number) }
            for (index, fact) in commit.clear.facts.enumerated() {
                if fact.isOfKey { hasKeyWords = true }
                guard case .grant(let grant) = fact, let card = grant.card.links.last?.content
                else { continue }
                let id = FactReference(commit: commit.id, index: UInt32(index))
                grants[id] = (card, grant.parent, number)
            }
        }
        for (number, entry) in history.entries.enumerated() {
            for case .revocation(let revocation) in entry.commit.clear.facts {
                takings.append(
                    Taking(
                        number: number, revocation: revocation,
                        person: grants[revocation.grant]?.card.person))
            }
        }
    }

    /// The grants from a commit's own up to the founder's.
    private func chain(of number: Int) -> [FactReference] {
        var chain: [FactReference] = []
        var next = history.entries[number].commit.header.grant
        while let grant = grants[next], chain.count <= grants.count {
            chain.append(next)
            next = grant.parent
        }
        return chain
    }

    private func knew(_ taking: Taking, _ number: Int) -> Bool {
        taking.number == number || history.precedes(number, taking.number)
    }

    /// An honest commit counts if everybody who revoked its author, or a device whose grant led to
    /// the author, had it before.
    func mustCount(_ number: Int, for held: CommitSet) -> Bool {
        guard let number = history.groupEnd(of: number, in: held) else { return false }
        let entry = history.entries[number]
        let chain = chain(of: number)
        guard !hasKeyWords, isSealedRightly(number), !entry.isForbidden, !history.isBranch(number),
            !chain.contains(where: { grants[$0].map { history.isBranch($0.number) } ?? true })
        else { return false }
        let persons = Set(chain.compactMap { grants[$0]?.card.person })
        return takings.allSatisfy { taking in
            guard concerns(taking, chain, persons) else { return true }
            return knew(taking, number)
                && chain.allSatisfy { grants[$0].map { knew(taking, $0.number) } ?? true }
        }
    }

    /// Whether a taking may reach who wrote under this chain of grants.
    private func concerns(
        _ taking: Taking, _ chain: [FactReference], _ persons: Set<PersonID>
    ) -> Bool {
        chain.contains(taking.revocation.grant) || taking.revocation.grant == root
            || taking.person.map { persons.contains($0) } ?? true
    }

    /// A commit that had seen an epoch is sealed; whether one on a branch counts is not judged
    /// here.
    private func isSealedRightly(_ number: Int) -> Bool {
        history.entries[number].commit.contents != .plain
            || !epochs.contains { history.precedes($0, number) || history.isBranch($0) }
    }

    /// Whether a commit is in the clear although its author had seen an epoch that counts.
    func isOpenToAll(_ number: Int, knowing effective: Set<CommitID>) -> Bool {
        history.entries[number].commit.contents == .plain
            && epochs.contains {
                effective.contains(history.entries[$0].commit.id) && !history.isBranch($0)
                    && history.precedes($0, number)
            }
    }

    /// Whether what had taken the author's right away stands in a branch: with the fork it is undone, until somebody
    /// says it again.
    func lostTaking(before number: Int) -> Bool {
        let chain = chain(of: number)
        let persons = Set(chain.compactMap { grants[$0]?.card.person })
        return takings.contains { taking in
            history.isBranch(taking.number) && history.precedes(taking.number, number)
                && concerns(taking, chain, persons)
        }
    }

    /// A right that the founder revoked is not used later by anybody who had not used it before,
    /// where the revocation is known. A revocation lost with the founder's disk before anybody had
    /// it does not exist.
    func mustNotCount(_ number: Int, for held: CommitSet) -> Bool {
        let commit = history.entries[number].commit
        guard !commit.header.isGenesis, !hasKeyWords,
            !takings.contains(where: { $0.revocation.grant == root })
        else { return false }
        let required = CommitClaim(
            header: commit.header, clear: commit.clear, operations: commit.operations,
            by: grants[commit.header.grant]?.card.person
        ).required
        return takings.contains { taking in
            let taker = history.entries[taking.number].commit.header
            return held.contains(taking.number) && taker.grant == root
                && !history.isBranch(taking.number)
                && taking.revocation.grant == commit.header.grant
                && !taking.revocation.remaining.isSuperset(of: required) && !knew(taking, number)
        }
    }
}

extension UnverifiedFact {
    fileprivate var isOfKey: Bool {
        switch self {
        case .personStatement, .keyExchange: true
        default: false
        }
    }

    fileprivate var makesEpoch: Bool {
        if case .epoch(let epoch) = self { epoch.addedTo.isEmpty } else { false }
    }
}
