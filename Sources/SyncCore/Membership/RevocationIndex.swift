/// The revocations that may count against somebody, by whom they reach and by what right.
///
/// Anybody can write thousands of revocations of anybody. Each is looked at once, when its author's
/// own standing is known, and those of one author that leave the same become one; so a grant is held
/// against few of them, however many there are.
struct RevocationIndex {
    enum Target: Hashable {
        /// This grant, and with a cascade what descends from it.
        case grant(FactReference)
        /// Every grant of a person.
        case person(PersonID)
    }

    enum Right: Hashable {
        /// Of an admin, against lower ranks.
        case admin
        /// Of a device, against younger devices of the same person.
        case sibling(PersonID)
        /// Of a person key.
        case person(PersonID)
    }

    private struct Key: Hashable {
        let target: Target
        let right: Right
    }

    /// Of one author who stands in this order; nil for a person key.
    private struct Group: Hashable {
        let author: GrantStanding.Order?
        let cascade: Revocation.Cascade
        let remaining: Permissions
    }

    /// All flags that a grant of the space can have: others in a revocation mean nothing.
    private let flags: Permissions
    private var cuts: [Key: [Group: LogCut]] = [:]

    init(flags: Permissions) { self.flags = flags }

    /// Adds a revocation with its right. `person` is the one of the grant that it names, nil when
    /// that is not known; `author` the order of the grant it was written under.
    mutating func add(
        _ revocation: Revocation, right: Right, person: PersonID?, author: GrantStanding.Order?
    ) {
        let group = Group(
            author: author, cascade: revocation.cascade,
            remaining: revocation.remaining.intersection(flags))
        let cut = LogCut(revocation.cut)
        var targets = [Target.grant(revocation.grant)]
        if revocation.scope == .person, let person { targets.append(.person(person)) }
        for target in targets {
            let key = Key(target: target, right: right)
            cuts[key, default: [:]][group] = cuts[key]?[group]?.lowered(to: cut) ?? cut
        }
    }

    /// What counts by a right against a grant of this order that is the target or, with
    /// `cascades`, one that such a revocation of the target reaches too.
    func restrictions(
        on target: Target, by right: Right, of order: GrantStanding.Order,
        cascades: [Revocation.Cascade]? = nil
    ) -> [GrantStanding.Restriction] {
        (cuts[Key(target: target, right: right)] ?? [:]).compactMap { group, cut in
            guard cascades?.contains(group.cascade) ?? true else { return nil }
            let isSenior =
                switch right {
                case .admin: group.author.map { $0.rank < order.rank } ?? false
                case .sibling: group.author.map { $0 < order } ?? false
                case .person: true
                }
            return isSenior ? GrantStanding.Restriction(cut: cut, remaining: group.remaining) : nil
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
