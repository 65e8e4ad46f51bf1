/// One evaluation of all membership facts of a space, from the most senior grant down.
struct MembershipEvaluation {
    typealias Facts = [FactReference: (fact: MembershipFact, origin: Membership.Origin)]

    private let facts: Facts
    private let founderGrant: FactReference?
    private let forks: [LogID: UInt64]
    private let branches: LogBranches
    /// Grants by person keys that say the same, by the least of them: carrying a statement again grants
    /// nothing again.
    private let first: [FactReference: FactReference]
    private var standings: [FactReference: GrantStanding] = [:]
    /// By valid grant the one, itself or above it, that let its person in.
    private var entries: [FactReference: FactReference] = [:]
    private(set) var places = DevicePlaces()
    /// The ends of pinned branches that are not here.
    private(set) var missing: Set<BranchPlace> = []
    /// By entry grant, what keys said of the grants below it.
    private var said: [SignedQuery: [RevocationIndex.Found]] = [:]
    private var index: RevocationIndex

    /// What facts are judged by beside themselves.
    struct Circumstances {
        let founderGrant: FactReference?
        let forks: [LogID: UInt64]
        let branches: LogBranches
    }

    init(_ facts: Facts, _ circumstances: Circumstances) {
        (self.facts, founderGrant) = (facts, circumstances.founderGrant)
        (forks, branches) = (circumstances.forks, circumstances.branches)
        first = MembershipEvaluation.statements(in: facts)
        let founded = founderGrant.flatMap { facts[$0]?.fact.grant?.flags } ?? []
        index = RevocationIndex(flags: founded.union(.vault), forks: forks)
    }

    private static func statements(in facts: Facts) -> [FactReference: FactReference] {
        var known: [PersonGrant: [FactReference]] = [:]
        for (id, entry) in facts {
            guard let statement = PersonGrant(entry.fact) else { continue }
            known[statement, default: []].append(id)
        }
        return known.values.reduce(into: [:]) { first, ids in
            guard ids.count > 1, let least = ids.min() else { return }
            for id in ids { first[id] = least }
        }
    }

    /// The standing of every valid grant.
    mutating func run() -> [FactReference: GrantStanding] {
        let candidates = candidates()
        let written = revocations()
        for (id, order) in candidates {
            let isByKey = isPersonGrant(id)
            guard var standing = standing(of: id, order: order),
                places.hasRoom(for: standing.card, byKey: isByKey)
            else { continue }
            entries[id] = entry(of: id, standing)
            let counted = counted(against: id, standing)
            standing.restrict(by: counted.restrictions)
            standing.pin(pins(counted, standing.card.device))
            // The holder's own leave is judged with everything senior already in place.
            let own = written[id] ?? []
            let leaves = own.filter {
                $0.revocation.grant == id
                    && !effectivePermissions($0.origin, under: standing).isEmpty
            }
            standing.restrict(by: leaves.map { counted.ofHolder($0.revocation) })
            precondition(standings[id] == nil, "a grant is judged twice")
            standings[id] = standing
            if !standing.current.isEmpty { places.claim(for: standing.card, byKey: isByKey) }
            index(own, under: standing, id)
        }
        Invariants.check(
            entries.allSatisfy { standings[$0]?.card.person == standings[$1]?.card.person },
            "a grant came to its person by a grant of somebody else")
        precondition(
            entries.count == standings.count,
            "\(standings.count) grants stand, and \(entries.count) came to somebody")
        Invariants.check(
            standings.values.allSatisfy {
                $0.current.isEmpty || places.holds($0.card, byKey: $0.isByKey)
            }, "a device has rights and no place")
        Invariants.check(
            standings.values.allSatisfy { standing in
                standing.pinned.allSatisfy { log, branch in
                    log.device == standing.card.device
                        && branch.head.sequence >= forks[log] ?? .max
                }
            }, "a branch counts of another device, or of a log that did not fork")
        return standings
    }

