/// The revocations that may count against somebody, by whom they reach and by what right.
///
/// Anybody can write thousands of revocations of anybody. Each is looked at once, when its author's
/// own standing is known, and those of one author that leave the same become one; so a grant is held
/// against few of them, however many there are.
struct RevocationIndex {
    enum Right: Hashable {
        /// Of an admin, against lower ranks.
        case admin
        /// Of a device, against younger devices of the same person.
        case sibling(PersonID)
        /// Of a person key.
        case person(PersonID)
    }

    /// The commit that carries a revocation, and the grant under which it was written.
    struct Place: Hashable {
        struct Source: Hashable {
            let log: LogID
            let grant: FactReference
        }

        let source: Source
        let sequence: UInt64
    }

    /// Who wrote a revocation: where that grant stands, and to whom it is.
    struct Author: Hashable {
        let order: GrantStanding.Order
        let person: PersonID
    }

    private struct Key<Target: Hashable>: Hashable {
        let target: Target
        let right: Right
    }

    /// A revocation that counts against a grant; `author` is nil for a person key.
    struct Found {
        let author: Author?
        let restriction: GrantStanding.Restriction
    }

    /// Of one author; nil for a person key.
    private struct Group: Hashable {
        let author: Author?
        let cascade: Revocation.Cascade
        let remaining: Permissions

        func isSenior(to order: GrantStanding.Order, by right: Right) -> Bool {
            switch right {
            case .admin: author.map { $0.order.rank < order.rank } ?? false
            case .sibling: author.map { $0.order < order } ?? false
            case .person: true
            }
        }
    }

    /// Those of one log under one grant: what they cut is known for each place on.
    private struct PersonGroup: Hashable {
        let group: Group
        let place: Place.Source
    }

    /// A statement of a person key and its places: carrying it again adds nothing.
    private struct Statement {
        let cascade: Revocation.Cascade
        let restriction: GrantStanding.Restriction
        let carriers: Carriers
    }

    /// The commits that carry a statement.
    struct Carriers {
        /// By log, the first of them that stands before any fork.
        var first: [LogID: UInt64] = [:]
        /// Those at forks and beyond: in a branch anybody can say afterwards what was seen before.
        var inBranches: [Membership.Origin] = []
    }

    /// How a grant came to its person: what the commit that let the person in had seen, and from what
    /// rank. All grants that follow from that one share it.
    struct Entry {
        let hasSeen: (LogID, UInt64) -> Bool
        let rank: UInt32
        /// Whether a commit of a branch counts here: it is pinned for a grant that is not junior to the one
        /// above the entry.
        let isPinned: (Membership.Origin) -> Bool

        fileprivate func hasSeen(_ carriers: Carriers) -> Bool {
            carriers.first.contains { hasSeen($0.key, $0.value) }
                || carriers.inBranches.contains { hasSeen($0.log, $0.sequence) && isPinned($0) }
        }
    }

    /// What the revocations from a place on keep together.
    private struct Tail {
        let sequence: UInt64
        let cut: LogCut
    }

    /// All flags that a grant of the space can have: others in a revocation mean nothing.
    private let flags: Permissions
    private let forks: [LogID: UInt64]
    /// What reaches one grant, and with a cascade what descends from it.
    private var cuts: [Key<FactReference>: [Group: LogCut]] = [:]
    /// What reaches every grant of a person, the latest place first.
    private var personCuts: [Key<PersonID>: [PersonGroup: [Tail]]] = [:]
    /// What person keys said of all grants of a person.
    private var statements: [Key<PersonID>: [Statement]] = [:]

    init(flags: Permissions, forks: [LogID: UInt64]) { (self.flags, self.forks) = (flags, forks) }

    /// Adds a revocation that a device wrote, with its right. `person` is the one of the grant that it
    /// names, nil when that is not known. Those of one log and grant come with the latest first.
    mutating func add(
        _ revocation: Revocation, right: Right, person: PersonID?, by author: Author,
        at place: Place
    ) {
        let group = group(of: revocation, author)
        let cut = LogCut(revocation.cut, pinning: forks)
        addNamed(revocation, group, right, cut)
        guard revocation.scope == .person, let person else { return }
        let key = Key(target: person, right: right)
        let source = PersonGroup(group: group, place: place.source)
        var tails = personCuts[key]?[source] ?? []
        precondition(
            tails.last.map { $0.sequence >= place.sequence } ?? true,
            "a revocation at \(place.sequence) comes after the ones before it")
        let tail = Tail(
            sequence: place.sequence, cut: tails.last?.cut.lowered(to: cut) ?? cut)
        if tails.last?.sequence == place.sequence { tails.removeLast() }
        tails.append(tail)
        personCuts[key, default: [:]][source] = tails
    }

    /// Adds the statement of a person's key, with all commits that carry it.
    mutating func add(
        _ revocation: Revocation, signedBy signer: PersonID, person: PersonID?,
        in carriers: Carriers
    ) {
        let group = group(of: revocation, nil)
        let cut = LogCut(revocation.cut, pinning: forks)
        addNamed(revocation, group, .person(signer), cut)
        guard revocation.scope == .person, let person else { return }
        statements[Key(target: person, right: .person(signer)), default: []].append(
            Statement(
                cascade: revocation.cascade,
                restriction: GrantStanding.Restriction(cut: cut, remaining: group.remaining),
                carriers: carriers))
    }

