internal import GRDB
internal import SyncCore

/// When the stored commits came here, by this device's own clock at the time.
///
/// Nearly every commit is dated when it came, or before. Only the others stand in the index `commits_ahead`, so that
/// most edits write no page of it. These are all that are dated in the future now, unless some commits came in the
/// future themselves: before this device's clock was set back. Then all have to be looked at, until that time has
/// passed.
struct Receipts: Sendable {
    /// Every commit came then or before, in milliseconds since 1970.
    private(set) var latest: Int64 = 0
    /// What the database says of that; only the last commit in storing order may have come later.
    private var noted: Int64 = 0

    init() {}

    init(in database: Database) throws {
        noted = try Settings.number(Receipts.setting, in: database) ?? 0
        let last = try database.number(
            "SELECT received_at FROM commits ORDER BY id DESC LIMIT 1")
        latest = max(noted, last ?? 0)
    }

    /// Has the database say when the latest of all commits came. Reads each.
    static func noteLatest(in database: Database) throws {
        let latest = try database.number("SELECT COALESCE(MAX(received_at), 0) FROM commits")
        try Settings.set(setting, number: latest ?? 0, in: database)
    }

    /// Notes that a commit is stored. If it comes before an earlier one did, the database is told how late that was.
    mutating func note(_ now: Int64, in database: Database) throws {
        guard now < latest else {
            latest = now
            return
        }
        guard noted < latest else { return }
        try Settings.set(Receipts.setting, number: latest, in: database)
        noted = latest
    }

    /// Where the commits are found that count and are dated more than ``Limits/clockSkewMilliseconds`` after a time:
    /// a table of a query, and its first condition.
    func source(ahead time: Milliseconds) -> (table: String, condition: String) {
        // A commit that is not in the index is dated at most so long after it came.
        let reach = Int64(Limits.clockSkewMilliseconds) - StoreSchema.aheadMilliseconds
        precondition(reach >= 0, "commits are ahead \(-reach) ms before they are indexed")
        // Without being told SQLite prefers the index of all commits of the space.
        return latest <= time.stored + reach
            ? ("commits INDEXED BY commits_ahead", StoreSchema.isAhead)
            : ("commits", "effective = 1")
    }

    private static let setting = "latest_receipt"
}
