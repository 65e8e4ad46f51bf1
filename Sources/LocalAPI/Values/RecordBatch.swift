/// New records of one collection, added together: all are checked before any is written.
package struct RecordBatchDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of a space; `home` for the person's own.
    package let space: String
    package let collection: String
    /// In the order in which they are to stand.
    package let records: [NewRecord]

    package struct NewRecord: Codable, Sendable, Hashable {
        package let fields: [String: FieldValue]
        /// Its line in the source file, counted from 1, for error messages.
        package let line: Int?

        package init(fields: [String: FieldValue], line: Int? = nil) {
            (self.fields, self.line) = (fields, line)
        }
    }

    package init(space: String, collection: String, records: [NewRecord]) {
        (self.space, self.collection, self.records) = (space, collection, records)
    }
}

/// The result of adding them.
package struct RecordBatchReport: Codable, Sendable, Equatable {
    package let space: Reference
    package let collection: String
    /// Of the new records, in the order they were given.
    package let ids: [String]
    /// Signed commits that it took; each of them arrives on another device whole or not at all.
    package let commits: Int
    /// How many of the records are unfinished, and in none of the commits; absent for none.
    package var unfinished: Int?

    package init(space: Reference, collection: String, ids: [String], commits: Int) {
        (self.space, self.collection, self.ids, self.commits) = (space, collection, ids, commits)
    }
}
