/// A write's id: the commit and the index of the write, counted over the whole commit.
package struct WriteID: Hashable, Comparable, Sendable {
    package let commit: CommitID
    package let index: UInt32

    package init(commit: CommitID, index: UInt32) { (self.commit, self.index) = (commit, index) }

    package static func < (left: WriteID, right: WriteID) -> Bool {
        (left.commit, left.index) < (right.commit, right.index)
    }
}

/// Whose word a write is: no write supersedes one of higher precedence.
package enum Precedence: UInt32, Sendable {
    case dataSet = 0
    case user = 1
    case authority = 2
}

/// One write to one register of a record.
package struct Write: Hashable, Sendable {
    /// The field's name; empty for the record's existence.
    package var field: String
    /// For set fields: the element; the value then says whether it is in the set.
    package var element: Value?
    /// For existence: a boolean, true when the record is deleted.
    package var value: Value
    /// The writes its author was looking at; nil: it supersedes what the commit had seen.
    package var replaces: [WriteID]?
    package var precedence: UInt32

    package static let existence = ""

    package init(
        field: String, element: Value? = nil, value: Value, replaces: [WriteID]? = nil,
        precedence: UInt32 = Precedence.user.rawValue
    ) {
        (self.field, self.element, self.value) = (field, element, value)
        (self.replaces, self.precedence) = (replaces, precedence)
    }

    package static func deletion(_ deleted: Bool) -> Write {
        Write(field: existence, value: .boolean(deleted))
    }

    /// Says of a record only that one of its parts was written. A deletion that had not seen it is then in
    /// conflict with it, as with every other edit.
    package static let touch = Write(field: existence, element: .null, value: .boolean(false))

    package var isTouch: Bool { field == Write.existence && element != nil }

    /// Whether it says that the record is deleted, or that it is not.
    package var isOfExistence: Bool { field == Write.existence && element == nil }

    /// Whether it deletes the record.
    package var isDeletion: Bool { field == Write.existence && value == .boolean(true) }
}

/// The writes to one record, at least one.
package struct RecordOperation: Hashable, Sendable {
    package var collection: String
    package var record: RecordID
    package var writes: [Write]

    package init(collection: String, record: RecordID, writes: [Write]) {
        (self.collection, self.record, self.writes) = (collection, record, writes)
    }

    /// Whether it says nothing of the record itself: see ``Write/touch``.
    package var isTouch: Bool { writes.allSatisfy(\.isTouch) }
}
