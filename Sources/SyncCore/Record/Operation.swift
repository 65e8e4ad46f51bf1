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
}

/// The flags that writing all these operations takes of a person; nil: of somebody unknown.
///
/// Deleting takes delete, and so does every other write to the record that carries the space's name,
/// but to bring it back. What the person made they delete with write.
package func requiredFlags(
    of operations: [RecordOperation], in space: SpaceID, by person: PersonID?
) -> Permissions {
    var required: Permissions = []
    for operation in operations {
        for write in operation.writes {
            if write.isDeletion {
                let isOwn = person.map { operation.record.isMade(by: $0, in: space) } ?? false
                required.insert(isOwn ? .write : .delete)
            } else if write.field != Write.existence, operation.isTitle(of: space) {
                required.insert(.delete)
            } else {
                required.insert(.write)
            }
        }
    }
    return required
}

/// The flags that deciding between values of a record takes: those of writing one.
package func requiredFlags(toDecide key: RecordKey, in space: SpaceID) -> Permissions {
    key.isTitle(of: space) ? .delete : .write
}

extension RecordOperation {
    /// Whether it writes to the record that carries the space's name, whichever schema it follows.
    package func isTitle(of space: SpaceID) -> Bool {
        RecordKey(collection: collection, record: record).isTitle(of: space)
    }
}

extension RecordKey {
    /// Whether this record carries the space's name, whichever schema it follows.
    fileprivate func isTitle(of space: SpaceID) -> Bool {
        Schema.titleCollections.contains(collection)
            && record == .derived(space: space, collection: collection, source: [])
    }
}
