/// Another version of a schema under which values that are there have another type.
package struct SchemaMigrationDraft: Codable, Sendable, Hashable {
    package let document: String
    /// Only says what would change.
    @MayBeAbsent package var preview: Bool
    /// Where everything is backed up first, absolute; absent for the place of the last backup.
    package var backup: String?
    @MayBeAbsent package var withoutBackup: Bool

    package init(document: String) { self.document = document }
}

/// What another version of a schema comes to, or came to.
package struct SchemaMigrationReport: Codable, Sendable, Equatable {
    package let done: Bool
    package let space: Reference
    package let from: Int
    package let to: Int
    package let changes: [Change]
    /// By field, as in `purchase.price`, how many values were made to fit.
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

    /// Something that is otherwise.
    package struct Change: Codable, Sendable, Hashable {
        package let kind: Kind
        /// As in `purchase.price`, or a collection.
        package let place: String
        /// What it was before and is then: a name, or a type.
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
            /// What was written there is kept, and shown no more.
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
