/// A search in all spaces; conditions combine with "and".
package struct SearchQuery: Codable, Sendable, Hashable {
    /// Each of these words must begin a word of the record, ignoring case and accents.
    package let words: String
    /// Name or id prefix of a trip or space; `home` for the person's own.
    package var space: String?
    /// The name of a collection, `memory` for one.
    package var kind: String?
    /// A tag that it has: of schemas with tags.
    package var tag: String?
    /// Dated since then, or changed since then where it has no date.
    package var since: Moment?
    package var near: MemoryFilter.Near?
    /// The most hits to return.
    package var limit: Int?

    package init(words: String) { self.words = words }
}

/// The hits, best matches first.
package struct SearchReport: Codable, Sendable, Equatable {
    package let hits: [SearchHit]
    /// Whether there are more hits.
    package let more: Bool

    package init(hits: [SearchHit], more: Bool) { (self.hits, self.more) = (hits, more) }
}

/// One record in which the words are.
package struct SearchHit: Codable, Sendable, Equatable, Identifiable {
    package let id: String
    package let shortID: String
    package let space: Reference
    package let collection: String
    /// Its title or name.
    package let name: String
    /// The text around the first word, in one line; empty when the words are in the name.
    package let context: String
    /// Its date; absent when it has none.
    package let at: Moment?
    package let changed: Moment
    package let author: Reference
    /// True in the person's own lists; else absent.
    package var own: Bool?

    package init(
        id: String, shortID: String, space: Reference, collection: String, name: String,
        context: String, at: Moment?, changed: Moment, author: Reference
    ) {
        (self.id, self.shortID, self.space) = (id, shortID, space)
        (self.collection, self.name, self.context) = (collection, name, context)
        (self.at, self.changed, self.author) = (at, changed, author)
    }
}
