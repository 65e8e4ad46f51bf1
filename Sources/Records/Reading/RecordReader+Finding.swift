internal import LocalAPI
internal import Store
internal import SyncCore

/// Finds records, including unfinished ones.
extension RecordReader {
    /// Records of a collection that fit a hint, including deleted and unfinished ones; at most `limit` from
    /// the log.
    func fitting(
        _ hint: StoredRecords.NameHint, in collection: String, limit: Int = .max
    ) throws -> [ShownEntry] {
        let unfinished = try unfinished(in: collection) {
            hint.fits($0.id, called: schema.collection(collection)?.name(of: $0.state))
        }
        let stored = entries(
            try replica.store.records.list(of: space, in: collection, fitting: hint, limit: limit),
            in: collection)
        // A record may have been finished since.
        return unfinished.filter { entry in !stored.contains { $0.id == entry.id } } + stored
    }

    /// Shown records whose indexed text has every word (or its beginning) of `text`, by collection.
    package func found(_ text: String) throws -> [String: [ShownEntry]] {
        var found = try unfinished(holding: text)
        let words = SearchTerms(text)
        let hits = try replica.store.records.search(
            text, spellings: LetterFolding.spellings, in: [space], limit: .max)
        for hit in hits {
            if let entry = try shown(hit.key.collection, hit.key.record),
                holds(words, entry, of: hit.key.collection)
            {
                found[hit.key.collection, default: []].append(entry)
            }
        }
        return found
    }

    /// The best matches of one collection, including deleted and unfinished ones.
    func found(_ text: String, in collection: String, limit: Int) throws -> [ShownEntry] {
        try unfinished(holding: text)[collection, default: []]
            + replica.store.records.search(text, in: [space], collection: collection, limit: limit)
            .compactMap { try entry($0.key) }
    }

    /// Whether a record that a search found has the words: with a German letter in two it finds too many.
    func holds(_ words: SearchTerms, _ entry: ShownEntry, of collection: String) -> Bool {
        !words.mayMislead || words.fit(schema.searchText(of: entry.state, in: collection))
    }
}
