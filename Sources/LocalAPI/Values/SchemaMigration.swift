/// Another version of a schema that changes the types of existing values.
package struct SchemaMigrationDraft: Codable, Sendable, Hashable {
    package let document: String
    /// Only reports the changes.
    @MayBeAbsent package var preview: Bool
    /// Where everything is backed up first, absolute; absent for the place of the last backup.
    package var backup: String?
    @MayBeAbsent package var withoutBackup: Bool

    package init(document: String) { self.document = document }
}

/// The result of a migration to another version of a schema, or its preview.
package struct SchemaMigrationReport: Codable, Sendable, Equatable {
    package let done: Bool
    package let space: Reference
    package let from: Int
    package let to: Int
    package let changes: [Change]
    /// By field, as in `purchase.price`, the number of converted values.
    package let converted: [Count]
    /// Values that stay as they are, at most 500.
    package let left: [Value]
    package let leftCount: Int
    package var backup: BackupReport?

    package init(
        done: Bool, space: Reference, versions: (from: Int, to: Int), changes: [Change],
        converted: [Count], left: [Value]
    ) {
        (self.done, self.space, self.changes) = (done, space, changes)
        (from, to) = versions
        (self.converted, leftCount) = (converted, left.count)
        self.left = Array(left.prefix(LocalLimits.dataSetRowsShown))
    }

    /// A difference between the versions.
    package struct Change: Codable, Sendable, Hashable {
        package let kind: Kind
        /// As in `purchase.price`, or a collection.
        package let place: String
        /// The name or type before and after.
        package let from: String?
        package let to: String?

        package init(_ kind: Kind, _ place: String, from: String? = nil, to: String? = nil) {
            (self.kind, self.place, self.from, self.to) = (kind, place, from, to)
        }

        package enum Kind: String, Codable, Sendable, CaseIterable {
            case addedCollection, addedField, renamedCollection, renamedField
            case changedRule
            /// Another field finishes new records, from one and to one of these; the others stay as they are.
            case changedFinish
            /// Its values are kept, but no longer shown.
            case removedCollection, removedField
            case changedDeletion
            case changedType

            package var isBreaking: Bool {
                switch self {
                case .addedCollection, .addedField, .renamedCollection, .renamedField,
                    .changedRule, .changedFinish:
                    false
                case .removedCollection, .removedField, .changedDeletion, .changedType: true
                }
            }
        }
    }

    package struct Count: Codable, Sendable, Hashable {
        package let place: String
        package let count: Int

        package init(place: String, count: Int) { (self.place, self.count) = (place, count) }
    }

    package struct Value: Codable, Sendable, Hashable {
        package let record: Reference
        package let place: String
        package let text: String

        package init(record: Reference, place: String, text: String) {
            (self.record, self.place, self.text) = (record, place, text)
        }
    }
}