    /// Every grant that descends from the founder's, by seniority. Order is structural: it does not
    /// depend on what is valid, so it never changes once the facts are known.
    private func candidates() -> [(FactReference, GrantStanding.Order)] {
        guard let founderGrant else { return [] }
        var children: [FactReference: [(FactReference, Grant)]] = [:]
        for (id, entry) in facts {
            if let grant = entry.fact.grant, let parent = grant.parent {
                children[parent, default: []].append((id, grant))
            }
        }
        var orders = [founderGrant: GrantStanding.Order(rank: 1, siblingIndex: 0)]
        var queue = [founderGrant]
        while let parent = queue.popLast() {
            guard let order = orders[parent], let senior = facts[parent]?.fact.grant else {
                continue
            }
            for (id, child) in children[parent] ?? [] where orders[id] == nil {
                let keepsRank = isSibling(child, of: senior) || isPersonGrant(id)
                let junior = GrantStanding.Order(
                    rank: keepsRank ? order.rank : order.rank &+ 1,
                    siblingIndex: keepsRank
                        ? max(min(child.siblingIndex, Limits.siblingIndex), order.siblingIndex &+ 1)
                        : 0)
                precondition(order < junior, "a grant is not junior to the one that it comes from")
                orders[id] = junior
                queue.append(id)
            }
        }
        return orders.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) }
    }

    private func standing(of id: FactReference, order: GrantStanding.Order) -> GrantStanding? {
        guard let entry = facts[id], let grant = entry.fact.grant else { return nil }
        let standing = GrantStanding(
            card: grant.card, order: order, parent: grant.parent, granted: grant.flags,
            precedence: grant.precedence, isByKey: isPersonGrant(id))
        guard let parent = grant.parent else {
            return id == founderGrant ? standing : nil
        }
        guard let senior = standings[parent], senior.precedence >= grant.precedence else {
            return nil
        }
        if case .personGrant(_, let signed) = entry.fact {
            let person = signed.person
            guard senior.card.person == person, grant.card.person == person,
                senior.granted.isSuperset(of: grant.flags)
            else { return nil }
            return standing
        }
        // A grant is written under the very grant it descends from.
        guard entry.origin.grant == parent else { return nil }
        let allowed = effectivePermissions(entry.origin, under: senior)
        // Who may give the space to others may also have it carried.
        let isAdmin = allowed.contains(.admin)
        let givable = isAdmin ? allowed.union(.vault) : allowed
        guard !allowed.isEmpty, givable.isSuperset(of: grant.flags) else { return nil }
        guard isAdmin || senior.card.person == grant.card.person else {
            return nil
        }
        return standing
    }

    // MARK: Revocations

    private typealias Written = (revocation: Revocation, origin: Membership.Origin)

    /// The revocations that devices wrote, by the grant they were written under. Those of person
    /// keys count whatever becomes of who carried them, and go into the index at once.
    private mutating func revocations() -> [FactReference: [Written]] {
        var written: [FactReference: [Written]] = [:]
        var signed: [SignedRevocation: RevocationIndex.Carriers] = [:]
        for (fact, origin) in facts.values {
            switch fact {
            case .revocation(let revocation):
                guard let author = origin.grant else { continue }
                written[author, default: []].append((revocation, origin))
            case .personRevocation(let revocation, let by):
                let statement = SignedRevocation(revocation: revocation, person: by.person)
                var carriers = signed[statement] ?? RevocationIndex.Carriers()
                if isBranch(origin) {
                    carriers.inBranches.append(origin)
                } else {
                    let first = carriers.first[origin.log] ?? .max
                    carriers.first[origin.log] = min(first, origin.sequence)
                }
                signed[statement] = carriers
            default: continue
            }
        }
        for (statement, carriers) in signed {
            let (revocation, named) = judged(statement.revocation)
            index.add(revocation, signedBy: statement.person, person: named, in: carriers)
        }
        return written
    }

    private struct SignedRevocation: Hashable {
        let revocation: Revocation
        let person: PersonID
    }

    /// Takes what was written under a grant into the index, as far as its holder might; the latest
    /// first, as the index wants it.
    private mutating func index(
        _ written: [Written], under standing: GrantStanding, _ id: FactReference
    ) {
        let person = standing.card.person
        let author = RevocationIndex.Author(order: standing.order, person: person)
        for (written, origin) in written.sorted(by: { $0.origin.sequence > $1.origin.sequence }) {
            let allowed = effectivePermissions(origin, under: standing)
            guard !allowed.isEmpty else { continue }
            let place = RevocationIndex.Place(
                source: RevocationIndex.Place.Source(log: origin.log, grant: id),
                sequence: origin.sequence)
            let (revocation, named) = judged(written)
            index.add(revocation, right: .sibling(person), person: named, by: author, at: place)
            guard allowed.contains(.admin) else { continue }
            index.add(revocation, right: .admin, person: named, by: author, at: place)
        }
    }

    /// A revocation as it is judged, and the person of the grant that it names, where that is here.
    private func judged(_ revocation: Revocation) -> (Revocation, PersonID?) {
        var judged = revocation
        judged.grant = first[revocation.grant] ?? revocation.grant
        return (judged, facts[revocation.grant]?.fact.grant?.card.person)
    }

    /// What counts against a grant from senior grants and from person keys: what names it, its
    /// person, or with a cascade one of its ancestors, or the person of one. Nothing begins at those of
    /// the first rank: all descends from there.
    private mutating func counted(
        against id: FactReference, _ standing: GrantStanding
    ) -> CountedRevocations {
        let person = standing.card.person
        var rights: [RevocationIndex.Right] = [.admin, .sibling(person), .person(person)]
        if let founder, founder.person != person { rights.append(.person(founder.person)) }
        var found = CountedRevocations(against: person, founder: founder?.person)
        collect(on: id, of: person, by: rights, standing.order, into: &found)
        var ancestor = standing.parent
        while let current = ancestor, let senior = standings[current], senior.order.rank > 1 {
            let isSamePerson = senior.card.person == person
            collect(
                on: current, of: senior.card.person, by: rights, standing.order,
                cascades: isSamePerson ? [.samePerson, .all] : [.all], into: &found)
            ancestor = senior.parent
        }
        return found
    }

    /// What names a grant or reaches its person, and counts against a grant of this order.
    private mutating func collect(
        on id: FactReference, of person: PersonID, by rights: [RevocationIndex.Right],
        _ order: GrantStanding.Order, cascades: [Revocation.Cascade]? = nil,
        into found: inout CountedRevocations
    ) {
        let entry = entryCommit(of: id)
        for right in rights {
            let named = index.restrictions(
                on: first[id] ?? id, by: right, of: order, cascades: cascades)
            found.add(named, by: right)
            if case .person(let signer) = right {
                found.add(signed(by: signer, of: person, below: id, entry, cascades), by: right)
            } else {
                let meant = index.restrictions(
                    onPerson: person, entry: entry, by: right, of: order, cascades: cascades)
                found.add(meant, by: right)
            }
        }
    }

    /// The branches of a device's forked logs that count for a grant to it, as far as they are here.
    private mutating func pins(
        _ counted: CountedRevocations, _ device: DeviceID
    ) -> [LogID: PinnedBranch] {
        guard forks.keys.contains(where: { $0.device == device }) else { return [:] }
        var pins: [LogID: PinnedBranch] = [:]
        for (log, head) in counted.pins(of: device) {
            let fork = forks[log] ?? .max
            pins[log] = branches.branch(to: head, of: log, from: fork)
            guard pins[log] == nil, head.sequence >= fork else { continue }
            missing.insert(
                BranchPlace(log: log, sequence: head.sequence, commit: head.commit))
        }
        return pins
    }

    /// What a key said of all grants of a person, for those that hang below one entry: worked out once,
    /// however many those are.
    private mutating func signed(
        by signer: PersonID, of person: PersonID, below id: FactReference,
        _ entry: RevocationIndex.Entry?, _ cascades: [Revocation.Cascade]?
    ) -> [RevocationIndex.Found] {
        let query = SignedQuery(
            signer: signer, person: person, entry: entries[id] ?? id, cascades: cascades)
        if let known = said[query] { return known }
        let found = index.signed(by: signer, of: person, entry: entry, cascades: cascades)
        said[query] = found
        return found
    }

    private struct SignedQuery: Hashable {
        let signer: PersonID
        let person: PersonID
        let entry: FactReference
        let cascades: [Revocation.Cascade]?
    }

    // MARK: Entries

    private func entry(of id: FactReference, _ standing: GrantStanding) -> FactReference {
        guard let parent = standing.parent, let senior = standings[parent],
            senior.card.person == standing.card.person
        else { return id }
        precondition(entries[parent] != nil, "a grant is judged before the one that it comes from")
        return entries[parent] ?? id
    }

    /// How the person of a grant was let in; nil for the founder, who was not.
    private func entryCommit(of id: FactReference) -> RevocationIndex.Entry? {
        guard let fact = facts[entries[id] ?? id], fact.fact.isGrant,
            let parent = fact.fact.grant?.parent, let giver = standings[parent]
        else { return nil }
        let judged = standings
        return RevocationIndex.Entry(hasSeen: fact.origin.hasSeen, rank: giver.order.rank) {
            carrier in
            guard let standing = carrier.grant.flatMap({ judged[$0] }) else { return false }
            return !(giver.order < standing.order) && standing.hasPinned(carrier)
        }
    }

    func effectivePermissions(
        _ origin: Membership.Origin, under standing: GrantStanding
    ) -> Permissions {
        guard standing.card.device == origin.log.device,
            !isBranch(origin) || standing.hasPinned(origin)
        else { return [] }
        return standing.permissions(at: origin.log, origin.sequence)
    }

    private func isBranch(_ origin: Membership.Origin) -> Bool {
        forks[origin.log].map { origin.sequence >= $0 } ?? false
    }

    private var founder: Card? {
        founderGrant.flatMap { facts[$0]?.fact.grant?.card }
    }

    private func isSibling(_ grant: Grant, of senior: Grant) -> Bool {
        grant.siblingIndex > 0 && grant.card.person == senior.card.person
            && grant.flags == senior.flags
    }

    private func isPersonGrant(_ id: FactReference) -> Bool {
        if case .personGrant = facts[id]?.fact { true } else { false }
    }
}
