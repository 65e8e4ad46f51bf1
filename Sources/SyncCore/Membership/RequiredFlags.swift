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
