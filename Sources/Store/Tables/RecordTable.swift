internal import GRDB
package import SyncCore

/// One record with everything effective that was written to it.
package struct StoredRecord: Hashable, Sendable {
    package let record: RecordID
    package let state: RecordState
    package let isDeleted: Bool
}

enum RecordTable {
    static func state(
        of key: RecordKey, in space: Int64, _ database: Database
    ) throws -> RecordState? {
        let row = try database.row(
            "SELECT body FROM records WHERE space = ? AND collection = ? AND record = ?",
            [space, key.collection, key.record.bytes])
        return try row.map { try RecordCodec.decode(try $0.bytes("body")) }
    }
}

extension Row {
    func storedRecord() throws -> StoredRecord {
        StoredRecord(
            record: try record("record"), state: try RecordCodec.decode(try bytes("body")),
            isDeleted: try flag("deleted"))
    }
}
