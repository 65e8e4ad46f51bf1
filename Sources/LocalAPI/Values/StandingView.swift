/// Where one record stands, or how many records of a space stand where.
package struct StandingView: Codable, Sendable, Equatable {
    package let space: Reference
    /// The record that was asked for.
    package let record: Record?
    /// Without a record: the collections that were asked for, in the order of the schema.
    package let collections: [Collection]

    package init(space: Reference, record: Record? = nil, collections: [Collection] = []) {
        (self.space, self.record, self.collections) = (space, record, collections)
    }

    package struct Record: Codable, Sendable, Equatable {
        package let id: String
        package let shortID: String
        package let name: String
        package let collection: String
        package let deleted: Bool
        package let status: RecordStatus

        package init(
            id: String, shortID: String, name: String, collection: String, deleted: Bool,
            status: RecordStatus
        ) {
            (self.id, self.shortID, self.name) = (id, shortID, name)
            (self.collection, self.deleted, self.status) = (collection, deleted, status)
        }
    }

    package struct Collection: Codable, Sendable, Equatable {
        package let name: String
        /// By ``RecordStatus``: how many records. Deleted ones count until everybody knows.
        package let statuses: [String: Int]

        package init(name: String, statuses: [String: Int]) {
            (self.name, self.statuses) = (name, statuses)
        }
    }
}

/// Which records of a space are asked for; all when it names nothing.
package struct StandingScope: Codable, Sendable, Hashable {
    package let collection: String?
    /// Name or id prefix, deleted ones too; only with a collection.
    package let record: String?

    package init(collection: String? = nil, record: String? = nil) {
        (self.collection, self.record) = (collection, record)
    }
}
