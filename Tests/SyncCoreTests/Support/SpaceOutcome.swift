import SyncCore
import TestKit

/// What the commits of a space amount to.
struct SpaceOutcome: Equatable {
    let standings: [String]
    let effective: Set<CommitID>
    let records: [RecordID: RecordState]
    let watermark: Watermark
    let branches: Set<CommitID>
    let restrictionCount: Int

    init(_ store: MemoryStore) {
        branches = Set(store.branches.map(\.id))
        let membership = store.ledger?.membership ?? Membership()
        let logs = store.watermark.heads
        standings = membership.standings.map { id, standing in
            let permissions = logs.keys.sorted().flatMap { log in
                (1...(logs[log]?.sequence ?? 1)).map { sequence in
                    membership.permissions(under: id, at: log, sequence).rawValue
                }
            }
            return "\(id) \(standing.order) \(standing.current.rawValue) \(permissions)"
        }.sorted()
        effective = Set(
            store.commits.filter { store.ledger?.isEffective($0) == true }.map(\.id))
        records = store.records
        watermark = store.watermark
        restrictionCount = membership.standings.values.reduce(0) {
            $0 + $1.restrictions.count
        }
    }
}
