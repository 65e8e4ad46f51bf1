internal import GRDB
package import SyncCore

/// What tells that a device lived twice.
extension StoreExamination {
    /// Devices that wrote twice from one state, and how many of their changes wait to be recovered.
    package func forkedDevices() throws -> [DeviceID: Int] {
        let counts = try orphanCounts().filter { $0.reason == .branch }
        let devices: [DeviceID] = try look { database in
            try database.rows("SELECT DISTINCT device FROM forks")
                .map { try $0.identifier("device") }
        }
        return Dictionary(
            uniqueKeysWithValues: devices.map { device in
                (device, counts.filter { $0.device == device }.map(\.waiting).reduce(0, +))
            })
    }

    /// Whether the device of this store went on writing elsewhere after it began to write here: not as
    /// before a backup was put back, but in two places at a time. Only what came after `since` shows it: what a person
    /// has put right is told no more.
    package func writesElsewhere(_ device: DeviceID, since: Milliseconds) throws -> Bool {
        try look { database in
            guard let own = try Settings.bytes("incarnation", in: database) else { return false }
            let rows = try database.rows(
                """
                SELECT logs.space, incarnation = ? AS here, MIN(clock) AS first, MAX(clock) AS last,
                    MAX(received_at) AS came
                FROM commits JOIN logs ON logs.id = commits.log WHERE device = ?
                GROUP BY logs.space, here
                """, [own, device.bytes])
            var began: [Int64: UInt64] = [:]
            for row in rows where try row.flag("here") {
                began[try row.integer("space")] = try row.unsigned("first")
            }
            return try rows.contains { row in
                guard try !row.flag("here"), let first = began[try row.integer("space")] else {
                    return false
                }
                return try row.unsigned("last") > first && row.unsigned("came") > since.value
            }
        }
    }
}
