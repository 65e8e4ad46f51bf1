import SyncCore

/// A second evaluation of rights in a space: each rule of section 6 of the design as a question
/// that is answered from the facts alone, however slowly. `Membership` must give the same answers.
///
/// A question about a grant depends on more senior ones only, so every answer is reached.
final class ReferenceMembership {
    /// Rank first, then place among the devices of one person: smaller is more senior.
    struct Place: Comparable {
        let rank: Int
        let sibling: Int

        static func < (left: Place, right: Place) -> Bool {
            (left.rank, left.sibling) < (right.rank, right.sibling)
        }
    }

    /// A simpler rule that is wrong.
    enum Naive: Sendable, CaseIterable {
        /// A member who knew of a removal may let the person in again, with any rank.
        case knowingIsEnough
        /// Grants below a spared grant are not spared themselves.
        case sparingAlone
        /// A cascade begins only at the named grant.
        case cascadeFromName
        /// A cascade begins at the founder's grant as well.
        case cascadeFromFounder
        /// A person may have as many devices as they like.
        case placesForAll
        /// Devices that come by a key share the places of the others.
        case onePlaceForAll
        /// Only admins make epochs.
        case epochsByAdmins
        /// Nothing counts after a fork.
        case forkUndoes
        /// A leaving member pins a branch.
        case holderPins
        /// The person's own key revokes the grants that others left.
        case ownKeyTakesAll
        /// The first named branch is pinned, even if any member names it.
        case anybodyPins
        /// The old key's statements affect the judgement of the old key.
        case keyJudgesItself
        /// The old key still counts.
        case oldKeyCounts
    }

    /// A fact, and the position and the grant of the commit that carries it.
    struct Entry {
        let fact: MembershipFact
        let commit: CommitID
        let log: LogID
        let sequence: UInt64
        let grant: FactReference?
        /// The positions that the commit had seen in each log.
        let seen: [LogID: UInt64]
    }

    private(set) var entries: [FactReference: Entry] = [:]
    /// The positions that each commit had seen, by its place; only if there are epochs.
    private var pasts: [LogID: [UInt64: [LogID: UInt64]]] = [:]
    private(set) var grants: [FactReference: Grant] = [:]
    /// Devices that any grant names, even one by a key that does not count.
    private(set) var named: Set<DeviceID> = []
    private var founder: FactReference?
    let forks: [LogID: UInt64]
    private let naive: Naive?
    private var places: [FactReference: Place?] = [:]
    private var standing: [FactReference: Bool] = [:]
    private var takings: [FactReference: [Taking]] = [:]
    /// For each commit, the one before it.
    private var previous: [CommitID: CommitID] = [:]
    private var sequences: [CommitID: UInt64] = [:]

    /// `forks` by log: from there on only pinned commits count. Commits come after all that they
    /// had seen.
    convenience init(
        _ commits: [VerifiedCommit], forks: [LogID: UInt64], naive: Naive? = nil
    ) {
        let keys = ReferenceKeys(commits, forks: forks, naive: naive)
        self.init(commits, forks: forks, naive: naive) { keys.counts($0) }
    }

