/// One evaluation of all membership facts of a space, from the most senior grant down.
struct MembershipEvaluation {
    typealias Facts = [FactReference: (fact: MembershipFact, origin: Membership.Origin)]

    private let facts: Facts
    private let founderGrant: FactReference?
    private let forks: [LogID: UInt64]
    private var standings: [FactReference: GrantStanding] = [:]

    init(facts: Facts, founderGrant: FactReference?, forks: [LogID: UInt64]) {
        self.facts = facts
        self.founderGrant = founderGrant
        self.forks = forks
    }

    /// The standing of every valid grant.
    mutating func run() -> [FactReference: GrantStanding] {
        for (id, order) in candidates() {
            guard var standing = standing(of: id, order: order) else { continue }
            standing.restrictions = restrictions(on: id, standing)
            standings[id] = standing
            // The holder's own leave is judged with everything senior already in place.
            let own = leaves(of: id, standing)
            standings[id]?.restrictions.append(contentsOf: own)
        }
        return standings
    }

    /// Every grant that descends from the founder's, by seniority. Order is structural: it does not
    /// depend on what is valid, so it never changes once the facts are known.
    private func candidates() -> [(FactReference, GrantStanding.Order)] {
        guard let founderGrant else { return [] }
        var children: [FactReference: [(FactReference, Grant)]] = [:]
        for (id, entry) in facts {
            if let grant = grant(in: entry.fact), let parent = grant.parent {
                children[parent, default: []].append((id, grant))
            }
        }
        var orders = [founderGrant: GrantStanding.Order(rank: 1, siblingIndex: 0)]
        var queue = [founderGrant]
        while let parent = queue.popLast() {
            guard let order = orders[parent],
                let senior = facts[parent].flatMap({ grant(in: $0.fact) })
            else { continue }
            for (id, child) in children[parent] ?? [] where orders[id] == nil {
                let keepsRank = isSibling(child, of: senior) || isPersonGrant(id)
                orders[id] = GrantStanding.Order(
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
        of id: FactReference, order: GrantStanding.Order
    ) -> GrantStanding? {
        guard let entry = facts[id], let grant = grant(in: entry.fact) else { return nil }
        var standing = GrantStanding(
            card: grant.card, order: order, parent: grant.parent, granted: grant.flags,
            precedence: grant.precedence)
        guard let parent = grant.parent else {
            return id == founderGrant ? standing : nil
        }
        guard let senior = standings[parent] else { return nil }
        if case .personGrant(_, let person) = entry.fact {
            guard senior.card.person == person, grant.card.person == person,
                senior.granted.isSuperset(of: grant.flags)
            else { return nil }
            return standing
        }
        // A grant is written under the very grant it descends from.
        guard entry.origin.grant == parent else { return nil }
        let allowed = effectivePermissions(entry.origin, under: senior)
        guard !allowed.isEmpty, allowed.isSuperset(of: grant.flags),
            senior.precedence >= grant.precedence
        else { return nil }
        guard allowed.contains(.admin) || senior.card.person == grant.card.person else {
            return nil
        }
        standing.restrictions = []
        return standing
    }

    /// What counts against a grant from senior grants and from person keys.
    private func restrictions(
        on id: FactReference, _ standing: GrantStanding
    ) -> [GrantStanding.Restriction] {
        facts.compactMap { entry -> GrantStanding.Restriction? in
            switch entry.value.fact {
            case .revocation(let revocation):
                guard reaches(revocation, id, standing),
                    let author = entry.value.origin.grant, let senior = standings[author],
                    author != id
                else { return nil }
                let allowed = effectivePermissions(entry.value.origin, under: senior)
                let outranks = senior.order.rank < standing.order.rank && allowed.contains(.admin)
                let elderSibling =
                    senior.card.person == standing.card.person && senior.order < standing.order
                    && !allowed.isEmpty
                return outranks || elderSibling ? restriction(revocation) : nil
            case .personRevocation(let revocation, let person):
                guard reaches(revocation, id, standing) else { return nil }
                let isFounder = founder?.person == person
                return standing.card.person == person || isFounder
                    ? restriction(revocation) : nil
            default: return nil
            }
        }
    }

    private func leaves(
        of id: FactReference, _ standing: GrantStanding
    ) -> [GrantStanding.Restriction] {
        facts.values.compactMap { entry in
            guard case .revocation(let revocation) = entry.fact, revocation.grant == id,
                entry.origin.grant == id,
                !effectivePermissions(entry.origin, under: standing).isEmpty
            else { return nil }
            return restriction(revocation)
        }
    }

    /// Whether a revocation names this grant, its person, or one of its ancestors with cascade.
    private func reaches(
        _ revocation: Revocation, _ id: FactReference, _ standing: GrantStanding
    ) -> Bool {
        if revocation.grant == id { return true }
        guard let named = facts[revocation.grant].flatMap({ grant(in: $0.fact) }) else {
            return false
        }
        let samePerson = named.card.person == standing.card.person
        if revocation.scope == .person && samePerson { return true }
        switch revocation.cascade {
        case .none: return false
        case .samePerson where !samePerson: return false
        case .samePerson, .all: break
        }
        var ancestor = standing.parent
        while let current = ancestor {
            if current == revocation.grant { return true }
            ancestor = standings[current]?.parent
        }
        return false
    }

    private func effectivePermissions(
        _ origin: Membership.Origin, under standing: GrantStanding
    ) -> Permissions {
        guard standing.card.device == origin.log.device else { return [] }
        if let fork = forks[origin.log], origin.sequence >= fork { return [] }
        return standing.permissions(at: origin.log, origin.sequence)
    }

    private var founder: Card? {
        founderGrant.flatMap { facts[$0] }.flatMap { grant(in: $0.fact)?.card }
    }

    private func restriction(_ revocation: Revocation) -> GrantStanding.Restriction {
        GrantStanding.Restriction(cut: revocation.cut, remaining: revocation.remaining)
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

extension Limits {
    // MARK: Membership

    /// Greatest place among the devices of one person that a grant can claim: what it claims beyond
    /// counts as this, so that there is always a next one.
    package static let siblingIndex: UInt32 = 1 << 16
}
