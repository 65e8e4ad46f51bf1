internal import GRDB
package import SyncCore

/// When one commit was written, by all who say something about it.
package struct DatedCommit: Hashable, Sendable {
    package let log: LogID
    package let sequence: UInt64
    /// What its header says.
    package let raw: HybridTime
    /// When it counts as written.
    package let clock: HybridTime
    package let receivedAt: Milliseconds
}

/// Changes of one device that count as written later than now.
package struct ChangesAhead: Hashable, Sendable {
    package let count: Int
    package let latest: HybridTime

    package static func + (left: ChangesAhead, right: ChangesAhead) -> ChangesAhead {
        ChangesAhead(
            count: left.count + right.count, latest: max(left.latest, right.latest))
    }
}

extension CommitLog {
    /// Effective commits of a space that are dated later than ``Limits/clockSkewMilliseconds`` from
    /// now, by device. Costs no more than there are such commits, unless some came later than now, before
    /// this device's clock was set back: then all of the space are looked at.
    package func changesAhead(
        in space: SpaceID, now: Milliseconds
    ) throws -> [DeviceID: ChangesAhead] {
        let limit = HybridTime(
            milliseconds: now.value + Limits.clockSkewMilliseconds, counter: .max)
        return try connection.read { database in
            let spaceRow = try SpaceTable.row(of: space, in: database)
            let receipts =
                try connection.loaded(shownTo: database) { $0.receipts } ?? Receipts(in: database)
            let (table, condition) = receipts.source(ahead: now)
            // Clocks are unsigned: one of the second half is kept as a negative number.
            let rows = try database.rows(
                """
                SELECT device, clock FROM (
                    SELECT log, clock FROM \(table)
                        WHERE clock > ? AND space = ? AND \(condition)
                    UNION ALL
                    SELECT log, clock FROM \(table)
                        WHERE clock < 0 AND space = ? AND \(condition)
                ) AS ahead JOIN logs ON logs.id = ahead.log
                """, [Int64(bitPattern: limit.raw), spaceRow, spaceRow])
            var found: [DeviceID: ChangesAhead] = [:]
            for row in rows {
                let one = ChangesAhead(
                    count: 1, latest: HybridTime(raw: try row.unsigned("clock")))
                let device: DeviceID = try row.identifier("device")
                found[device] = found[device].map { $0 + one } ?? one
            }
            return found
        }
    }

    /// The effective commits of a device in a space, in no order. Reads every header of it.
    package func datedCommits(of device: DeviceID, in space: SpaceID) throws -> [DatedCommit] {
        try connection.read { database in
            let rows = try database.rowCursor(
                """
                SELECT clock, received_at, header FROM commits
                WHERE effective = 1
                    AND log IN (SELECT id FROM logs WHERE space = ? AND device = ?)
                """, [try SpaceTable.row(of: space, in: database), device.bytes])
            var found: [DatedCommit] = []
            while let row = try rows.next() {
                let header = try connection.decoder.header(try row.bytes("header"))
                found.append(
                    DatedCommit(
                        log: header.log, sequence: header.sequence, raw: header.clock,
                        clock: HybridTime(raw: try row.unsigned("clock")),
                        receivedAt: try row.moment("received_at") ?? Milliseconds(0)))
            }
            return found
        }
    }

    /// Where the logs of some devices end, of a space: before the first commit that counts as written
    /// after a time.
    package func heads(
        of devices: Set<DeviceID>, in space: SpaceID, until: Milliseconds
    ) throws -> Watermark {
        try connection.read { database in
            var heads: [LogID: LogHead] = [:]
            var ended: Set<LogID> = []
            for device in devices {
                let rows = try database.rowCursor(
                    """
                    SELECT device, incarnation, sequence, commit_id, clock
                    FROM commits JOIN logs ON logs.id = commits.log
                    WHERE logs.space = ? AND logs.device = ? ORDER BY sequence
                    """, [try SpaceTable.row(of: space, in: database), device.bytes])
                while let row = try rows.next() {
                    let log = try row.log()
                    let clock = HybridTime(raw: try row.unsigned("clock"))
                    if clock.milliseconds > until.value { ended.insert(log) }
                    guard !ended.contains(log) else { continue }
                    heads[log] = LogHead(
                        sequence: try row.sequence("sequence"),
                        commit: try row.identifier("commit_id"))
                }
            }
            return Watermark(heads)
        }
    }
}
