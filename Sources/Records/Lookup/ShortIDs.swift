package import LocalAPI
internal import Store
package import SyncCore

/// For ids of one kind: the shortest beginnings that tell them apart, at least eight characters.
package struct ShortIDs: Sendable {
    static let least = 8
    private let lengths: [String: Int]

    package init(_ ids: some Sequence<String>) {
        let sorted = Set(ids).sorted()
        var lengths: [String: Int] = [:]
        for (index, id) in sorted.enumerated() {
            var shared = 0
            if index > 0 { shared = ShortIDs.sharedLength(id, sorted[index - 1]) }
            if index + 1 < sorted.count {
                shared = max(shared, ShortIDs.sharedLength(id, sorted[index + 1]))
            }
            // Only longer ones need an entry.
            if shared >= ShortIDs.least { lengths[id] = shared + 1 }
        }
        self.lengths = lengths
    }

    /// The short form; for another id, its first eight characters.
    package subscript(id: String) -> String {
        ShortIDs.beginning(of: id, lengths[id] ?? ShortIDs.least)
    }

    /// The short form of an id without others to tell it from.
    package static func alone(_ id: String) -> String { beginning(of: id, least) }

    /// Without the hyphen between two groups of a device's id, which tells nothing apart.
    private static func beginning(of id: String, _ length: Int) -> String {
        let short = id.prefix(length)
        return String(short.last == "-" ? short.dropLast() : short)
    }

    private static func sharedLength(_ one: String, _ other: String) -> Int {
        zip(one.utf8, other.utf8).prefix { $0 == $1 }.count
    }
}

extension ShortIDs {
    /// Of some records: beginnings that no other record of their collections has, in any space. A list may show only a
    /// part of a collection, and a person may type an id without its space. Of the records that are not shown only the
    /// neighbours of these are read.
    package init(of records: some Sequence<RecordKey>, on replica: any Replica) throws {
        let shown = Dictionary(grouping: records, by: \.collection)
        guard !shown.isEmpty else {
            self.init([])
            return
        }
        let store = replica.store
        let neighbours = try shown.flatMap { collection, keys in
            try store.records.neighbours(
                of: keys.map(\.record), in: collection, sharing: ShortIDs.least / 2)
        }
        let unfinished = try store.ledgers.keys.flatMap { try store.unfinished.all(in: $0).keys }
        let others = neighbours + unfinished.filter { shown[$0.collection] != nil }.map(\.record)
        let ids = shown.values.flatMap { $0.map(\.record) } + others
        self.init(ids.map(\.description))
    }
}

extension Reference {
    /// A thing without others to tell it from.
    package init(_ id: some CustomStringConvertible, name: String) {
        self.init(id: id.description, shortID: ShortIDs.alone(id.description), name: name)
    }
}
