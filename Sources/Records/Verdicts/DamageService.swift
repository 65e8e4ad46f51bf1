package import LocalAPI
internal import Store
internal import SyncCore

/// Data that this device lost to damage: listing and dismissing it.
package struct DamageService: Sendable {
    private let replica: any Replica

    package init(_ replica: any Replica) { self.replica = replica }

    private var store: SyncStore { replica.store }

    /// Spaces of which nothing is left come first.
    package func list() throws -> [DamageView] {
        try replica.snapshot {
            let words = StatusWords(replica)
            let damage = try store.stranded.damage()
            let whole = damage.spaces.sorted().map { space in
                DamageView(
                    trip: words.reference(space), device: nil, changes: nil, holders: [],
                    dismissed: damage.dismissedSpaces.contains(space))
            }
            return whole
                + damage.changes.map { loss in
                    let others = loss.holders.subtracting([replica.local.device])
                    return DamageView(
                        trip: words.reference(loss.space),
                        device: replica.distinctReference(loss.log.device), changes: loss.count,
                        holders: others.sorted().map { replica.distinctReference($0) },
                        dismissed: loss.isDismissed)
                }
        }
    }

    /// Dismisses all that is missing now, except own lists of which nothing is left, or takes every dismissal back.
    /// Answers with the list.
    package func set(_ dismissal: DamageDismissal) async throws -> [DamageView] {
        let home = replica.local.homeSpace
        try await store.offloaded { store in
            guard dismissal.dismissed else { return try store.stranded.undismissAll() }
            let damage = try store.stranded.damage()
            try store.stranded.dismiss(damage.changes, emptied: damage.spaces.subtracting([home]))
        }
        return try list()
    }
}
