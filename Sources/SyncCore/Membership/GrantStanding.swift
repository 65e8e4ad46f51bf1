/// What a valid grant amounts to.
package struct GrantStanding: Hashable, Sendable {
    /// Rank first, then place among the devices of one person: smaller is more senior.
    package struct Order: Hashable, Comparable, Sendable {
        package var rank: UInt32
        package var siblingIndex: UInt32

        package static func < (left: Order, right: Order) -> Bool {
            (left.rank, left.siblingIndex) < (right.rank, right.siblingIndex)
        }
    }

    package let card: Card
    package let order: Order
    package let parent: FactReference?
    package let granted: Permissions
    package let precedence: UInt32
    /// Whether the key of the person gave it, and no member.
    package let isByKey: Bool
    /// By what is left beyond their cuts: all that counts against the grant, each at most once.
    package private(set) var restrictions: [Restriction] = []
    /// By forked log of its device, the branch that counts all the same.
    package private(set) var pinned: [LogID: PinnedBranch] = [:]

    init(
        card: Card, order: Order, parent: FactReference?, granted: Permissions, precedence: UInt32,
        isByKey: Bool
    ) {
        (self.card, self.order, self.parent) = (card, order, parent)
        (self.granted, self.precedence, self.isByKey) = (granted, precedence, isByKey)
    }

    package struct Restriction: Hashable, Sendable {
        let cut: LogCut
        let remaining: Permissions

        init(cut: LogCut, remaining: Permissions) { (self.cut, self.remaining) = (cut, remaining) }

        /// The same, which takes nothing up to another cut.
        func raised(to kept: LogCut?) -> Restriction {
            kept.map { Restriction(cut: cut.raised(to: $0), remaining: remaining) } ?? self
        }
    }

    mutating func pin(_ branches: [LogID: PinnedBranch]) { pinned = branches }

    func hasPinned(_ origin: Membership.Origin) -> Bool {
        pinned[origin.log]?.contains(origin.commit) ?? false
    }

    /// Holds revocations and downgrades against the grant. Of several cuts the lowest counts, so
    /// thousands of them are no more than one for each set of flags that they leave.
    mutating func restrict(by new: [Restriction]) {
        guard !new.isEmpty else { return }
        restrictions = (restrictions + new).map {
            Restriction(cut: $0.cut, remaining: granted.intersection($0.remaining))
        }.filter { $0.remaining != granted }.merged()
        Invariants.check(
            restrictions.allSatisfy { granted.isStrictSuperset(of: $0.remaining) },
            "a restriction gives something")
    }

    /// What commits written now could do.
    package var current: Permissions {
        restrictions.reduce(granted) { $0.intersection($1.remaining) }
    }

    package func permissions(at log: LogID, _ sequence: UInt64) -> Permissions {
        restrictions.reduce(granted) { left, restriction in
            restriction.cut.covers(log, sequence) ? left : left.intersection(restriction.remaining)
        }
    }
}

extension [GrantStanding.Restriction] {
    /// Of several that leave the same the one with the lowest cut, in the order of what they leave.
    func merged() -> [GrantStanding.Restriction] {
        var cuts: [Permissions: LogCut] = [:]
        for restriction in self {
            cuts[restriction.remaining] =
                cuts[restriction.remaining]?.lowered(to: restriction.cut) ?? restriction.cut
        }
        return cuts.map { GrantStanding.Restriction(cut: $0.value, remaining: $0.key) }
            .sorted { $0.remaining.rawValue < $1.remaining.rawValue }
    }
}
