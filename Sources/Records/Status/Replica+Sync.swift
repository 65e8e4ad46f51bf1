import Store
package import SyncCore

extension Replica {
    /// The other devices that may read a space, what they said they hold, and what moves now.
    package func syncState(of space: SpaceID) throws -> SpaceSyncState {
        let readers = membership(of: space)?.readers ?? []
        let holdings = try store.holdings(of: space).map(\.said)
        let activity = activity(in: space)
        return SpaceSyncState(
            others: readers.subtracting([local.device]), acks: try acks(of: space),
            holdings: holdings.reduce(into: [:]) { $0[$1.device] = $1 },
            fileCount: try store.blobCounts(of: space).named,
            traffic: activity.traffic, going: activity.outgoing)
    }
}