    /// Of statements by keys, uses only those that `counts` accepts.
    init(
        _ commits: [VerifiedCommit], forks: [LogID: UInt64], naive: Naive?,
        counts: (StatementKey) -> Bool
    ) {
        (self.forks, self.naive) = (forks, naive)
        var seen: [CommitID: [LogID: UInt64]] = [:]
        let isEncrypted = commits.contains { commit in
            commit.facts.contains { if case .epoch = $0 { true } else { false } }
        }
        for commit in commits {
            let header = commit.header
            var past = seen[header.previous] ?? [:]
            for position in header.seen {
                past[position.log] = max(past[position.log] ?? 0, position.head.sequence)
            }
            past[header.log] = header.sequence
            seen[commit.id] = past
            (previous[commit.id], sequences[commit.id]) = (header.previous, header.sequence)
            if isEncrypted, header.sequence < forks[header.log] ?? .max {
                pasts[header.log, default: [:]][header.sequence] = past
            }
            if header.isGenesis { founder = FactReference(commit: commit.id, index: 0) }
            for (index, fact) in commit.facts.enumerated() {
                let id = FactReference(commit: commit.id, index: UInt32(index))
                switch fact {
                case .grant(let grant), .personGrant(let grant, _): named.insert(grant.card.device)
                default: break
                }
                if let signed = fact.signed, !counts(signed) { continue }
                entries[id] = Entry(
                    fact: fact, commit: commit.id, log: header.log, sequence: header.sequence,
                    grant: header.isGenesis ? nil : header.grant, seen: past)
                switch fact {
                case .grant(let grant), .personGrant(let grant, _): grants[id] = grant
                default: continue
                }
            }
        }
    }

    // MARK: Seniority

