internal import Store
internal import SyncCore

/// Records that are in no log yet. They are found and shown like others, but not counted, and no other
/// record refers to them.
extension RecordReader {
    /// The wanted ones of a collection, in the order of their ids.
    package func unfinished(
        in collection: String, where isWanted: (ShownEntry) throws -> Bool = { _ in true }
    ) throws -> [ShownEntry] {
        try unfinishedStates().keys.filter { $0.collection == collection }.sorted()
            .compactMap { try entry($0) }.filter { try $0.isUnfinished && isWanted($0) }
    }

    /// Those whose indexed text has every word, or its beginning, by collection.
    func unfinished(holding text: String) throws -> [String: [ShownEntry]] {
        let states = try unfinishedStates()
        let words = SearchTerms(text)
        guard !states.isEmpty, !words.isEmpty else { return [:] }
        return try Set(states.keys.map(\.collection)).reduce(into: [:]) { found, collection in
            found[collection] = try unfinished(in: collection) {
                words.fit(schema.searchText(of: $0.state, in: collection))
            }
        }
    }
}
