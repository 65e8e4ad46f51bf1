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
        let log: LogID
        let sequence: UInt64
        let grant: FactReference
    }

    private struct Key<Target: Hashable>: Hashable {
        let target: Target
        let right: Right
    }

    /// Of one author who stands in this order; nil for a person key.
    private struct Group: Hashable {
        let author: GrantStanding.Order?
        let cascade: Revocation.Cascade
        let remaining: Permissions

        func isSenior(to order: GrantStanding.Order, by right: Right) -> Bool {
            switch right {
            case .admin: author.map { $0.rank < order.rank } ?? false
            case .sibling: author.map { $0 < order } ?? false
            case .person: true
            }
        }
    }

    /// Those of one log under one grant: what they cut is known for each place on.
    private struct PersonGroup: Hashable {
        let group: Group
        let log: LogID?
        let grant: FactReference?
    }

    /// What the revocations from a place on keep together.
    private struct Tail {
        let sequence: UInt64
        let cut: LogCut
    }

    /// All flags that a grant of the space can have: others in a revocation mean nothing.
    private let flags: Permissions
    /// What reaches one grant, and with a cascade what descends from it.
    private var cuts: [Key<FactReference>: [Group: LogCut]] = [:]
    /// What reaches every grant of a person, the latest place first.
    private var personCuts: [Key<PersonID>: [PersonGroup: [Tail]]] = [:]

    init(flags: Permissions) { self.flags = flags }

    /// Adds a revocation with its right. `person` is the one of the grant that it names, nil when
    /// that is not known; `author` the order of the grant it was written under. Those of one log
    /// and grant come with the latest first; `place` is nil for the statement of a person key.
    mutating func add(
        _ revocation: Revocation, right: Right, person: PersonID?, author: GrantStanding.Order?,
        at place: Place?
    ) {
        let group = Group(
            author: author, cascade: revocation.cascade,
            remaining: revocation.remaining.intersection(flags))
        let cut = LogCut(revocation.cut)
        let key = Key(target: revocation.grant, right: right)
        cuts[key, default: [:]][group] = cuts[key]?[group]?.lowered(to: cut) ?? cut
        guard revocation.scope == .person, let person else { return }
        let personKey = Key(target: person, right: right)
        let source = PersonGroup(group: group, log: place?.log, grant: place?.grant)
        var tails = personCuts[personKey]?[source] ?? []
        let sequence = place?.sequence ?? .max
        let tail = Tail(
            sequence: sequence, cut: tails.last?.cut.lowered(to: cut) ?? cut)
        if tails.last?.sequence == sequence { tails.removeLast() }
        tails.append(tail)
        personCuts[personKey, default: [:]][source] = tails
    }

    /// What counts by a right against a grant of this order that is named or, with `cascades`, one
    /// that such a revocation of the named one reaches too.
    func restrictions(
        on grant: FactReference, by right: Right, of order: GrantStanding.Order,
        cascades: [Revocation.Cascade]? = nil
    ) -> [GrantStanding.Restriction] {
        (cuts[Key(target: grant, right: right)] ?? [:]).compactMap { group, cut in
            guard cascades?.contains(group.cascade) ?? true, group.isSenior(to: order, by: right)
            else { return nil }
            return GrantStanding.Restriction(cut: cut, remaining: group.remaining)
        }
    }

    /// What counts by a right against a grant of this order as one of a person's. `hasSeen` tells
    /// what the commit that gave it had seen; that does not count against it.
    func restrictions(
        onPerson person: PersonID, by right: Right, of order: GrantStanding.Order,
        hasSeen: ((LogID, UInt64) -> Bool)?
    ) -> [GrantStanding.Restriction] {
        (personCuts[Key(target: person, right: right)] ?? [:]).compactMap { source, tails in
            guard source.group.isSenior(to: order, by: right),
                let tail = tails.last(where: { tail in
                    source.log.map { hasSeen?($0, tail.sequence) != true } ?? true
                })
            else { return nil }
            return GrantStanding.Restriction(cut: tail.cut, remaining: source.group.remaining)
        }
    }
}

/// Until where logs keep what they had: nothing of the logs that are not listed.
package struct LogCut: Hashable, Sendable {
    private let sequences: [LogID: UInt64]

    private init(_ sequences: [LogID: UInt64]) { self.sequences = sequences }

    init(_ watermark: Watermark) {
        self.init(watermark.heads.mapValues(\.sequence))
    }

    func covers(_ log: LogID, _ sequence: UInt64) -> Bool { sequences[log] ?? 0 >= sequence }

    /// What both cuts keep.
    func lowered(to other: LogCut) -> LogCut {
        LogCut(
            sequences.reduce(into: [:]) { lowest, entry in
                guard let theirs = other.sequences[entry.key] else { return }
                lowest[entry.key] = min(entry.value, theirs)
            })
    }
}
