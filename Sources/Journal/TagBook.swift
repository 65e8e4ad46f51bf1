internal import Records
internal import SyncCore

/// The tags of one space, and what is needed to use them by name.
struct TagBook {
    struct Tag: Sendable {
        let id: RecordID
        /// As written; views clean it.
        let name: String
        let category: RecordID?

        var lookupEntry: Lookup.Entry {
            Lookup.Entry(id: id.description, name: ShownText.line(name))
        }
    }

    typealias Collection = JournalSchema.Collection
    typealias Field = JournalSchema.Field

    let space: SpaceID
    let tags: [Tag]
    /// Names of categories.
    let categories: [RecordID: String]

    init(_ journal: JournalService, _ space: SpaceID) throws {
        self.space = space
        tags = try journal.shown(space, Collection.tag).map { entry in
            Tag(
                id: entry.id, name: entry.record.value(Field.name)?.text ?? "",
                category: entry.record.value(Field.category)?.reference)
        }
        categories = try journal.shown(space, Collection.tagCategory).reduce(into: [:]) {
            names, entry in
            names[entry.id] = entry.record.value(Field.name)?.text ?? ""
        }
    }

    /// All tags of a name: two people may have added their own.
    func named(_ name: String) -> [Tag] {
        tags.filter { Lookup.areSame($0.name, name) }
    }

    /// All tags that a person may mean by a name or a part of it.
    func meant(_ typed: String) -> [Tag] {
        Lookup.allMatches(typed, among: tags.map(\.lookupEntry)).map { tags[$0] }
    }

    /// The tag of a name, or the records that make it: a copy of the home space's, or a new one.
    func resolve(_ name: String, home: TagBook) -> (id: RecordID, operations: [RecordOperation]) {
        if let tag = named(name).first { return (tag.id, []) }
        if let source = home.named(name).first { return copy(source, of: home) }
        // A tag that was made under this name may have been renamed.
        let taken = Set(tags.map(\.id))
        let id = JournalID.free(name, Collection.tag, in: space) { taken.contains($0) }
        return (id, [TagBook.operation(Collection.tag, id, named: name)])
    }

    /// The category of a name, or the record that makes it.
    func resolve(category name: String) -> (id: RecordID, operations: [RecordOperation]) {
        let known = categories.filter { Lookup.areSame($0.value, name) }.keys.min()
        if let known { return (known, []) }
        let id = JournalID.free(name, Collection.tagCategory, in: space) {
            categories[$0] != nil
        }
        return (id, [TagBook.operation(Collection.tagCategory, id, named: name)])
    }

    /// Also brings a deleted tag or category back into use.
    static func operation(
        _ collection: String, _ id: RecordID, named name: String, category: RecordID? = nil
    ) -> RecordOperation {
        var writes = [
            Write.deletion(false), Write(field: JournalSchema.Field.name, value: .text(name)),
        ]
        if let category {
            writes.append(Write(field: JournalSchema.Field.category, value: .reference(category)))
        }
        return RecordOperation(collection: collection, record: id, writes: writes)
    }

    /// Copies a tag of the home space, with its category, as references never cross spaces.
    private func copy(
        _ source: Tag, of home: TagBook
    ) -> (id: RecordID, operations: [RecordOperation]) {
        let id = JournalID.copy(source.id, Collection.tag, in: space)
        // The copy is here already, under the name that it got in this space.
        if tags.contains(where: { $0.id == id }) { return (id, []) }
        var operations: [RecordOperation] = []
        var category: RecordID?
        if let original = source.category, let name = home.categories[original] {
            let copy = JournalID.copy(original, Collection.tagCategory, in: space)
            category = copy
            if categories[copy] == nil {
                operations.append(TagBook.operation(Collection.tagCategory, copy, named: name))
            }
        }
        operations.append(
            TagBook.operation(Collection.tag, id, named: source.name, category: category))
        return (id, operations)
    }
}