    private func group(of revocation: Revocation, _ author: Author?) -> Group {
        Group(
            author: author, cascade: revocation.cascade,
            remaining: revocation.remaining.intersection(flags))
    }

    private mutating func addNamed(
        _ revocation: Revocation, _ group: Group, _ right: Right, _ cut: LogCut
    ) {
        let key = Key(target: revocation.grant, right: right)
        cuts[key, default: [:]][group] = cuts[key]?[group]?.lowered(to: cut) ?? cut
    }

    /// What counts by a right against a grant of this order that is named or, with `cascades`, one
    /// that such a revocation of the named one reaches too.
    func restrictions(
        on grant: FactReference, by right: Right, of order: GrantStanding.Order,
        cascades: [Revocation.Cascade]? = nil
    ) -> [Found] {
        (cuts[Key(target: grant, right: right)] ?? [:]).compactMap { group, cut in
            guard cascades?.contains(group.cascade) ?? true, group.isSenior(to: order, by: right)
            else { return nil }
            return Found(
                author: group.author,
                restriction: GrantStanding.Restriction(cut: cut, remaining: group.remaining))
        }
    }

    /// What counts by a right against a grant of this order because it is one of a person's or, with
    /// `cascades`, because it descends from one. `entry` tells how that one came to the person; who let
    /// the person in again, knowing of the revocation and from a rank that may, is not gone against.
    func restrictions(
        onPerson person: PersonID, entry: Entry?, by right: Right, of order: GrantStanding.Order,
        cascades: [Revocation.Cascade]? = nil
    ) -> [Found] {
        let key = Key(target: person, right: right)
        return (personCuts[key] ?? [:]).compactMap { source, tails -> Found? in
            guard cascades?.contains(source.group.cascade) ?? true,
                source.group.isSenior(to: order, by: right),
                let tail = tails.last(where: { !isSpared(entry, source, person, $0.sequence) })
            else { return nil }
            return Found(
                author: source.group.author,
                restriction: GrantStanding.Restriction(
                    cut: tail.cut, remaining: source.group.remaining))
        }
    }

    /// What a key said of a person's grants that hang below an entry: of each set of flags that is left one
    /// cut, the lowest.
    func signed(
        by signer: PersonID, of person: PersonID, entry: Entry?, cascades: [Revocation.Cascade]?
    ) -> [Found] {
        let said = statements[Key(target: person, right: .person(signer))] ?? []
        return said.filter { statement in
            let isSpared =
                (signer == person || entry.map { $0.rank <= 1 } == true)
                && entry?.hasSeen(statement.carriers) == true
            return cascades?.contains(statement.cascade) ?? true && !isSpared
        }.map(\.restriction).merged().map { Found(author: nil, restriction: $0) }
    }

    private func isSpared(
        _ entry: Entry?, _ source: PersonGroup, _ person: PersonID, _ sequence: UInt64
    ) -> Bool {
        guard let entry, let author = source.group.author,
            author.person == person || entry.rank <= author.order.rank
        else { return false }
        return entry.hasSeen(source.place.log, sequence)
    }

}

/// Until where logs keep what they had: nothing of the logs that are not listed.
package struct LogCut: Hashable, Sendable {
    private let sequences: [LogID: UInt64]
    /// Where it ends in logs that forked there or before.
    let pins: [LogID: LogHead]

    private init(_ sequences: [LogID: UInt64], _ pins: [LogID: LogHead]) {
        (self.sequences, self.pins) = (sequences, pins)
    }

    init(_ watermark: Watermark, pinning forks: [LogID: UInt64] = [:]) {
        var pins: [LogID: LogHead] = [:]
        for (log, fork) in forks {
            if let head = watermark.heads[log], head.sequence >= fork { pins[log] = head }
        }
        self.init(watermark.heads.mapValues(\.sequence), pins)
    }

    func covers(_ log: LogID, _ sequence: UInt64) -> Bool { sequences[log] ?? 0 >= sequence }

    /// What both cuts keep.
    func lowered(to other: LogCut) -> LogCut {
        let both = LogCut(
            sequences.reduce(into: [:]) { lowest, entry in
                guard let theirs = other.sequences[entry.key] else { return }
                lowest[entry.key] = min(entry.value, theirs)
            }, pins.merging(other.pins) { min($0, $1) })
        Invariants.check(
            covers(both) && other.covers(both), "a lowered cut keeps more than one of both")
        return both
    }

    /// What one of both keeps; it pins what it pinned.
    func raised(to other: LogCut) -> LogCut {
        let one = LogCut(sequences.merging(other.sequences) { max($0, $1) }, pins)
        Invariants.check(
            one.covers(self) && one.covers(other), "a raised cut keeps less than one of both")
        return one
    }

    private func covers(_ other: LogCut) -> Bool {
        other.sequences.allSatisfy { covers($0.key, $0.value) }
    }
}
