package import LocalAPI

/// For ids of one kind: the shortest beginnings that tell them apart, at least eight characters.
package struct ShortIDs: Sendable {
    private static let least = 8
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
        String(id.prefix(lengths[id] ?? ShortIDs.least))
    }

    /// The short form of an id without others to tell it from.
    package static func alone(_ id: String) -> String { String(id.prefix(least)) }

    private static func sharedLength(_ one: String, _ other: String) -> Int {
        zip(one.utf8, other.utf8).prefix { $0 == $1 }.count
    }
}

extension Reference {
    /// A thing without others to tell it from.
    package init(_ id: some CustomStringConvertible, name: String) {
        self.init(id: id.description, shortID: ShortIDs.alone(id.description), name: name)
    }
}
