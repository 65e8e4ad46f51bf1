import SyncCore

/// Who may do what, worked out as the design says it and not as it is quick: every grant against
/// every fact, from nothing. What it gives, `Membership` has to give.
struct PlainMembership {
    private struct Origin {
        var log: LogID
        var sequence: UInt64
        var grant: FactReference?
    }

    struct Order: Comparable {
        var rank: UInt32
        var siblingIndex: UInt32

        static func < (left: Order, right: Order) -> Bool {
            (left.rank, left.siblingIndex) < (right.rank, right.siblingIndex)
        }
    }

    struct Standing {
        let grant: Grant
        let order: Order
        var restrictions: [Revocation] = []

        var current: Permissions {
            restrictions.reduce(grant.flags) { $0.intersection($1.remaining) }
        }

        func permissions(at log: LogID, _ sequence: UInt64) -> Permissions {
            restrictions.reduce(grant.flags) { left, restriction in
                restriction.cut.covers(log, sequence)
                    ? left : left.intersection(restriction.remaining)
            }
        }
    }

    private(set) var standings: [FactReference: Standing] = [:]
    private let forks: [LogID: UInt64]
    private var facts: [FactReference: (fact: MembershipFact, origin: Origin)] = [:]
    private var founderGrant: FactReference?

    /// `forks` by log, from where on nothing counts.
    init(_ commits: some Sequence<VerifiedCommit>, forks: [LogID: UInt64]) {
        self.forks = forks
        for commit in commits {
            let header = commit.header
            let origin = Origin(
                log: header.log, sequence: header.sequence,
                grant: header.isGenesis ? nil : header.grant)
            if header.isGenesis { founderGrant = FactReference(commit: commit.id, index: 0) }
            for (index, fact) in commit.facts.enumerated() {
                facts[FactReference(commit: commit.id, index: UInt32(index))] = (fact, origin)
            }
        }
        for (id, order) in candidates() {
            guard var standing = standing(of: id, order: order) else { continue }
            standing.restrictions = restrictions(on: id, standing)
            standings[id] = standing
            let own = leaves(of: id, standing)
            standings[id]?.restrictions.append(contentsOf: own)
        }
    }

    func permissions(
        under grant: FactReference, at log: LogID, _ sequence: UInt64
    ) -> Permissions {
        guard let standing = standings[grant], standing.grant.card.device == log.device,
            sequence < forks[log] ?? .max
        else { return [] }
        return standing.permissions(at: log, sequence)
    }

    /// Every grant that descends from the founder's, by seniority. Order is structural: it does not
    /// depend on what is valid, so it never changes once the facts are known.
    private func candidates() -> [(FactReference, Order)] {
        guard let founderGrant else { return [] }
        var children: [FactReference: [(FactReference, Grant)]] = [:]
        for (id, entry) in facts {
            if let grant = grant(in: entry.fact), let parent = grant.parent {
                children[parent, default: []].append((id, grant))
            }
        }
        var orders = [founderGrant: Order(rank: 1, siblingIndex: 0)]
        var queue = [founderGrant]
        while let parent = queue.popLast() {
            guard let order = orders[parent],
                let senior = facts[parent].flatMap({ grant(in: $0.fact) })
            else { continue }
            for (id, child) in children[parent] ?? [] where orders[id] == nil {
                let keepsRank = isSibling(child, of: senior) || isPersonGrant(id)
                orders[id] = Order(
                    rank: keepsRank ? order.rank : order.rank &+ 1,
                    siblingIndex: keepsRank
                        ? max(
                            min(child.siblingIndex, Limits.siblingIndex), order.siblingIndex &+ 1)
                        : 0)
                queue.append(id)
            }
        }
        return orders.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .map { ($0.key, $0.value) }
    }

