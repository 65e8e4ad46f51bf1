package import SyncCore

/// The wait after the store could not be opened, as the disk had no room for that.
///
/// Each attempt may write much, a new database for a damaged one, so that another one is worth it only
/// when there is more room than before.
package struct RoomWait: Sendable {
    private let freeBytes: UInt64?
    private let begin: Duration

    /// `freeBytes` were free after the attempt, nil if the disk gives no answer; `now` counts from
    /// any fixed moment.
    package init(freeBytes: UInt64?, at now: Duration) {
        (self.freeBytes, begin) = (freeBytes, now)
    }

    package func isOver(freeBytes now: UInt64?, at time: Duration) -> Bool {
        let passed = time - begin
        guard passed >= .seconds(Limits.roomRestartSeconds) else { return false }
        guard let freeBytes, let now else { return true }
        return now >= freeBytes + Limits.moreRoomBytes
            || passed >= .seconds(Limits.unchangedRoomSeconds)
    }
}

extension Limits {
    /// More free bytes than this are room that somebody made, and no file that came and went.
    package static let moreRoomBytes: UInt64 = 1 << 20
    /// Seconds until another attempt where the free bytes do not tell: under a quota, for example.
    package static let unchangedRoomSeconds: Int64 = 3_600
}
