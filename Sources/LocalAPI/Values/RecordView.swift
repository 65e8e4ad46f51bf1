/// One record of a space, of any schema. In JSON, the properties of its parts stand side by side.
@dynamicMemberLookup
package struct RecordView: Codable, Sendable, Equatable, Identifiable {
    package var content: Content
    package var state: State

    package init(_ content: Content, _ state: State) {
        (self.content, self.state) = (content, state)
    }

    package init(from decoder: any Decoder) throws {
        content = try Content(from: decoder)
        state = try State(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(inOneObject: content, state)
    }

    package var id: String { content.id }

    package subscript<Value>(dynamicMember path: KeyPath<Content, Value>) -> Value {
        content[keyPath: path]
    }

    package subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Value {
        state[keyPath: path]
    }
}

extension RecordView {
    /// Its names and its values.
    package struct Content: Codable, Sendable, Equatable {
        package let id: String
        package let shortID: String
        package let space: Reference
        package let collection: String
        /// Its title or name.
        package let name: String
        /// The shown values, by field; fields without a value are left out.
        package let fields: [String: FieldValue]
        /// Computed from the records that refer here.
        package let derived: [String: FieldValue]
        /// Values of fields that the schema does not know, as newer programs wrote them; of a field that a migration made a
        /// set, or the other way round, what was written meanwhile.
        package let unknown: [String: FieldValue]
        /// The schema of its collection, for display: only for a record that is shown alone or was written
        /// while unfinished; absent for collections that no person's schema defines.
        package var schema: SchemaView.Collection?

        package init(
            id: String, shortID: String, space: Reference, collection: String, name: String,
            fields: [String: FieldValue], derived: [String: FieldValue] = [:],
            unknown: [String: FieldValue] = [:]
        ) {
            (self.id, self.shortID, self.space) = (id, shortID, space)
            (self.collection, self.name, self.fields) = (collection, name, fields)
            (self.derived, self.unknown) = (derived, unknown)
        }
    }

    /// Its last change, how far it is synced, and what is to be settled.
    package struct State: Codable, Sendable, Equatable {
        /// Fields with more than one surviving value: see the conflicts.
        package let conflicts: [String]
        /// Values that are kept, but not shown, because somebody with authority wrote another one.
        package let overruled: [Overruled]
        package let standing: Standing
        /// A token for the state in this view. An editor that returns it with its changes never overwrites
        /// changes that arrived in between.
        package let seen: String
        /// The last author.
        package let author: Reference
        package let changed: Moment
        package let status: RecordStatus
        /// The former author: only for a record that is shown alone and came from an archive or another trip.
        package var origin: OriginView?

        package init(
            _ standing: Standing, conflicts: [String] = [], overruled: [Overruled] = [],
            seen: String, author: Reference, changed: Moment, status: RecordStatus
        ) {
            (self.conflicts, self.overruled, self.standing) = (conflicts, overruled, standing)
            (self.seen, self.author) = (seen, author)
            (self.changed, self.status) = (changed, status)
        }
    }

    package enum Standing: String, Codable, Sendable, CaseIterable {
        case shown
        /// Shown where other records refer to it, but not listed: it left its data set.
        case retired
        /// Deleted, but still shown because other records need it.
        case held
        /// Not shown, because its owner is deleted.
        case hidden
        case deleted
    }

    /// The latest value that another one outranks.
    package struct Overruled: Codable, Sendable, Equatable {
        package let field: String
        /// For a set, the element in question.
        package let value: FieldValue
        package let author: Reference
        /// The author of the shown value.
        package let by: Reference

        package init(field: String, value: FieldValue, author: Reference, by: Reference) {
            (self.field, self.value, self.author, self.by) = (field, value, author, by)
        }
    }
}

/// A new record.
package struct RecordDraft: Codable, Sendable, Hashable {
    /// Name or id prefix of a space; `home` for the person's own.
    package let space: String
    package let collection: String
    package let fields: [String: FieldValue]
    /// Where it stands among the others; at the end when absent.
    package let place: RecordPlace?

    package init(
        space: String, collection: String, fields: [String: FieldValue], place: RecordPlace? = nil
    ) {
        (self.space, self.collection, self.fields, self.place) = (space, collection, fields, place)
    }
}

/// Changes to a record; absent fields stay unchanged.
package struct RecordChanges: Codable, Sendable, Hashable {
    package let space: String
    package let collection: String
    /// New values; null empties a field.
    @MayBeAbsent package var fields: [String: FieldValue]
    /// Elements to put into sets and to take out of them.
    @MayBeAbsent package var add: [String: [FieldValue]]
    @MayBeAbsent package var remove: [String: [FieldValue]]
    package var place: RecordPlace?
    /// From ``RecordView/seen``; if absent, replaces what this device shows now.
    package var seen: String?

    package init(space: String, collection: String) {
        (self.space, self.collection) = (space, collection)
    }
}

/// Where a record is to stand among the others of its collection: one of these.
package struct RecordPlace: Codable, Sendable, Hashable {
    /// A record it comes right before, or right after.
    package var before: String?
    package var after: String?
    /// The very first, or else the very last.
    package var first: Bool?

    package init(before: String? = nil, after: String? = nil, first: Bool? = nil) {
        (self.before, self.after, self.first) = (before, after, first)
    }
}

/// The collection that a record is in.
package struct RecordScope: Codable, Sendable, Hashable {
    package let space: String
    package let collection: String

    package init(space: String, collection: String) {
        (self.space, self.collection) = (space, collection)
    }
}

/// Which records to list; conditions combine with "and".
package struct RecordFilter: Codable, Sendable, Hashable {
    package let space: String
    package let collection: String
    /// Found in a searched field.
    package var text: String?
    /// Fields that have these values, or sets that have this element.
    @MayBeAbsent package var fields: [String: FieldValue]
    /// The deleted ones instead.
    @MayBeAbsent package var deleted: Bool
    /// Also rows that left their data set, and stay as other records refer to them.
    @MayBeAbsent package var retired: Bool
    /// Only the first ones, so many, or a few more. Lists that are found by text or have an order that people gave
    /// come whole all the same.
    package var limit: Int?
    /// With `limit`: only what comes after a part of the list, from its ``RecordList/next``.
    package var after: String?

    package init(space: String, collection: String) {
        (self.space, self.collection) = (space, collection)
    }
}

/// Matching records, with the schema of their collection, for display.
package struct RecordList: Codable, Sendable, Equatable {
    /// Absent for a collection that no person's schema defines.
    package let collection: SchemaView.Collection?
    package let records: [RecordView]
    /// Where the next part begins; absent when there is none.
    package let next: String?

    package init(
        collection: SchemaView.Collection?, records: [RecordView], next: String? = nil
    ) {
        (self.collection, self.records, self.next) = (collection, records, next)
    }
}

extension RecordFilter: PartFilter {
    package func next(behind list: RecordList) -> RecordFilter? {
        guard let after = list.next else { return nil }
        var next = self
        next.after = after
        return next
    }
}

/// A file of a record, to be saved to a path.
package struct RecordExport: Codable, Sendable, Hashable {
    package let space: String
    package let collection: String
    package let field: String
    /// Absolute; a folder or a new file.
    package let path: String

    package init(space: String, collection: String, field: String, path: String) {
        (self.space, self.collection, self.field, self.path) = (space, collection, field, path)
    }
}
