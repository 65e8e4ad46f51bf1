package import SyncCore

extension StoredRecords {
    /// Every effective write to a text whose versions are put together, replaced ones too, oldest
    /// first, up to ``Limits/mergedHistory``; none of another field.
    package func textWrites(
        to field: String, of key: RecordKey, in space: SpaceID
    ) throws -> [WriteID] {
        try connection.read { database in
            let space = try SpaceTable.row(of: space, in: database)
            guard let record = try RecordBatch.row(of: key, in: space, database) else { return [] }
            return try TextWriteTable.rows(of: record, field, in: database).map { try $0.writeID() }
        }
    }
}
