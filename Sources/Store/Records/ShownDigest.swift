internal import GRDB
package import SyncCore

extension StoredRecords {
    /// A digest of what a space shows under a schema: equal on devices that show the same.
    ///
    /// SHA-256 with label ``Label/shownDigest`` over, for each collection in schema order, its
    /// name (after its length) and of each record that is not deleted, in id order, the id and
    /// the digest, with the same label, of its fields: by UTF-8 bytes of their names, each name and
    /// ``ShownValue/canonicalBytes``, both after their length. Lengths are as in ``lengthPrefixed(_:)``.
    /// Origins are left out where there are none. Calls `beforeRecord` before it reads each record.
    package func digest(
        of space: SpaceID, under schema: Schema, beforeRecord: () throws -> Void = {}
    ) throws -> Bytes32 {
        try connection.read { database in
            var bytes: [UInt8] = []
            let spaceRow = try SpaceTable.row(of: space, in: database)
            for collection in schema.collections {
                var records: [UInt8] = []
                let cursor = try database.rowCursor(
                    """
                    SELECT record, body FROM records
                    WHERE space = ? AND collection = ? AND deleted = 0 ORDER BY record
                    """, [spaceRow, collection.name])
                while let row = try cursor.next() {
                    try beforeRecord()
                    let state = try RecordCodec.decode(try row.bytes("body"))
                    records += try row.bytes("record")
                    records += schema.digest(of: state, in: collection.name).bytes
                }
                // What came from no archive has the digest that programs made before there were any.
                if records.isEmpty, Schema.seldom.contains(collection.name) { continue }
                bytes += lengthPrefixed(Array(collection.name.utf8)) + records
            }
            return Label.shownDigest.hash(bytes)
        }
    }
}

extension Schema {
    fileprivate func digest(of state: RecordState, in collection: String) -> Bytes32 {
        let shown = shown(state, in: collection)?.values ?? [:]
        var bytes: [UInt8] = []
        for (name, value) in shown.sorted(by: { utf8Precedes($0.key, $1.key) }) {
            bytes += lengthPrefixed(Array(name.utf8)) + lengthPrefixed(value.canonicalBytes)
        }
        return Label.shownDigest.hash(bytes)
    }
}
