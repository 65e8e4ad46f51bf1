/// Everything that was ever written to one record.
package struct RecordHistoryView: Codable, Sendable, Equatable {
    package let record: Reference
    package let space: Reference
    package let collection: String
    package let deleted: Bool
    /// Oldest first, as it came to this device.
    package let changes: [Change]

    package init(
        record: Reference, space: Reference, collection: String, deleted: Bool, changes: [Change]
    ) {
        (self.record, self.space, self.collection) = (record, space, collection)
        (self.deleted, self.changes) = (deleted, changes)
    }

    /// One commit, limited to the record.
    package struct Change: Codable, Sendable, Equatable {
        /// The commit's.
        package let id: String
        package let shortID: String
        package let author: Reference
        package let device: Reference
        /// By the clock of the device that wrote it.
        package let written: Moment
        package let received: Moment
        /// True for a write without effect; absent otherwise.
        package let withoutEffect: Bool?
        package let writes: [Write]

        package init(
            id: String, shortID: String, author: Reference, device: Reference, written: Moment,
            received: Moment, withoutEffect: Bool?, writes: [Write]
        ) {
            (self.id, self.shortID, self.author, self.device) = (id, shortID, author, device)
            (self.written, self.received) = (written, received)
            (self.withoutEffect, self.writes) = (withoutEffect, writes)
        }
    }

    package struct Write: Codable, Sendable, Equatable {
        /// Absent for a deletion or restoration of the record.
        package let field: String?
        /// The value as text; of a set one element, and of a deletion the word for it.
        package let text: String
        /// Of a set: whether the element was added.
        package let added: Bool?
        package let standing: Standing
        /// The author of the write that replaced it.
        package let by: Reference?
        package let at: Moment?
        /// Of a value beside others: the rule by which another one is shown.
        package let rule: ConflictView.Rule?

        package enum Standing: String, Codable, Sendable, CaseIterable {
            case shown
            /// Merged with others into the shown value.
            case merged
            case replaced
            /// Simultaneous with another one, which is shown.
            case beside
            /// Its commit does not count.
            case withoutEffect
        }

        package init(
            field: String?, text: String, added: Bool?, standing: Standing, by: Reference?,
            at: Moment?, rule: ConflictView.Rule?
        ) {
            (self.field, self.text, self.added) = (field, text, added)
            (self.standing, self.by, self.at, self.rule) = (standing, by, at, rule)
        }
    }
}

/// Selects writes to undo. When empty: the last thing that this person did on this device.
package struct UndoDraft: Codable, Sendable, Hashable {
    /// The beginning of a commit's id, as the history of a record shows it.
    package var commit: String?
    /// With `since`: writes by this device.
    package var device: String?
    /// With `since`: only deletions, by any device unless one is named.
    @MayBeAbsent package var deletions: Bool
    /// Changes that came to this device from then on.
    package var since: Moment?
    /// With `since`: changes that came before then.
    package var until: Moment?
    /// Only in this trip or space.
    package var space: String?
    /// Undoes values that others changed since, too.
    @MayBeAbsent package var over: Bool
    /// Only reports the changes.
    @MayBeAbsent package var preview: Bool

    package init() {}
}

/// The result of undoing, or its preview.
package struct UndoView: Codable, Sendable, Equatable {
    package let done: Bool
    /// Whether it reverts an undo.
    package let redo: Bool
    /// Commits that are undone.
    package let commits: Int
    /// The short id of the only one.
    package let change: String?
    /// Records that change, at most 500 of them.
    package let records: [Undone]
    package let recordCount: Int
    /// Values and records that stay unchanged, at most 500.
    package let kept: [Kept]
    package let keptCount: Int
    /// Changes that get other dates, where a redating is reverted.
    package var redated: Redated?

    package struct Redated: Codable, Sendable, Equatable {
        package let device: Reference
        package let changes: Int

        package init(device: Reference, changes: Int) {
            (self.device, self.changes) = (device, changes)
        }
    }

    package init(
        done: Bool, redo: Bool, commits: Int, change: String? = nil, records: [Undone],
        kept: [Kept]
    ) {
        (self.done, self.redo, self.commits, self.change) = (done, redo, commits, change)
        (self.records, recordCount) = (Array(records.prefix(LocalLimits.undoShown)), records.count)
        (self.kept, keptCount) = (Array(kept.prefix(LocalLimits.undoShown)), kept.count)
    }

    /// One record.
    package struct Undone: Codable, Sendable, Equatable {
        package let space: Reference?
        package let collection: String
        package let record: Reference
        package let kind: Kind
        package let fields: [Field]

        package enum Kind: String, Codable, Sendable, CaseIterable {
            /// It was added, and goes.
            case removed
            /// It was deleted, and comes back.
            case restored
            case changed
        }

        package struct Field: Codable, Sendable, Equatable {
            package let name: String
            /// As text; empty for none.
            package let from: String
            package let to: String

            package init(name: String, from: String, to: String) {
                (self.name, self.from, self.to) = (name, from, to)
            }
        }

        package init(
            space: Reference?, collection: String, record: Reference, kind: Kind, fields: [Field]
        ) {
            (self.space, self.collection, self.record) = (space, collection, record)
            (self.kind, self.fields) = (kind, fields)
        }
    }

    /// Something that stays.
    package struct Kept: Codable, Sendable, Equatable {
        package let space: Reference?
        package let record: Reference
        /// Absent where it is about the whole record.
        package let field: String?
        package let reason: Reason
        /// The person who changed it.
        package let by: Reference?

        package enum Reason: String, Codable, Sendable, CaseIterable {
            /// Somebody changed it since.
            case changedSince
            /// Somebody else changed it at the same time: without the undone write it shows the same.
            case changedToo
            /// Others need it.
            case inUse
            /// Somebody with authority decided it.
            case outranked
            /// It names a file from before its trip was encrypted.
            case inClear
            /// This person's role does not permit it any more.
            case noRight
        }

        package init(
            space: Reference?, record: Reference, field: String?, reason: Reason, by: Reference?
        ) {
            (self.space, self.record, self.field) = (space, record, field)
            (self.reason, self.by) = (reason, by)
        }
    }
}

extension LocalLimits {
    /// Records of an undo to list.
    package static let undoShown = 500
}
