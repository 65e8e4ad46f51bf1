internal import LocalAPI
package import Store
package import SyncCore

/// A space that this device left without another person's device having said that it knows.
package struct UnsentLeave: Hashable, Sendable {
    package let space: SpaceID
    /// Further changes that no other person's device is known to have.
    package let changes: Int

    package init(_ space: SpaceID, changes: Int) { (self.space, self.changes) = (space, changes) }
}

/// Notes which leaves of this device are still unsent: members acknowledge nothing to a device that left.
package struct UnsentLeaves: Sendable {
    private let store: SyncStore
    private let list = StoredList<String>(key: "leaves.unsent")

    package init(_ store: SyncStore) { self.store = store }

    /// Spaces that are left here. Throws what the store throws.
    func all() throws -> [SpaceID] {
        try list.all(in: store).compactMap { SpaceID(hexadecimal: $0) }
            .filter { store.spaces.standing(of: $0) == .left }
    }

    /// This device wrote that it left a space. Throws what the store throws.
    package func add(_ space: SpaceID) throws {
        try list.change(in: store) { known in
            let others = known.filter { $0 != space.description }
            return Array((others + [space.description]).suffix(Limits.unsentLeaves))
        }
    }

    /// A member sent commits that took the space from this device. The note ends with the last one that it wrote,
    /// which knows all before, or where another person took the same (`isTaken`). Throws what the store throws.
    package func heard(
        _ commits: [UnverifiedCommit], of space: SpaceID, at device: DeviceID,
        isTaken: () -> Bool
    ) throws {
        guard try list.all(in: store).contains(space.description),
            let heads = store.ledger(of: space)?.watermark.heads
        else { return }
        let isKnown = commits.contains { commit in
            let log = commit.header.log
            return log.device == device && heads[log]?.commit == commit.id
        }
        guard isKnown || isTaken() else { return }
        try list.change(in: store) { $0.filter { $0 != space.description } }
    }
}

extension SyncReader {
    /// Throws what the store throws.
    package func unsentLeaves() throws -> [UnsentLeave] {
        try UnsentLeaves(store).all().compactMap { space in
            try unsentChanges(of: space).map { UnsentLeave(space, changes: $0) }
        }
    }

    /// How many changes of a space no other person's device is known to have, without those in which this device
    /// left; nil where nobody else is in it.
    func unsentChanges(of space: SpaceID) throws -> Int? {
        guard let membership = replica.membership(of: space) else { return nil }
        let lost = try replica.losses.lostDevices()
        let others = membership.holders.subtracting(lost).filter {
            membership.facts.card(of: $0)?.person != replica.local.person
        }
        guard !others.isEmpty else { return nil }
        let acks = try replica.acks(of: space)
        var elsewhere = Watermark()
        for device in others { elsewhere.merge(acks[device] ?? Watermark()) }
        let leaving = Leaves(membership).count(by: replica.local.device, beyond: elsewhere)
        let unsent = Int(clamping: replica.watermark(of: space).count(beyond: elsewhere))
        return max(0, unsent - leaving)
    }
}

extension Limits {
    /// Unsent leaves to note: more than anybody has at once.
    static let unsentLeaves = 256
}