    private func standing(
        of id: FactReference, order: Order
    ) -> Standing? {
        guard let entry = facts[id], let grant = grant(in: entry.fact) else { return nil }
        let standing = Standing(grant: grant, order: order)
        guard let parent = grant.parent else {
            return id == founderGrant ? standing : nil
        }
        guard let senior = standings[parent] else { return nil }
        if case .personGrant(_, let person) = entry.fact {
            guard senior.grant.card.person == person, grant.card.person == person,
                senior.grant.flags.isSuperset(of: grant.flags)
            else { return nil }
            return standing
        }
        // A grant is written under the very grant it descends from.
        guard entry.origin.grant == parent else { return nil }
        let allowed = effectivePermissions(entry.origin, under: senior)
        guard !allowed.isEmpty, allowed.isSuperset(of: grant.flags),
            senior.grant.precedence >= grant.precedence
        else { return nil }
        guard allowed.contains(.admin) || senior.grant.card.person == grant.card.person else {
            return nil
        }
        return standing
    }

    /// What counts against a grant from senior grants and from person keys.
    private func restrictions(
        on id: FactReference, _ standing: Standing
    ) -> [Revocation] {
        facts.compactMap { entry -> Revocation? in
            switch entry.value.fact {
            case .revocation(let revocation):
                guard reaches(revocation, id, standing),
                    let author = entry.value.origin.grant, let senior = standings[author],
                    author != id
                else { return nil }
                let allowed = effectivePermissions(entry.value.origin, under: senior)
                let outranks = senior.order.rank < standing.order.rank && allowed.contains(.admin)
                let elderSibling =
                    senior.grant.card.person == standing.grant.card.person
                    && senior.order < standing.order
                    && !allowed.isEmpty
                return outranks || elderSibling ? revocation : nil
            case .personRevocation(let revocation, let person):
                guard reaches(revocation, id, standing) else { return nil }
                let isFounder = founder?.person == person
                return standing.grant.card.person == person || isFounder
                    ? revocation : nil
            default: return nil
            }
        }
    }

    private func leaves(
        of id: FactReference, _ standing: Standing
    ) -> [Revocation] {
        facts.values.compactMap { entry in
            guard case .revocation(let revocation) = entry.fact, revocation.grant == id,
                entry.origin.grant == id,
                !effectivePermissions(entry.origin, under: standing).isEmpty
            else { return nil }
            return revocation
        }
    }

    /// Whether a revocation names this grant, its person, or one of its ancestors with cascade.
    private func reaches(
        _ revocation: Revocation, _ id: FactReference, _ standing: Standing
    ) -> Bool {
        if revocation.grant == id { return true }
        guard let named = facts[revocation.grant].flatMap({ grant(in: $0.fact) }) else {
            return false
        }
        let samePerson = named.card.person == standing.grant.card.person
        if revocation.scope == .person && samePerson { return true }
        switch revocation.cascade {
        case .none: return false
        case .samePerson where !samePerson: return false
        case .samePerson, .all: break
        }
        var ancestor = standing.grant.parent
        while let current = ancestor {
            if current == revocation.grant { return true }
            ancestor = standings[current]?.grant.parent
        }
        return false
    }

    private func effectivePermissions(
        _ origin: Origin, under standing: Standing
    ) -> Permissions {
        guard standing.grant.card.device == origin.log.device else { return [] }
        if let fork = forks[origin.log], origin.sequence >= fork { return [] }
        return standing.permissions(at: origin.log, origin.sequence)
    }

    private var founder: Card? {
        founderGrant.flatMap { facts[$0] }.flatMap { grant(in: $0.fact)?.card }
    }

    private func isSibling(_ grant: Grant, of senior: Grant) -> Bool {
        grant.siblingIndex > 0 && grant.card.person == senior.card.person
            && grant.flags == senior.flags
    }

    private func isPersonGrant(_ id: FactReference) -> Bool {
        if case .personGrant = facts[id]?.fact { true } else { false }
    }

    private func grant(in fact: MembershipFact) -> Grant? {
        switch fact {
        case .grant(let grant), .personGrant(let grant, _): grant
        default: nil
        }
    }
}
