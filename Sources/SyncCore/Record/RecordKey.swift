/// A record by its place in a space. Names are compared by their bytes.
package struct RecordKey: Hashable, Comparable, Sendable {
    package let collection: String
    package let record: RecordID

    package init(collection: String, record: RecordID) {
        (self.collection, self.record) = (collection, record)
    }

    package static func == (left: RecordKey, right: RecordKey) -> Bool {
        left.record == right.record && left.collection.utf8.elementsEqual(right.collection.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(record)
    }

    package static func < (left: RecordKey, right: RecordKey) -> Bool {
        if !left.collection.utf8.elementsEqual(right.collection.utf8) {
            return left.collection.utf8.lexicographicallyPrecedes(right.collection.utf8)
        }
        return left.record < right.record
    }
}
