import SyncCore

/// Who may do what in a space, worked out a second time: each rule of section 6 of the design as a
/// question that is answered from the facts alone, however slow. What it answers, `Membership` has to
/// answer.
///
/// A question about a grant asks about more senior ones only, so every answer is reached.
final class ReferenceMembership {
    /// Rank first, then place among the devices of one person: smaller is more senior.
    struct Place: Comparable {
        let rank: Int
        let sibling: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.rank, left.sibling) < (right.rank, right.sibling)
        }
    }

    /// A rule that is easier to think of, and wrong.
    enum Naive: Sendable, CaseIterable {
        /// Whoever knew of a removal may let the person in again, whatever their rank.
        case knowingIsEnough
        /// What hangs below a grant that is spared is not spared itself.
        case sparingAlone
        /// A cascade begins at the grant that is named, and nowhere else.
        case cascadeFromName
        /// A cascade begins at the founder's grant as well.
        case cascadeFromFounder
        /// A person may have as many devices as they like.
        case placesForAll
        /// Devices that come by a key share the places of the others.
        case onePlaceForAll
        /// Only admins make epochs.
        case epochsByAdmins
    }

    /// A fact, and the position and the grant of the commit that carries it.
    struct Entry {
        let fact: MembershipFact
        let log: LogID
        let sequence: UInt64
        let grant: FactReference?
        /// What the commit had seen of each log.
        let seen: [LogID: UInt64]
    }

    private(set) var entries: [FactReference: Entry] = [:]
    /// What each commit had seen, by its place; only where there are epochs.
    private var pasts: [LogID: [UInt64: [LogID: UInt64]]] = [:]
    private(set) var grants: [FactReference: Grant] = [:]
    private var founder: FactReference?
    let forks: [LogID: UInt64]
    private let naive: Naive?
    private var places: [FactReference: Place?] = [:]
    private var standing: [FactReference: Bool] = [:]
    private var takings: [FactReference: [Revocation]] = [:]

    /// `forks` by log: from there on nothing counts. Commits come after all that they had seen.
    init(
        _ commits: some Sequence<VerifiedCommit>, forks: [LogID: UInt64], naive: Naive? = nil
    ) {
        (self.forks, self.naive) = (forks, naive)
        var seen: [LogID: [LogID: UInt64]] = [:]
        let isEncrypted = commits.contains { commit in
            commit.facts.contains { if case .epoch = $0 { true } else { false } }
        }
        for commit in commits {
            let header = commit.header
            for position in header.seen {
                seen[header.log, default: [:]][position.log] = position.head.sequence
            }
            seen[header.log, default: [:]][header.log] = header.sequence
            if isEncrypted {
                pasts[header.log, default: [:]][header.sequence] = seen[header.log]
            }
            if header.isGenesis { founder = FactReference(commit: commit.id, index: 0) }
            for (index, fact) in commit.facts.enumerated() {
                let id = FactReference(commit: commit.id, index: UInt32(index))
                entries[id] = Entry(
                    fact: fact, log: header.log, sequence: header.sequence,
                    grant: header.isGenesis ? nil : header.grant, seen: seen[header.log] ?? [:])
                switch fact {
                case .grant(let grant), .personGrant(let grant, _): grants[id] = grant
                default: continue
                }
            }
        }
    }

    // MARK: Who stands where

    /// Follows from the grants alone, valid or not; nil where they do not lead to the founder.
    func place(of id: FactReference) -> Place? {
        if let known = places[id] { return known }
        let place = findPlace(of: id)
        places[id] = .some(place)
        return place
    }

    private func findPlace(of id: FactReference) -> Place? {
        guard let grant = grants[id] else { return nil }
        guard let parent = grant.parent else { return Place(rank: 1, sibling: 0) }
        guard let above = place(of: parent), let giver = grants[parent] else { return nil }
        let isSibling =
            grant.siblingIndex > 0 && grant.card.person == giver.card.person
            && grant.flags == giver.flags
        guard isSibling || personKey(of: id) != nil else {
            return Place(rank: above.rank + 1, sibling: 0)
        }
        let asked = min(Int(grant.siblingIndex), Int(Limits.siblingIndex))
        return Place(rank: above.rank, sibling: max(asked, above.sibling + 1))
    }

    private func personKey(of id: FactReference) -> PersonID? {
        if case .personGrant(_, let person) = entries[id]?.fact { person } else { nil }
    }

    // MARK: What is valid

    func stands(_ id: FactReference) -> Bool {
        if let known = standing[id] { return known }
        let answer = isValid(id)
        standing[id] = answer
        return answer
    }

    private func isValid(_ id: FactReference) -> Bool { mayStand(id) && hasPlace(id) }

    /// Whether its device is one of the first of its person that still may do something, or there are
    /// few enough of them.
    private func hasPlace(_ id: FactReference) -> Bool {
        guard let own = place(of: id), let grant = grants[id] else { return false }
        let others = grants.filter { other, theirs in
            guard theirs.card.person == grant.card.person,
                naive == .onePlaceForAll
                    || (personKey(of: other) == nil) == (personKey(of: id) == nil),
                let place = place(of: other)
            else { return false }
            return (place, other) < (own, id) && stands(other) && !current(other).isEmpty
        }
        let devices = Set(others.values.map(\.card.device))
        return devices.contains(grant.card.device) || devices.count < Limits.devicesPerPerson
            || naive == .placesForAll
    }

    private func mayStand(_ id: FactReference) -> Bool {
        guard let entry = entries[id], let grant = grants[id] else { return false }
        guard let parent = grant.parent else { return id == founder }
        guard place(of: id) != nil, let giver = grants[parent], stands(parent) else {
            return false
        }
        if let person = personKey(of: id) {
            return grant.card.person == person && giver.card.person == person
                && giver.flags.isSuperset(of: grant.flags)
                && grant.precedence <= giver.precedence
        }
        // Written under its parent, by who may then do all that it grants.
        guard entry.grant == parent else { return false }
        let rights = rights(under: parent, at: entry.log, entry.sequence)
        // Nobody has the flag vault to pass it on: it is the admins' to give.
        let givable = rights.contains(.admin) ? rights.union(.vault) : rights
        return !rights.isEmpty && givable.isSuperset(of: grant.flags)
            && grant.precedence <= giver.precedence
            && (rights.contains(.admin) || grant.card.person == giver.card.person)
    }

    // MARK: What may be done

    /// What a commit at a position may do under a grant.
    func rights(under id: FactReference, at log: LogID, _ sequence: UInt64) -> Permissions {
        rights(under: id, at: log, sequence, without: takings(from: id))
    }

    /// What the holder may do from now on.
    func current(_ id: FactReference) -> Permissions {
        takings(from: id).reduce(grants[id]?.flags ?? []) { $0.intersection($1.remaining) }
    }

    /// Whether a commit counts.
    func counts(_ claim: CommitClaim) -> Bool {
        if claim.isGenesis { return forks[claim.log] != 1 }
        let rights = rights(under: claim.grant, at: claim.log, claim.sequence)
        return !rights.isEmpty && rights.isSuperset(of: claim.required)
            && claim.precedence <= grants[claim.grant]?.precedence ?? 0
            && isSealedRightly(claim)
    }

    /// Whether what had seen an epoch is sealed.
    private func isSealedRightly(_ claim: CommitClaim) -> Bool {
        switch claim.contents {
        case .none, .closed, .opened, .withheld: return true
        case .broken: return false
        case .plain:
            let seen = pasts[claim.log]?[claim.sequence] ?? [:]
            return !entries.values.contains { entry in
                let isBefore =
                    entry.log == claim.log
                    ? entry.sequence < claim.sequence
                    : seen[entry.log] ?? 0 >= entry.sequence
                return isBefore && isEpoch(entry)
            }
        }
    }

    /// Made by somebody who was given admin and read, or write and read where one that counts was seen,
    /// whatever was taken since.
    func isEpoch(_ entry: Entry) -> Bool {
        isMeantAsEpoch(entry) { isEpoch($0) } && entry.sequence < forks[entry.log] ?? .max
    }

    /// The same, also where the log forked.
    func isMeantAsEpoch(_ entry: Entry) -> Bool { isMeantAsEpoch(entry) { isMeantAsEpoch($0) } }

    private func isMeantAsEpoch(_ entry: Entry, after isThere: (Entry) -> Bool) -> Bool {
        guard case .epoch(let fact) = entry.fact, fact.addedTo.isEmpty else { return false }
        if wasGiven([.admin, .read], entry) { return true }
        guard wasGiven([.write, .read], entry), naive != .epochsByAdmins else { return false }
        return entries.values.contains { other in
            guard case .epoch = other.fact,
                other.log != entry.log || other.sequence < entry.sequence
            else { return false }
            return other.sequence <= entry.seen[other.log] ?? 0 && isThere(other)
        }
    }

    /// Whether a commit stands under a grant of its author that is valid and allowed this once.
    func wasGiven(_ flags: Permissions, _ entry: Entry) -> Bool {
        guard let id = entry.grant, let grant = grants[id], stands(id) else { return false }
        return grant.card.device == entry.log.device && grant.flags.isSuperset(of: flags)
    }

    private func rights(
        under id: FactReference, at log: LogID, _ sequence: UInt64, without takings: [Revocation]
    ) -> Permissions {
        guard let grant = grants[id], stands(id), grant.card.device == log.device,
            sequence < forks[log] ?? .max
        else { return [] }
        var flags = grant.flags
        for taking in takings where sequence > taking.cut.heads[log]?.sequence ?? 0 {
            flags.formIntersection(taking.remaining)
        }
        return flags
    }

    // MARK: What is taken

    /// All revocations and downgrades that count against a grant.
    private func takings(from id: FactReference) -> [Revocation] {
        if let known = takings[id] { return known }
        let others = entries.values.compactMap { entry in
            switch entry.fact {
            case .revocation(let taking) where outranks(entry, taking, id): taking
            case .personRevocation(let taking, let person)
            where mayTake(person, taking, id, entry.fact): taking
            default: nil
            }
        }
        // Who leaves does so while nobody has taken that right.
        let leaves = entries.values.compactMap { entry -> Revocation? in
            guard case .revocation(let taking) = entry.fact, taking.grant == id, entry.grant == id,
                !rights(under: id, at: entry.log, entry.sequence, without: others).isEmpty
            else { return nil }
            return taking
        }
        takings[id] = others + leaves
        return others + leaves
    }

    private func mayTake(
        _ key: PersonID, _ taking: Revocation, _ id: FactReference, _ statement: MembershipFact
    ) -> Bool {
        guard let grant = grants[id], let founder else { return false }
        guard key == grant.card.person || key == grants[founder]?.card.person else { return false }
        let carriers = entries.values.filter {
            isSame($0.fact, taking, by: key) && $0.sequence < forks[$0.log] ?? .max
        }
        return reaches(taking, id) { entry, given, rank in
            (key == grants[entry]?.card.person || rank <= 1 || naive == .knowingIsEnough)
                && carriers.contains { given.seen[$0.log] ?? 0 >= $0.sequence }
        }
    }

    private func isSame(_ fact: MembershipFact, _ taking: Revocation, by key: PersonID) -> Bool {
        if case .personRevocation(taking, key) = fact { true } else { false }
    }

    private func outranks(_ entry: Entry, _ taking: Revocation, _ id: FactReference) -> Bool {
        guard let author = entry.grant, let own = place(of: author), let other = place(of: id),
            own < other, let taker = grants[author], let holder = grants[id]
        else { return false }
        let rights = rights(under: author, at: entry.log, entry.sequence)
        guard
            own.rank < other.rank && rights.contains(.admin)
                || taker.card.person == holder.card.person && !rights.isEmpty
        else { return false }
        return reaches(taking, id) { letIn, given, rank in
            (taker.card.person == grants[letIn]?.card.person || rank <= own.rank
                || naive == .knowingIsEnough)
                && given.seen[entry.log] ?? 0 >= entry.sequence
        }
    }

    /// Whether a revocation means this grant: by name; by its person, unless that one was let in by
    /// somebody who knew of it and may; or, with a cascade, as it descends from one that it means.
    /// `isLetIn` tells the former of the grant that let the person in, and the rank above it.
    private func reaches(
        _ taking: Revocation, _ id: FactReference,
        unless isLetIn: (FactReference, Entry, Int) -> Bool
    ) -> Bool {
        guard let named = grants[taking.grant], let grant = grants[id] else { return false }
        func isMeant(_ id: FactReference) -> Bool {
            if isSame(taking.grant, id) { return true }
            guard taking.scope == .person, grants[id]?.card.person == named.card.person else {
                return false
            }
            let first = naive == .sparingAlone ? id : entryGrant(of: id)
            guard personKey(of: first) == nil, let entry = entries[first],
                let rank = grants[first]?.parent.flatMap({ place(of: $0)?.rank })
            else { return true }
            return !isLetIn(first, entry, rank)
        }
        if isMeant(id) { return true }
        guard
            taking.cascade == .all
                || taking.cascade == .samePerson && named.card.person == grant.card.person
        else { return false }
        var next = grant.parent
        while let above = next,
            place(of: above)?.rank ?? 1 > 1 || naive == .cascadeFromFounder
        {
            let isBegun =
                naive == .cascadeFromName ? isSame(taking.grant, above) : isMeant(above)
            if isBegun { return true }
            next = grants[above]?.parent
        }
        return false
    }

    /// The grant by which somebody else let the person of one in.
    private func entryGrant(of id: FactReference) -> FactReference {
        guard let grant = grants[id], let parent = grant.parent, let above = grants[parent],
            above.card.person == grant.card.person
        else { return id }
        return entryGrant(of: parent)
    }

    /// One grant, or two that are the same statement of a person key, carried twice.
    private func isSame(_ one: FactReference, _ other: FactReference) -> Bool {
        if one == other { return true }
        guard case .personGrant(let left, let person) = entries[one]?.fact,
            case .personGrant(let right, person) = entries[other]?.fact
        else { return false }
        return left.card.device == right.card.device && left.parent == right.parent
            && left.flags == right.flags && left.siblingIndex == right.siblingIndex
            && left.precedence == right.precedence
    }
}
