package import SyncCore

extension StoredRecords {
    /// Every effective write to a text whose versions are put together, replaced ones too, oldest
    /// first, up to ``Limits/mergedHistory``; none of another field.
    package func textWrites(
        to field: String, of key: RecordKey, in space: SpaceID
    ) throws -> [WriteID] {
        let schema = StoredSpaces(connection).schema(of: space)
        guard schema?.collection(key.collection)?.field(field)?.strategy == .mergeText else {
            return []
        }
        return try connection.read { database in
            let space = try SpaceTable.row(of: space, in: database)
            let row = try database.row(
                """
                SELECT maker, writers FROM records
                WHERE space = ? AND collection = ? AND record = ?
                """, [space, key.collection, key.record.bytes])
            guard let row else { return [] }
            let writers = try WriterRows(try row.optionalBytes("writers"))
                .commits(
                    writingTo: key.record, from: try row.integer("maker"), in: space, database)
            let record = WrittenRecord(key: key, writers: writers, fields: [field])
            let texts = CommitTexts(connection.decoder)
            var pasts = GatheredPasts(of: [record], under: schema, texts, database)
            return try pasts.remove(key)?.places[field]?.map(\.id) ?? []
        }
    }
}