    /// Follows from the grants alone, valid or not; nil if they do not lead to the founder.
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
        if case .personGrant(_, let signed) = entries[id]?.fact { signed.person } else { nil }
    }

    // MARK: Validity

    func stands(_ id: FactReference) -> Bool {
        if let known = standing[id] { return known }
        let answer = isValid(id)
        standing[id] = answer
        return answer
    }

    private func isValid(_ id: FactReference) -> Bool { mayStand(id) && hasPlace(id) }

    /// Whether its device is one of the first active ones of its person, or there are few enough of
    /// them.
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
        // Written under its parent, by a device that then has all the granted rights.
        guard entry.grant == parent else { return false }
        let rights = rights(under: parent, in: entry)
        // Nobody has the flag vault to pass on: admins may grant it.
        let givable = rights.contains(.admin) ? rights.union(.vault) : rights
        return !rights.isEmpty && givable.isSuperset(of: grant.flags)
            && grant.precedence <= giver.precedence
            && (rights.contains(.admin) || grant.card.person == giver.card.person)
    }

    // MARK: Rights

    /// The rights of a commit at a position under a grant; none from a fork on.
    func rights(under id: FactReference, at log: LogID, _ sequence: UInt64) -> Permissions {
        guard sequence < forks[log] ?? .max else { return [] }
        return rights(under: id, at: log, sequence, less: takings(from: id))
    }

    /// The rights of a commit's facts under a grant.
    func rights(under id: FactReference, in entry: Entry) -> Permissions {
        rights(under: id, in: entry, less: takings(from: id))
    }

    private func rights(
        under id: FactReference, in entry: Entry, less takings: [Taking]
    ) -> Permissions {
        guard isPlaced(entry, under: id, takings) else { return [] }
        return rights(under: id, at: entry.log, entry.sequence, less: takings)
    }

    /// The holder's rights from now on.
    func current(_ id: FactReference) -> Permissions {
        takings(from: id).reduce(grants[id]?.flags ?? []) { $0.intersection($1.what.remaining) }
    }

    /// Whether a commit counts.
    func counts(_ claim: CommitClaim) -> Bool {
        if claim.isGenesis { return forks[claim.log] != 1 }
        let rights = rights(under: claim.grant, at: claim.log, claim.groupEnd)
        return !rights.isEmpty && rights.isSuperset(of: claim.required)
            && claim.precedence <= grants[claim.grant]?.precedence ?? 0
            && isSealedRightly(claim)
    }

    /// Whether a commit that had seen an epoch is sealed.
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

    /// Made by a device that was granted admin and read, or write and read if it had seen an
    /// effective epoch; later revocations do not matter.
    func isEpoch(_ entry: Entry) -> Bool {
        isMeantAsEpoch(entry) { isEpoch($0) } && isPlaced(entry)
    }

    /// The same, even if the log forked.
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

    /// Whether a commit is under a valid grant of its author that once had these flags.
    func wasGiven(_ flags: Permissions, _ entry: Entry) -> Bool {
        guard let id = entry.grant, let grant = grants[id], stands(id) else { return false }
        return grant.card.device == entry.log.device && grant.flags.isSuperset(of: flags)
    }

    private func rights(
        under id: FactReference, at log: LogID, _ sequence: UInt64, less takings: [Taking]
    ) -> Permissions {
        guard let grant = grants[id], stands(id), grant.card.device == log.device else {
            return []
        }
        let fixed = fixed(by: takings, in: log)
        var flags = grant.flags
        for taking in takings where sequence > taking.what.cut.heads[log]?.sequence ?? 0 {
            if taking.isOwn, sequence <= fixed, naive != .ownKeyTakesAll { continue }
            flags.formIntersection(taking.what.remaining)
        }
        return flags
    }

    // MARK: Revocations

    /// A revocation that counts against a grant, with its authority: the founder's key, another
    /// person, the own key, an own device, the holder.
    private struct Taking {
        let what: Revocation
        /// Kind, rank, sibling index: the smallest takes precedence.
        let authority: [Int]
        let isOwn: Bool

        var isOfHolder: Bool { authority[0] == 4 }
    }

    /// All revocations and downgrades that count against a grant.
    private func takings(from id: FactReference) -> [Taking] {
        if let known = takings[id] { return known }
        guard let holder = grants[id]?.card.person else { return [] }
        let others = entries.values.compactMap { entry -> Taking? in
            switch entry.fact {
            case .revocation(let taking) where outranks(entry, taking, id):
                guard let author = entry.grant, let own = place(of: author) else { return nil }
                let isOwn = grants[author]?.card.person == holder
                return Taking(
                    what: taking, authority: [isOwn ? 3 : 1, own.rank, own.sibling], isOwn: isOwn)
            case .personRevocation(let taking, let signed)
            where mayTake(signed.person, taking, id, entry.fact):
                let person = signed.person
                let isFounder = founder.map { grants[$0]?.card.person == person } ?? false
                return Taking(
                    what: taking, authority: [isFounder ? 0 : 2], isOwn: person == holder)
            default: return nil
            }
        }
        // A holder may leave as long as nobody has revoked that right.
        let leaves = entries.values.compactMap { entry -> Taking? in
            guard case .revocation(let taking) = entry.fact, taking.grant == id, entry.grant == id,
                !rights(under: id, in: entry, less: others).isEmpty
            else { return nil }
            return Taking(what: taking, authority: [4], isOwn: true)
        }
        takings[id] = others + leaves
        return others + leaves
    }

    /// The position in a log up to which the first of the others left the holder's rights: the
    /// person's own side cannot revoke anything before it.
    private func fixed(by takings: [Taking], in log: LogID) -> UInt64 {
        let others = takings.filter { !$0.isOwn }
        guard let first = others.map(\.authority).min(by: { $0.lexicographicallyPrecedes($1) })
        else { return 0 }
        return others.filter { $0.authority == first }
            .map { $0.what.cut.heads[log]?.sequence ?? 0 }.min() ?? 0
    }

    // MARK: Forks

    /// Whether a commit is before any fork of its log, or pinned for the grant under which it was
    /// written.
    func isPlaced(_ entry: Entry) -> Bool {
        guard entry.sequence >= forks[entry.log] ?? .max else { return true }
        guard let grant = entry.grant, stands(grant) else { return false }
        return isPlaced(entry, under: grant, takings(from: grant))
    }

    private func isPlaced(
        _ entry: Entry, under id: FactReference, _ takings: [Taking]
    ) -> Bool {
        guard let fork = forks[entry.log], entry.sequence >= fork else { return true }
        var next = pin(of: entry.log, under: id, takings)?.commit
        while let commit = next, commit != .zero {
            if commit == entry.commit { return true }
            next = previous[commit]
        }
        return false
    }

    /// The end of a forked log's branch that counts for a grant; nil also if it is not here.
    private func pin(
        of log: LogID, under id: FactReference, _ takings: [Taking]
    ) -> LogHead? {
        guard let fork = forks[log], naive != .forkUndoes,
            grants[id]?.card.device == log.device
        else { return nil }
        let heads = takings.filter { !$0.isOfHolder || naive == .holderPins }
            .compactMap { taking in taking.what.cut.heads[log].map { (taking.authority, $0) } }
            .filter { $0.1.sequence >= fork }
        let first = heads.min { one, other in
            if one.0 != other.0, naive != .anybodyPins {
                return one.0.lexicographicallyPrecedes(other.0)
            }
            return (one.1.sequence, one.1.commit) < (other.1.sequence, other.1.commit)
        }
        return first.flatMap { sequences[$0.1.commit] == $0.1.sequence ? $0.1 : nil }
    }

    /// The position up to which commits of a log may count.
    func end(of log: LogID) -> UInt64 {
        guard let fork = forks[log] else { return .max }
        let pins = grants.keys.filter { stands($0) }
            .compactMap { pin(of: log, under: $0, takings(from: $0))?.sequence }
        return max(fork - 1, pins.max() ?? 0)
    }

    private func mayTake(
        _ key: PersonID, _ taking: Revocation, _ id: FactReference, _ statement: MembershipFact
    ) -> Bool {
        guard let grant = grants[id], let founder else { return false }
        guard key == grant.card.person || key == grants[founder]?.card.person else { return false }
        let carriers = entries.values.filter { isSame($0.fact, taking, by: key) }
        return reaches(taking, id) { entry, given, rank in
            (key == grants[entry]?.card.person || rank <= 1 || naive == .knowingIsEnough)
                && carriers.contains { carrier in
                    given.seen[carrier.log] ?? 0 >= carrier.sequence && isSeen(carrier, by: entry)
                }
        }
    }

    /// Whether the member who let somebody in by this grant may have seen a commit: it is on no
    /// branch, or on one that is pinned for a grant which is not junior to the one above.
    private func isSeen(_ carrier: Entry, by entry: FactReference) -> Bool {
        guard carrier.sequence >= forks[carrier.log] ?? .max else { return true }
        guard let grant = carrier.grant, let own = place(of: grant),
            let above = grants[entry]?.parent.flatMap({ place(of: $0) }), !(above < own)
        else { return false }
        return isPlaced(carrier)
    }

    private func isSame(_ fact: MembershipFact, _ taking: Revocation, by key: PersonID) -> Bool {
        if case .personRevocation(taking, let signed) = fact { signed.person == key } else { false }
    }

    private func outranks(_ entry: Entry, _ taking: Revocation, _ id: FactReference) -> Bool {
        guard let author = entry.grant, let own = place(of: author), let other = place(of: id),
            own < other, let taker = grants[author], let holder = grants[id]
        else { return false }
        let rights = rights(under: author, in: entry)
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

    /// Whether a revocation covers this grant: by name; by its person, unless that one was let in
    /// by a member who knew of it and had the right; or, with a cascade, as a descendant of a
    /// covered one. `isLetIn` gets the grant that let the person in, and the rank above it.
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

    /// The grant by which somebody else let the grant's person in.
    private func entryGrant(of id: FactReference) -> FactReference {
        guard let grant = grants[id], let parent = grant.parent, let above = grants[parent],
            above.card.person == grant.card.person
        else { return id }
        return entryGrant(of: parent)
    }

    /// One grant, or two that carry the same statement of a person key.
    private func isSame(_ one: FactReference, _ other: FactReference) -> Bool {
        if one == other { return true }
        guard case .personGrant(let left, let one) = entries[one]?.fact,
            case .personGrant(let right, let other) = entries[other]?.fact
        else { return false }
        return one.person == other.person && left.card.device == right.card.device
            && left.parent == right.parent
            && left.flags == right.flags && left.siblingIndex == right.siblingIndex
            && left.precedence == right.precedence
    }
}
